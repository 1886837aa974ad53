// Weights that lie in other files, brought into the model itself, so that it can be written anywhere.
import { TensorProto_DataLocation as DataLocation, type TensorProto } from '../proto/onnx_pb.ts'
import { changed } from './build.ts'
import { type ExternalFiles, locationOf, readExternal } from './external.ts'
import { type Model, viewModel } from './model.ts'

const isMessage = (value: unknown): value is { readonly $typeName: string } =>
  typeof value === 'object' && value !== null && '$typeName' in value

/** A message with every tensor in it replaced, those of attributes and subgraphs too; itself where none changes. */
function withTensors<T>(value: T, replace: (tensor: TensorProto) => TensorProto): T {
  if (Array.isArray(value)) {
    // Elements are of one kind, and numbers may be many.
    if (!isMessage(value[0])) return value
    const next = value.map((each) => withTensors(each, replace))
    return next.some((each, i) => each !== value[i]) ? (next as T) : value
  }
  if (!isMessage(value)) return value
  if (value.$typeName === 'onnx.TensorProto') return replace(value as unknown as TensorProto) as T
  const entries = Object.entries(value).map(([key, each]) => [key, withTensors(each, replace), each] as const)
  const fields = entries.filter(([, next, each]) => next !== each)
  return fields.length === 0 ? value : changed(value, Object.fromEntries(fields) as object)
}

const isExternal = ({ dataLocation }: TensorProto): boolean => dataLocation === DataLocation.EXTERNAL

/**
 * Where tensors of the model lie that are in other files, as the model has it; nothing is said of whether they are there.
 *
 * @example
 * ```ts
 * [...externalLocations(model)] // []
 * ```
 */
export function externalLocations({ proto }: Pick<Model, 'proto'>): ReadonlySet<string> {
  const locations = new Set<string>()
  withTensors(proto, (tensor) => {
    if (isExternal(tensor)) locations.add(locationOf(tensor))
    return tensor
  })
  return locations
}

/** Whether a tensor of the model lies in another file. */
export const hasExternalData = (model: Pick<Model, 'proto'>): boolean => externalLocations(model).size > 0

/** The model with all its data inside; the one that is given stays as it is. An ExternalDataError says which file is missing. */
export function embedExternalData(model: Pick<Model, 'proto'>, files: ExternalFiles): Model {
  return viewModel(
    withTensors(model.proto, (tensor) => {
      if (!isExternal(tensor)) return tensor
      const rawData = readExternal(tensor, undefined, files)
      return changed(tensor, { dataLocation: DataLocation.DEFAULT, externalData: [], rawData })
    }),
  )
}

// The shapes that a caller gives for the inputs, written into the model: what is made explicit for them holds for them
// alone, so the model says which they are. Declared shapes further inside that no longer hold are corrected, and
// defaults of other shapes are left out.
import { create } from '@bufbuild/protobuf'
import type { Dim as Size, SymbolicShape } from 'bcast'
import { constantOf, type Dim, isEqual } from '../dims/index.ts'
import type { Inference } from '../infer/inference.ts'
import { type InputShapes, namesGiven } from '../infer/inputs.ts'
import { changed } from '../model/build.ts'
import { type Model, viewModel } from '../model/model.ts'
import { typeOf } from '../model/value.ts'
import {
  type TensorShapeProto_Dimension as Dimension,
  TensorShapeProto_DimensionSchema as DimensionSchema,
  TensorShapeProtoSchema,
  type ValueInfoProto,
} from '../proto/onnx_pb.ts'

type Names = ReadonlyMap<string, number | string>

function dimensionOf(size: Size | undefined, declared: Dimension | undefined, names: Names): Dimension {
  const name = declared?.value.case === 'dimParam' ? declared.value.value : undefined
  const own = size ?? (name === undefined ? undefined : names.get(name))
  if (typeof own === 'number') return create(DimensionSchema, { value: { case: 'dimValue', value: BigInt(own) } })
  if (typeof own === 'string') return create(DimensionSchema, { value: { case: 'dimParam', value: own } })
  return declared ?? create(DimensionSchema, {})
}

/** A declared tensor with these sizes, where they are given, and what is said of names; other declarations stay. */
function withShape(
  proto: ValueInfoProto,
  given: readonly (Size | undefined)[] | undefined,
  names: Names,
): ValueInfoProto {
  const { type } = proto
  if (type?.value.case !== 'tensorType') return proto
  const declared = type.value.value.shape?.dim
  const sizes = given ?? declared?.map(() => undefined)
  if (sizes === undefined) return proto
  const own = declared?.length === sizes.length ? declared : undefined
  const dim = sizes.map((size, axis) => dimensionOf(size, own?.[axis], names))
  if (own !== undefined && dim.every((each, axis) => each === own[axis])) return proto
  const tensor = changed(type.value.value, { shape: create(TensorShapeProtoSchema, { dim }) })
  return changed(proto, { type: changed(type, { value: { case: 'tensorType', value: tensor } }) })
}

const sizeOf = (dim: Dim): number | undefined => {
  const value = constantOf(dim)
  return value === undefined ? undefined : Number(value)
}

/** Whether a declared shape says what is not so. */
const contradicts = (declared: NonNullable<SymbolicShape>, inferred: readonly Dim[]): boolean =>
  declared.length !== inferred.length ||
  declared.some((size, axis) => typeof size === 'number' && isEqual(size, inferred[axis]!) === false)

/** Whether a default can still be one for an input whose shape is given. */
const isDefault = (dims: readonly bigint[], given: SymbolicShape | undefined): boolean =>
  given === null ||
  given === undefined ||
  (given.length === dims.length && given.every((size, axis) => typeof size !== 'number' || BigInt(size) === dims[axis]))

/** The model with the given shapes as those that its inputs declare. */
export function declaring(model: Model, inputs: InputShapes, inference: Inference): Model {
  const names = namesGiven(model.graph.inputs, inputs)
  const givenFor = (name: string): SymbolicShape | undefined => (Object.hasOwn(inputs, name) ? inputs[name] : undefined)
  const corrected = (proto: ValueInfoProto): ValueInfoProto => {
    const [type, known] = [typeOf(proto.type), inference.valueIn(inference.root, proto.name)]
    const isWrong =
      type.kind === 'tensor' &&
      type.shape &&
      known.kind === 'tensor' &&
      known.shape &&
      contradicts(type.shape, known.shape)
    return withShape(proto, isWrong ? known.shape!.map(sizeOf) : undefined, names)
  }
  const { graph } = model.proto
  const input = graph!.input.map((proto) => withShape(proto, givenFor(proto.name) ?? undefined, names))
  if (input.every((proto, i) => proto === graph!.input[i])) return model
  const fields = {
    input,
    output: graph!.output.map(corrected),
    valueInfo: graph!.valueInfo.map(corrected),
    initializer: graph!.initializer.filter(({ name, dims }) => isDefault(dims, givenFor(name))),
    sparseInitializer: graph!.sparseInitializer.filter(({ values, dims }) =>
      isDefault(dims, givenFor(values?.name ?? '')),
    ),
  }
  return viewModel(changed(model.proto, { graph: changed(graph!, fields) }))
}

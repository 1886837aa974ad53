// Tensors that the file holds, as known values: shapes always, elements of small ones. Larger ones are never decoded.
import { constant } from '../dims/index.ts'
import { OnnxError } from '../errors/index.ts'
import { type ElementType, elementTypeOf } from '../model/element-type.ts'
import type { ExternalFiles } from '../model/external.ts'
import { elementsOf, tensorOf } from '../model/tensor-data.ts'
import type { SparseTensorProto, TensorProto } from '../proto/onnx_pb.ts'
import { isFloat, type KnownTensor, MAX_VALUES, type Scalar, tensor } from './known.ts'

/** Elements as scalars, from those of a typed array. */
const scalarsOf = (element: ElementType, elements: Iterable<number | bigint | boolean>): Scalar[] =>
  Array.from(elements, (value) => (isFloat(element) ? Number(value) : constant(BigInt(value))))

function scalarsIn(proto: TensorProto, element: ElementType, files: ExternalFiles | undefined): Scalar[] | undefined {
  try {
    const read = tensorOf(proto, files === undefined ? {} : { files })
    return read.dtype === 'string' ? undefined : scalarsOf(element, elementsOf(read) as (number | bigint | boolean)[])
  } catch (error) {
    // External data that is not at hand, or of a type without elements here; what is damaged is found by who reads it.
    if (error instanceof OnnxError) return undefined
    throw error
  }
}

export function knownOfProto(proto: TensorProto, files?: ExternalFiles): KnownTensor {
  const element = elementTypeOf(proto.dataType)
  const count = proto.dims.reduce((product, size) => product * size, 1n)
  const sound = proto.dims.every((size) => size >= 0n)
  const shape = sound ? proto.dims.map((size) => constant(size)) : null
  const small = sound && count <= BigInt(MAX_VALUES) && element !== undefined
  return tensor(element, shape, small ? scalarsIn(proto, element, files) : undefined)
}

/** Elements of sparse tensors are not looked at. */
export const knownOfSparse = ({ dims, values }: SparseTensorProto): KnownTensor =>
  tensor(
    elementTypeOf(values?.dataType ?? 0),
    dims.map((size) => constant(size)),
  )

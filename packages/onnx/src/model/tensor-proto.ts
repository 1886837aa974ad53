// Tensor to TensorProto: raw_data over the tensor's own elements, string_data for strings.
import { create } from '@bufbuild/protobuf'
import type { DType, Tensor } from 'bcast'
import { UnsupportedError } from '../errors/index.ts'
import { type TensorProto, TensorProtoSchema } from '../proto/onnx_pb.ts'
import { dataTypeOf, type OnnxDType } from './element-type.ts'

function checkedType(dtype: DType): OnnxDType {
  if (dtype !== 'real') return dtype
  throw new UnsupportedError("ONNX has no element type for real. Convert with cast(x, 'float64').", 'real')
}

/**
 * A TensorProto that shares the tensor's elements where they lie in row-major order.
 *
 * @example
 * ```ts
 * tensorProtoOf(tensor([1, 2, 3]), 'bias').dims // [3n]
 * ```
 */
export function tensorProtoOf(tensor: Tensor, name = ''): TensorProto {
  const dtype = checkedType(tensor.dtype)
  const proto = create(TensorProtoSchema, {
    dims: tensor.shape.map(BigInt),
    dataType: dataTypeOf(dtype),
    ...(name === '' ? {} : { name }),
  })
  const { data } = tensor
  if (Array.isArray(data)) {
    const text = new TextEncoder()
    proto.stringData = (data as readonly string[]).map((element) => text.encode(element))
  } else {
    proto.rawData = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  }
  return proto
}

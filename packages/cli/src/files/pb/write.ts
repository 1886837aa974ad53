// A result as an ONNX TensorProto: the fields that describe it, then raw_data, whose length stands before its bytes.
import { dataTypeOf, writeTensorProto } from '@bcast/onnx'
import { TensorProtoSchema } from '@bcast/onnx/proto'
import { create } from '@bufbuild/protobuf'
import { FileError } from '../../errors/file-error.ts'
import { bytesPerElement, countOf } from '../element.ts'
import type { ArrayDescription } from '../sink.ts'

/** Field 9, with a length and bytes behind it. */
const RAW_DATA = 0x4a
/** No protobuf message may be larger. */
const LARGEST = 2 ** 31 - 1

function varint(value: number): number[] {
  const bytes: number[] = []
  for (; value > 0x7f; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80)
  return [...bytes, value]
}

/** All of the message up to the first element. */
export function tensorProtoStart(label: string, { dtype, shape }: ArrayDescription): Uint8Array {
  const proto = create(TensorProtoSchema, { dims: shape.map(BigInt), dataType: dataTypeOf(dtype) })
  const size = countOf(shape) * bytesPerElement(dtype)
  const start = Buffer.concat([writeTensorProto(proto), Uint8Array.of(RAW_DATA, ...varint(size))])
  if (start.length + size <= LARGEST) return start
  throw new FileError(label, `${size} bytes of elements exceed the 2 GiB of an ONNX message.`, 'Write .npy.')
}

// A constant with another size: what fits of its elements stays where it is, and the rest is zero.
import { fromData, type Tensor } from 'bcast'
import type { ExternalFiles } from '../../model/external.ts'
import { countOf, stepsOf } from '../../model/row-major.ts'
import { tensorOf } from '../../model/tensor-data.ts'
import { tensorProtoOf } from '../../model/tensor-proto.ts'
import type { TensorProto } from '../../proto/onnx_pb.ts'

/** Copies what both shapes have, run by run along the last axis. */
function copyCommon(
  from: ArrayLike<unknown>,
  fromShape: readonly number[],
  to: { [index: number]: unknown },
  toShape: readonly number[],
): void {
  const [fromStrides, toStrides] = [stepsOf(fromShape), stepsOf(toShape)]
  const common = fromShape.map((size, axis) => Math.min(size, toShape[axis]!))
  const count = countOf(common)
  const index = common.map(() => 0)
  for (let i = 0; i < count; i++) {
    const place = (strides: readonly number[]): number => index.reduce((sum, at, axis) => sum + at * strides[axis]!, 0)
    to[place(toStrides)] = from[place(fromStrides)]
    for (let axis = common.length - 1; axis >= 0 && ++index[axis]! === common[axis]; axis--) index[axis] = 0
  }
}

export function resized(proto: TensorProto, shape: readonly number[], files: ExternalFiles | undefined): TensorProto {
  const read: Tensor = tensorOf(proto, files === undefined ? {} : { files })
  const { data } = read
  const made = Array.isArray(data)
    ? Array.from({ length: countOf(shape) }, () => '')
    : new (data.constructor as new (length: number) => ArrayLike<unknown>)(countOf(shape))
  copyCommon(data as ArrayLike<unknown>, read.shape, made as { [index: number]: unknown }, shape)
  return tensorProtoOf(fromData(read.dtype as 'float32', made as Float32Array, [...shape]) as Tensor, proto.name)
}

// Tensors for results, their elements not yet written.
import type { DType } from '../dtype/dtype.ts'
import { checkShape, type Shape } from '../shape/dim.ts'
import { rowMajorStrides } from '../tensor/layout.ts'
import { roomFor } from '../tensor/memory.ts'
import { Tensor } from '../tensor/tensor.ts'

/** Where results go instead, while a sequence settles a call. */
type Placing = (dtype: DType, shape: Shape) => Tensor

let placing: Placing | undefined

/** Does `work` with its results where `place` says. */
export function placingWith<T>(place: Placing, work: () => T): T {
  const before = placing
  placing = place
  try {
    return work()
  } finally {
    placing = before
  }
}

export function freshTensor(dtype: DType, shape: Shape): Tensor {
  checkShape(shape, 'shape of the result')
  if (placing !== undefined) return placing(dtype, shape)
  const { storage, offset, release } = roomFor(dtype, shape)
  // A copy, because plans that others are made by know the same shape, and whoever has the result may change its own.
  return new Tensor(dtype, { shape: shape.slice(), strides: rowMajorStrides(shape), offset }, storage, release)
}

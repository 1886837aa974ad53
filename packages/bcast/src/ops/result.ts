// Tensors for results, their elements not yet written.
import type { Allocation } from '../backend/backend.ts'
import { allocate } from '../backend/backends.ts'
import { bitsOf, type DType } from '../dtype/dtype.ts'
import { EngineError } from '../errors/index.ts'
import { checkShape, elementCount, formatShape, type Shape } from '../shape/dim.ts'
import { rowMajorStrides } from '../tensor/layout.ts'
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
  return new Tensor(dtype, { shape, strides: rowMajorStrides(shape), offset }, storage, release)
}

function roomFor(dtype: DType, shape: Shape): Allocation {
  try {
    return allocate(dtype, elementCount(shape))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const size = elementCount(shape) * Math.max(1, bitsOf(dtype) / 8)
    throw new EngineError(
      `there is no memory for a ${dtype} result of shape ${formatShape(shape)}, ${size} bytes. Compute it in parts, or keep the broadcast as a view.`,
    )
  }
}

// Writes numbers that a rule gives for each position, each rounded to the type once.
import { type DType, isHalf } from '../../dtype/dtype.ts'
import { toStored } from '../../dtype/element.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { freshTensor } from '../result.ts'

/** A vector whose element i is `at(i)`, a value that the type is known to hold. */
export function numbersAt(dtype: DType, count: number, at: (i: number) => unknown): Tensor {
  const made = freshTensor(dtype, [count])
  const { offset } = made.layout
  const storage = made.storage as unknown[]
  // Typed arrays round by themselves; 16-bit floats are bit patterns.
  if (isHalf(dtype)) for (let i = 0; i < count; i++) storage[offset + i] = toStored(dtype, at(i))
  else for (let i = 0; i < count; i++) storage[offset + i] = at(i)
  return made
}

// Where an operand lies while its loops run: in its own array, or where it was copied to.
import type { TypedArray } from '../../dtype/dtype.ts'

/** An operand as loops see it. */
export interface Located {
  readonly array: TypedArray
  /** The memory that its address counts in. */
  memory: ArrayBufferLike
  /** Position of its first element in the array. */
  readonly first: number
  readonly width: number
  /** Address of its first element, and its strides there, in elements. */
  address: number
  strides: readonly number[]
}

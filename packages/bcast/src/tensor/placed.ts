// Elements where they lie, and whether they still do. Tensors share the arrays that callers give them, and a
// caller may later resize or transfer the buffer; every use of the elements asks here first.
import type { Storage } from '../dtype/dtype.ts'
import { OperandError } from '../errors/index.ts'
import type { Shape } from '../shape/dim.ts'
import { extent, type Layout } from './layout.ts'

/** Elements in an array, seen in some shape. */
export interface Placed {
  readonly storage: Storage
  readonly offset: number
  readonly strides: readonly number[]
}

/** Throws when an array no longer holds what its tensor's layout speaks of. */
export function checkReach(shape: Shape, { storage, offset, strides }: Placed): void {
  const reached = extent({ shape, strides, offset })
  if (reached === undefined || reached.high < storage.length) return
  throw new OperandError(
    `an array of ${storage.length} elements lies under a tensor that reaches element ${reached.high}: its buffer was resized or transferred after the tensor was made. Make a new tensor.`,
  )
}

/** Elements and how they lie: what computations look at of a tensor. */
export interface Lying {
  readonly storage: Storage
  readonly layout: Layout
}

export const placedOf = ({ storage, layout: { offset, strides } }: Lying): Placed => ({ storage, offset, strides })

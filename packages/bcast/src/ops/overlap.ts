// Whether a result written into a given tensor would run over its own operands. Tensors may share memory as views of
// one storage, as typed arrays over one buffer, or as blocks of the arena seen through buffers of different age.

import { shareMemory } from '../backend/backends.ts'
import type { TypedArray } from '../dtype/dtype.ts'
import { extent, type Layout } from '../tensor/layout.ts'
import type { Tensor } from '../tensor/tensor.ts'

const position = ({ byteOffset, BYTES_PER_ELEMENT: width }: TypedArray, element: number): number =>
  byteOffset + element * width

/** Whether `out` and an operand, seen through a layout, may have elements in common. */
export function overlaps(out: Tensor, input: Tensor, seen: Layout): boolean {
  const [a, b] = [out.storage, input.storage]
  const [p, q] = [extent(out.layout), extent(seen)]
  if (p === undefined || q === undefined) return false
  if (Array.isArray(a) || Array.isArray(b)) return a === b && p.low <= q.high && q.low <= p.high
  if (!shareMemory(a, b)) return false
  return position(a, p.low) < position(b, q.high + 1) && position(b, q.low) < position(a, p.high + 1)
}

/**
 * Whether writing `out` element by element could change an operand before it is read. The same elements in the same
 * order are safe, since each is read before it is written, unless operands are `reread` afterwards.
 */
export function wouldClobber(out: Tensor, input: Tensor, seen: Layout, reread: boolean): boolean {
  if (!overlaps(out, input, seen)) return false
  const [a, b] = [out.storage, input.storage]
  const sameElements =
    a === b ||
    (!Array.isArray(a) &&
      !Array.isArray(b) &&
      a.byteOffset === b.byteOffset &&
      a.BYTES_PER_ELEMENT === b.BYTES_PER_ELEMENT)
  const inOrder =
    out.layout.offset === seen.offset &&
    out.shape.every((size, axis) => size === 1 || out.layout.strides[axis] === seen.strides[axis])
  return reread || !sameElements || !inOrder
}

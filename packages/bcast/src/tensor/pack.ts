// Copies the elements of a layout into row-major order: what `data` gives where the storage itself will not do.
import { asIntegers, type Storage } from '../dtype/dtype.ts'
import { elementCount } from '../shape/dim.ts'
import { isRowMajor, type Layout } from './layout.ts'

/** From this many elements on the platform's own way of copying is faster. */
const LONG = 64

/** Copies elements to `first` and behind. They are moved, never interpreted, so every bit is kept. */
export function pack<T extends Storage>(layout: Layout, from: T, to: T, first = 0): T {
  move(layout, asIntegers(from), asIntegers(to), first)
  return to
}

function move(layout: Layout, from: Storage, to: Storage, first: number): void {
  const { shape, strides, offset } = layout
  const rank = shape.length
  const count = elementCount(shape)
  if (count >= LONG && isRowMajor(layout) && 'set' in to && 'set' in from) {
    to.set(from.subarray(offset, offset + count) as never, first)
    return
  }
  if (count === 0) return
  if (rank === 0) {
    to[first] = from[offset]!
    return
  }
  const inner = shape[rank - 1]!
  const step = strides[rank - 1]!
  const index = new Array<number>(rank).fill(0)
  let source = offset
  for (let at = first; ; at += inner) {
    for (let i = 0, p = source; i < inner; i++, p += step) to[at + i] = from[p]!
    let axis = rank - 2
    for (; axis >= 0; axis--) {
      source += strides[axis]!
      if (++index[axis]! < shape[axis]!) break
      source -= strides[axis]! * shape[axis]!
      index[axis] = 0
    }
    if (axis < 0) return
  }
}

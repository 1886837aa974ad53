// Copies the elements of a layout into row-major order: what `data` gives where the storage itself will not do.
import { asIntegers, type Storage } from '../dtype/dtype.ts'
import type { Layout } from './layout.ts'

/** Elements are moved, never interpreted, so every bit is kept. */
export function pack<T extends Storage>(layout: Layout, from: T, to: T): T {
  move(layout, asIntegers(from), asIntegers(to))
  return to
}

function move({ shape, strides, offset }: Layout, from: Storage, to: Storage): void {
  const rank = shape.length
  if (shape.includes(0)) return
  if (rank === 0) {
    to[0] = from[offset]!
    return
  }
  const inner = shape[rank - 1]!
  const step = strides[rank - 1]!
  const index = new Array<number>(rank).fill(0)
  let source = offset
  for (let at = 0; ; at += inner) {
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

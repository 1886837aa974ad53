// Positions of elements along several axes taken as one.
import { elementCount, type Shape } from '../shape/dim.ts'

/** Axes of an operand, with their strides. */
export interface Axes {
  readonly shape: Shape
  readonly strides: readonly number[]
}

/** How far from the first element each one lies, in row-major order. */
export function offsetsOf({ shape, strides }: Axes): Int32Array {
  const offsets = new Int32Array(elementCount(shape))
  let filled = Math.min(1, offsets.length)
  for (let axis = shape.length - 1; axis >= 0 && filled > 0; axis--) {
    const inner = filled
    for (let i = 1; i < shape[axis]!; i++) {
      for (let at = 0; at < inner; at++) offsets[filled++] = offsets[at]! + i * strides[axis]!
    }
  }
  return offsets
}

// A computation cut into chunks, each the same computation over part of the result: so that copies of operands stay
// small, or so that a long computation can pause.
import type { Shape } from '../shape/dim.ts'

export interface Part {
  readonly shape: Shape
  /** How far each operand's first element moves. */
  readonly shifts: readonly number[]
}

/** Halves `shape` along the axis that is chosen until it fits; chunks come in the order of that axis. */
export function* chunks(
  shape: Shape,
  strides: readonly (readonly number[])[],
  fits: (shape: Shape) => boolean,
  axisOf: (shape: Shape) => number,
  shifts: readonly number[] = strides.map(() => 0),
): Generator<Part> {
  if (fits(shape)) {
    yield { shape, shifts }
    return
  }
  const axis = axisOf(shape)
  const size = shape[axis]!
  const half = Math.ceil(size / 2)
  for (const begin of [0, half]) {
    const moved = shifts.map((shift, i) => shift + begin * strides[i]![axis]!)
    const count = begin === 0 ? half : size - half
    yield* chunks(shape.with(axis, count), strides, fits, axisOf, moved)
  }
}

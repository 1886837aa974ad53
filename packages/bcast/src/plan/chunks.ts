// A computation cut into chunks, each the same computation over part of the result: so that copies of operands stay
// small, or so that a long computation can pause.
import type { Shape } from '../shape/dim.ts'
import type { Call } from './call.ts'
import { elementsIn } from './staging.ts'

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

/** Bytes that the copies of a chunk may take where all are made before anything runs. */
const COPIED_BYTES = 1 << 23

/** The chunks of a call: as few as are small enough; where nobody waits for it, each needs few copies. */
export function chunksOf(call: Call, now: boolean, isSmall: (part: Shape) => boolean): Iterable<Part> {
  return now ? halved(call, isSmall, firstAxis) : chunksForCopies(call, isSmall)
}

const halved = (
  { shape, operands }: Call,
  fits: (part: Shape) => boolean,
  axisOf: (part: Shape) => number,
): Iterable<Part> =>
  chunks(
    shape,
    operands.map(({ strides }) => strides),
    fits,
    axisOf,
  )

const firstAxis = (part: Shape): number => part.findIndex((size) => size > 1)

/** Chunks of which each needs few copies; a single one where all operands lie in the kernels' memory. */
function chunksForCopies(call: Call, isSmall: (part: Shape) => boolean): Iterable<Part> {
  const { shape, operands } = call
  const result = operands.at(-1)!
  // Kernels write elements that lie side by side; a result that has none is copied wherever it lies.
  const scattered = !result.strides.some((stride, axis) => shape[axis]! > 1 && Math.abs(stride) === 1)
  const copied = operands.filter((operand) => !operand.resident || (scattered && operand === result))
  const bytes = (part: Shape): number =>
    copied.reduce((sum, { strides, width }) => sum + elementsIn(part, strides) * width, 0)
  // The axis farthest out in the result's memory along which copies get smaller.
  const copiesAxis = (part: Shape): number =>
    part.reduce((best, size, axis) => {
      const shrinks = size > 1 && copied.some(({ strides }) => strides[axis] !== 0)
      return shrinks && (best < 0 || Math.abs(result.strides[axis]!) > Math.abs(result.strides[best]!)) ? axis : best
    }, -1)
  const fewCopies = (part: Shape): boolean => bytes(part) <= COPIED_BYTES || copiesAxis(part) < 0
  return halved(
    call,
    (part) => fewCopies(part) && isSmall(part),
    (part) => (fewCopies(part) ? firstAxis(part) : copiesAxis(part)),
  )
}

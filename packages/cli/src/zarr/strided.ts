// Rectangular parts of arrays in memory, moved from any strides to any others. Elements move as integers: a NaN that is
// read as a float may lose bits.
import { type Words, wordsOf } from '../files/blocks/transpose.ts'
import type { TypedArray } from '../files/element.ts'

/** Where a part lies: its first element and how far apart its neighbours on each axis are, in elements. */
export interface Place {
  readonly start: number
  readonly strides: readonly number[]
}

/** Strides of `sizes` whose axes are stored in an order: axis i of the stored elements is axis `order[i]`. */
export function stridesOf(sizes: readonly number[], order?: readonly number[]): number[] {
  const strides = sizes.map(() => 1)
  let stride = 1
  for (let i = sizes.length - 1; i >= 0; i--) {
    const axis = order === undefined ? i : order[i]!
    strides[axis] = stride
    stride *= sizes[axis]!
  }
  return strides
}

export const offsetOf = (strides: readonly number[], index: readonly number[]): number =>
  index.reduce((sum, i, axis) => sum + i * strides[axis]!, 0)

/** One loop of a move. */
interface Axis {
  readonly size: number
  readonly from: number
  readonly to: number
}

/** The fewest loops, the innermost last; axes that lie one behind the other on both sides are one. */
function loopsOf(sizes: readonly number[], from: readonly number[], to: readonly number[], words: number): Axis[] {
  const loops: Axis[] = []
  for (let axis = 0; axis < sizes.length; axis++) {
    if (sizes[axis] === 1) continue
    const loop = { size: sizes[axis]!, from: from[axis]! * words, to: to[axis]! * words }
    const outer = loops.at(-1)
    if (outer !== undefined && outer.from === loop.size * loop.from && outer.to === loop.size * loop.to) {
      loops[loops.length - 1] = { ...loop, size: outer.size * loop.size }
    } else loops.push(loop)
  }
  return loops
}

/** Runs of as many words are moved by the system, shorter ones by a loop. */
const LONG_RUN = 32
/** Elements of a tile on each side, of those that are turned: two tiles stay in the fastest cache. */
const TILE = 32

function moveRun(
  from: Words,
  at: number,
  to: Words,
  into: number,
  { size, from: step, to: stride }: Axis,
  words: number,
) {
  if (step === words && stride === words) {
    const length = size * words
    if (length >= LONG_RUN) to.set(from.subarray(at, at + length), into)
    else for (let i = 0; i < length; i++) to[into + i] = from[at + i]!
    return
  }
  for (let i = 0, read = at, write = into; i < size; i++, read += step, write += stride) {
    to[write] = from[read]!
    if (words === 2) to[write + 1] = from[read + 1]!
  }
}

/** Two axes of which each is the fast one on its side, tile by tile. */
function movePlane(from: Words, at: number, to: Words, into: number, rows: Axis, columns: Axis, words: number): void {
  for (let top = 0; top < rows.size; top += TILE) {
    const bottom = Math.min(rows.size, top + TILE)
    for (let left = 0; left < columns.size; left += TILE) {
      const part = { ...columns, size: Math.min(TILE, columns.size - left) }
      for (let row = top; row < bottom; row++) {
        const [read, write] = [at + row * rows.from + left * columns.from, into + row * rows.to + left * columns.to]
        moveRun(from, read, to, write, part, words)
      }
    }
  }
}

function move(from: Words, at: number, to: Words, into: number, loops: readonly Axis[], words: number): void {
  const [outer, ...inner] = loops
  if (outer === undefined) moveRun(from, at, to, into, { size: 1, from: words, to: words }, words)
  else if (inner.length === 0) moveRun(from, at, to, into, outer, words)
  else if (inner.length === 1 && inner[0]!.from > outer.from) movePlane(from, at, to, into, outer, inner[0]!, words)
  else for (let i = 0; i < outer.size; i++) move(from, at + i * outer.from, to, into + i * outer.to, inner, words)
}

/** Moves a part of `sizes` from one place to another. */
export function moveBlock(
  sizes: readonly number[],
  source: TypedArray,
  from: Place,
  target: TypedArray,
  to: Place,
): void {
  if (sizes.includes(0)) return
  const words = source.BYTES_PER_ELEMENT === 8 ? 2 : 1
  let loops = loopsOf(sizes, from.strides, to.strides, words)
  // The axis that is fast where elements are read goes next to the one that is fast where they are written.
  const fast = loops.findIndex((loop) => loop.from === words)
  if (fast >= 0 && fast < loops.length - 2) {
    loops = [...loops.slice(0, fast), ...loops.slice(fast + 1, -1), loops[fast]!, loops.at(-1)!]
  }
  move(wordsOf(source), from.start * words, wordsOf(target), to.start * words, loops, words)
}

/** Gives every element of a part one value. */
export function fillBlock(sizes: readonly number[], value: TypedArray, target: TypedArray, to: Place): void {
  if (sizes.includes(0)) return
  const words = value.BYTES_PER_ELEMENT === 8 ? 2 : 1
  const loops = loopsOf(
    sizes,
    sizes.map(() => 0),
    to.strides,
    words,
  )
  const inner = loops.at(-1)
  if (inner === undefined || inner.to !== words) {
    move(wordsOf(value), 0, wordsOf(target), to.start * words, loops, words)
    return
  }
  const bits = bitsOf(value)
  const all = bitsOf(target)
  const rows = (outer: readonly Axis[], start: number): void => {
    const [loop, ...others] = outer
    if (loop === undefined) (all as Uint8Array).fill(bits[0] as number, start, start + inner.size)
    else for (let i = 0; i < loop.size; i++) rows(others, start + (i * loop.to) / words)
  }
  rows(loops.slice(0, -1), to.start)
}

/** Elements as integers of their own width. */
export function bitsOf({ buffer, byteOffset, length, BYTES_PER_ELEMENT: width }: TypedArray): TypedArray {
  if (width === 1) return new Uint8Array(buffer, byteOffset, length)
  if (width === 2) return new Uint16Array(buffer, byteOffset, length)
  return width === 4 ? new Uint32Array(buffer, byteOffset, length) : new BigUint64Array(buffer, byteOffset, length)
}

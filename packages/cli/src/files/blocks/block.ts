// A rectangular part of an array, read in row-major order whatever the order of the file. Where its runs are short and
// lie close together, longer stretches are read that hold many of them, and the runs are picked out in memory.
import { bytesPerElement, countOf, elementsOver, newElements, type TypedArray } from '../element.ts'
import type { ArraySource } from '../source.ts'
import { Slots } from './slots.ts'
import { transposeInto, type Words, wordsOf } from './transpose.ts'

/** Reads of the system that are under way at a time. */
const AT_ONCE = 8
/** Bytes that cost less to read than a read of their own behind them. */
const GAP_BYTES = 2 ** 16
const STRETCH_BYTES = 2 ** 17
/** Runs of as many words are moved by the system, shorter ones by a loop. */
const LONG_RUN = 32

/** One loop over stored elements: `count` steps that lie `stride` apart. */
interface Loop {
  readonly count: number
  readonly stride: number
}

/** How a block lies in its file: loops around runs of `length` elements, the slowest first. */
interface Layout {
  readonly start: number
  readonly loops: readonly Loop[]
  readonly length: number
}

/** The fewest loops for a block of an array in row-major order of `shape`. */
function layoutOf(shape: readonly number[], begin: readonly number[], sizes: readonly number[]): Layout {
  const loops: Loop[] = []
  let [start, length, stride] = [0, 1, 1]
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const count = sizes[axis]!
    const inner = loops[0]
    start += begin[axis]! * stride
    if (inner === undefined && stride === length) length *= count
    else if (inner !== undefined && inner.count * inner.stride === stride)
      loops[0] = { ...inner, count: inner.count * count }
    else if (count > 1) loops.unshift({ count, stride })
    stride *= shape[axis]!
  }
  return { start, loops, length }
}

/** Elements from the first to the last that the loops pass. */
const extent = (loops: readonly Loop[], length: number): number =>
  loops.reduce((sum, { count, stride }) => sum + (count - 1) * stride, length)

/** How many of the loops, from the outside, go from read to read; the others pass what lies close together. */
function readsApart({ loops, length }: Layout, width: number): number {
  let apart = loops.length
  for (; apart > 0; apart--) {
    const bytes = extent(loops.slice(apart), length) * width
    if (bytes > STRETCH_BYTES || loops[apart - 1]!.stride * width - bytes > GAP_BYTES) break
  }
  return apart
}

/** Moves the runs that loops pass from `at` on to `into`, one behind the other, and says where they end; all in words. */
function pick(
  from: Words,
  at: number,
  loops: readonly Loop[],
  length: number,
  to: Words,
  into: number,
  depth = 0,
): number {
  const { count, stride } = loops[depth]!
  let end = into
  if (depth < loops.length - 1) {
    for (let i = 0; i < count; i++) end = pick(from, at + i * stride, loops, length, to, end, depth + 1)
  } else if (length === 1) {
    for (let i = 0, read = at; i < count; i++, read += stride) to[end++] = from[read]!
  } else if (length < LONG_RUN) {
    for (let i = 0; i < count; i++) {
      for (let read = at + i * stride, last = read + length; read < last; read++) to[end++] = from[read]!
    }
  } else {
    for (let i = 0; i < count; i++, end += length) {
      to.set(from.subarray(at + i * stride, at + i * stride + length), end)
    }
  }
  return end
}

/** Memory for stretches, kept for the next block: as garbage it would pile up long before it is collected. */
const spare: ArrayBuffer[] = []

/** Every way through the outer loops, as the place where its elements begin. */
function* starts(start: number, loops: readonly Loop[]): Generator<number> {
  const [loop, ...inner] = loops
  if (loop === undefined) yield start
  else for (let i = 0; i < loop.count; i++) yield* starts(start + i * loop.stride, inner)
}

async function readStretches(
  source: ArraySource,
  { start, loops, length }: Layout,
  apart: number,
  target: TypedArray,
): Promise<void> {
  const width = bytesPerElement(source.dtype)
  const [{ count, stride }, ...inner] = loops.slice(apart) as [Loop, ...Loop[]]
  const each = extent(inner, length)
  const together = Math.min(count, 1 + Math.floor((STRETCH_BYTES / width - each) / stride))
  const picked = countOf(inner.map((loop) => loop.count)) * length
  const to = wordsOf(target)
  const words = to.length / target.length
  const inWords = (here: number): Loop[] =>
    [{ count: here, stride }, ...inner].map((loop) => ({ count: loop.count, stride: loop.stride * words }))
  const scratch = spare.pop() ?? new ArrayBuffer(AT_ONCE * STRETCH_BYTES)
  const slots = new Slots(AT_ONCE)
  let into = 0
  try {
    for (const outer of starts(start, loops.slice(0, apart))) {
      for (let first = 0; first < count; first += together) {
        const here = Math.min(together, count - first)
        const at = into
        into += here * picked
        await slots.run(async (slot) => {
          const stretch = elementsOver(source.dtype, scratch, slot * STRETCH_BYTES, (here - 1) * stride + each)
          await source.read(outer + first * stride, stretch)
          pick(wordsOf(stretch), 0, inWords(here), length * words, to, at * words)
        })
      }
    }
  } finally {
    await slots.end().finally(() => spare.push(scratch))
  }
}

async function readRuns(source: ArraySource, { start, loops, length }: Layout, target: TypedArray): Promise<void> {
  const slots = new Slots(AT_ONCE)
  let into = 0
  try {
    for (const at of starts(start, loops)) {
      const run = target.subarray(into, into + length)
      into += length
      await slots.run(() => source.read(at, run))
    }
  } finally {
    await slots.end()
  }
}

/** A block of an array that lies in row-major order of `shape`, in that order. */
async function readStored(
  source: ArraySource,
  shape: readonly number[],
  begin: readonly number[],
  sizes: readonly number[],
  target: TypedArray,
): Promise<void> {
  if (target.length === 0) return
  const layout = layoutOf(shape, begin, sizes)
  const apart = readsApart(layout, bytesPerElement(source.dtype))
  if (apart === layout.loops.length) return readRuns(source, layout, target)
  return readStretches(source, layout, apart, target)
}

/**
 * Fills `target` with the elements whose indices run from `begin` to `end` (exclusive) on every axis, in row-major
 * order of the block. The source must be seekable; a block of a column-major source takes as much memory again.
 */
export async function readBlock(
  source: ArraySource,
  begin: readonly number[],
  end: readonly number[],
  target: TypedArray,
): Promise<void> {
  if (source.readBlock !== undefined) return source.readBlock(begin, end, target)
  const sizes = begin.map((from, axis) => end[axis]! - from)
  if (source.order === 'row-major') return readStored(source, source.shape, begin, sizes, target)
  // In column-major order an array lies like its transpose in row-major order.
  const stored = newElements(source.dtype, target.length)
  await readStored(source, source.shape.toReversed(), begin.toReversed(), sizes.toReversed(), stored)
  transposeInto(stored, sizes, target)
}

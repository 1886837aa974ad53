// A rectangular part of an array, read in row-major order whatever the order of the file.
import { bytesPerElement, countOf, newElements, type TypedArray } from './element.ts'
import type { ArraySource } from './source.ts'
import { transposeInto } from './transpose.ts'

/** Reads of the system that are under way at a time. */
const AT_ONCE = 8
/** Runs shorter than this are read together with what lies between them, where that is not much. */
const SHORT_BYTES = 2 ** 14
const SCRATCH_BYTES = 2 ** 20

/** `count` runs of `length` stored elements, `stride` apart. */
interface Runs {
  readonly start: number
  readonly length: number
  readonly stride: number
  readonly count: number
}

/** Reads stretches that hold several runs and what lies between, and keeps the runs. */
async function readCovering(source: ArraySource, runs: Runs, target: TypedArray): Promise<void> {
  const { start, length, stride, count } = runs
  const together = Math.max(1, Math.floor(SCRATCH_BYTES / bytesPerElement(source.dtype) / stride))
  const scratch = newElements(source.dtype, (Math.min(together, count) - 1) * stride + length)
  for (let first = 0; first < count; first += together) {
    const here = Math.min(together, count - first)
    const stretch = scratch.subarray(0, (here - 1) * stride + length)
    await source.read(start + first * stride, stretch)
    for (let i = 0; i < here; i++) {
      // Both have the type of the source.
      const run = stretch.subarray(i * stride, i * stride + length) as Uint8Array
      ;(target as Uint8Array).set(run, (first + i) * length)
    }
  }
}

async function readRuns(source: ArraySource, runs: Runs, target: TypedArray): Promise<void> {
  const { start, length, stride, count } = runs
  const width = bytesPerElement(source.dtype)
  if (count === 1 || length === stride) return source.read(start, target)
  if (length * width < SHORT_BYTES && stride * width < 4 * SHORT_BYTES) return readCovering(source, runs, target)
  for (let first = 0; first < count; first += AT_ONCE) {
    const here = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, i) => first + i)
    await Promise.all(here.map((i) => source.read(start + i * stride, target.subarray(i * length, (i + 1) * length))))
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
  const strides = shape.map((_, axis) => countOf(shape.slice(axis + 1)))
  const origin = begin.reduce((sum, index, axis) => sum + index * strides[axis]!, 0)
  // Axes behind the last that is read in part are read whole, so a run reaches over them.
  const partial = shape.findLastIndex((size, axis) => sizes[axis] !== size)
  const length = partial < 0 ? target.length : countOf(sizes.slice(partial))
  const around = Math.max(0, partial - 1)
  const count = partial > 0 ? sizes[around]! : 1
  const stride = partial > 0 ? strides[around]! : length
  const outer = sizes.slice(0, around)
  const index = outer.map(() => 0)
  for (let done = 0; done < target.length; done += length * count) {
    const start = origin + index.reduce((sum, i, axis) => sum + i * strides[axis]!, 0)
    await readRuns(source, { start, length, stride, count }, target.subarray(done, done + length * count))
    for (let axis = outer.length - 1; axis >= 0 && ++index[axis]! === outer[axis]; axis--) index[axis] = 0
  }
}

/**
 * Fills `target` with the elements whose indices run from `begin` to `end` (exclusive) on every axis, in row-major order of the block.
 * The source must be seekable; a block of a column-major source takes as much memory again.
 */
export async function readBlock(
  source: ArraySource,
  begin: readonly number[],
  end: readonly number[],
  target: TypedArray,
): Promise<void> {
  const sizes = begin.map((from, axis) => end[axis]! - from)
  if (source.order === 'row-major') return readStored(source, source.shape, begin, sizes, target)
  // In column-major order an array lies like its transpose in row-major order.
  const stored = newElements(source.dtype, target.length)
  await readStored(source, source.shape.toReversed(), begin.toReversed(), sizes.toReversed(), stored)
  transposeInto(stored, sizes, target)
}

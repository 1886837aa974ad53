// Two arrays of one shape in pieces that hold the same elements. Where both lie in one order, the pieces are runs of
// it; else they are tiles: of whole chunks where an array has them, or with long runs in either order. The next piece is
// read while one is compared.
import { readBlock } from '../files/blocks/block.ts'
import { countOf, newElements, type TypedArray } from '../files/element.ts'
import { type ArraySource, isInRows } from '../files/source.ts'
import { isZarr } from '../zarr/array.ts'
import { type Part, partsOf } from '../zarr/grid.ts'

export interface Piece {
  readonly a: TypedArray
  readonly b: TypedArray
  /** Position in row-major order of the whole array. */
  readonly positionOf: (i: number) => number
}

/** Reads one place after another; each lands in one of two pairs of buffers, so that two can be under way. */
async function* readAhead<P>(
  places: Iterable<P>,
  read: (place: P, buffers: 0 | 1) => Promise<Piece>,
): AsyncGenerator<Piece> {
  const iterator = places[Symbol.iterator]()
  let turn: 0 | 1 = 1
  const begin = (): Promise<Piece> | undefined => {
    const { done, value } = iterator.next()
    turn = turn === 0 ? 1 : 0
    return done ? undefined : read(value, turn)
  }
  for (let next = begin(); next !== undefined; ) {
    const ready = await next
    next = begin()
    // Whoever stops early has an error of its own to tell.
    next?.catch(() => {})
    yield ready
  }
}

type Pair = readonly [TypedArray, TypedArray]

const pairs = ({ dtype }: ArraySource, length: number): readonly [Pair, Pair] => [
  [newElements(dtype, length), newElements(dtype, length)],
  [newElements(dtype, length), newElements(dtype, length)],
]

/** A position in column-major order as one in row-major order. */
function toRowMajor(shape: readonly number[], position: number): number {
  const index = shape.map((size) => {
    const i = position % size
    position = Math.floor(position / size)
    return i
  })
  return linear(shape, index)
}

const linear = (shape: readonly number[], index: readonly number[]): number =>
  index.reduce((sum, i, axis) => sum * shape[axis]! + i, 0)

/** The index of a position in row-major order. */
export function indexOf(shape: readonly number[], position: number): number[] {
  const index = new Array<number>(shape.length)
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    index[axis] = position % shape[axis]!
    position = Math.floor(position / shape[axis]!)
  }
  return index
}

function runs(a: ArraySource, b: ArraySource, limit: number): AsyncGenerator<Piece> {
  const count = countOf(a.shape)
  const length = Math.min(limit, count)
  const buffers = pairs(a, length)
  const starts = Array.from({ length: Math.ceil(count / length) || 0 }, (_, piece) => piece * length)
  return readAhead(starts, async (start, which) => {
    const [intoA, intoB] = buffers[which].map((buffer) => buffer.subarray(0, Math.min(length, count - start)))
    await Promise.all([a.read(start, intoA!), b.read(start, intoB!)])
    const positionOf =
      a.order === 'row-major' ? (i: number) => start + i : (i: number) => toRowMajor(a.shape, start + i)
    return { a: intoA!, b: intoB!, positionOf }
  })
}

/**
 * Sizes of tiles: the last axes, along which one array lies, and the first, along which the other does, grow in turn.
 */
export function tileSizes(shape: readonly number[], limit: number): number[] {
  const sizes = shape.map(() => 1)
  for (let turn = 0, stuck = 0; stuck < 2; turn++) {
    const open = (size: number, axis: number): boolean => sizes[axis]! < size
    const axis = turn % 2 === 0 ? shape.findLastIndex(open) : shape.findIndex(open)
    if (axis < 0) break
    const grown = Math.min(shape[axis]!, 2 * sizes[axis]!)
    if ((countOf(sizes) / sizes[axis]!) * grown > limit) stuck++
    else {
      sizes[axis] = grown
      stuck = 0
    }
  }
  return sizes
}

/** Sizes of tiles of whole chunks, as many as there may be, the last axes first; parts of one that is too large. */
export function chunkTiles(shape: readonly number[], chunks: readonly number[], limit: number): number[] {
  const sizes = shape.map((size, axis) => Math.min(size, chunks[axis]!))
  if (countOf(sizes) > limit) return tileSizes(sizes, limit)
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const most = Math.floor(limit / (countOf(sizes) / sizes[axis]!))
    if (most < shape[axis]!) {
      sizes[axis] = Math.max(sizes[axis]!, most - (most % chunks[axis]!))
      break
    }
    sizes[axis] = shape[axis]!
  }
  return sizes
}

/** The shape of what is decoded at once, where that is no run of elements. */
export const unitOf = (source: ArraySource): readonly number[] | undefined =>
  isZarr(source) ? source.inner : source.chunks

/** The tiles of all cells, one cell after the other: what a tile needs of a large chunk is there for the next. */
function* tilesIn(shape: readonly number[], cells: readonly number[], sizes: readonly number[]): Generator<Part> {
  const origin = shape.map(() => 0)
  for (const { begin, end } of partsOf(origin, shape, cells)) yield* partsOf(begin, end, sizes)
}

function tiles(a: ArraySource, b: ArraySource, limit: number): AsyncGenerator<Piece> {
  const { shape } = a
  const chunks = unitOf(a) ?? unitOf(b)
  const sizes = chunks === undefined ? tileSizes(shape, limit) : chunkTiles(shape, chunks, limit)
  const cells = sizes.map((size, axis) => Math.max(size, chunks?.[axis] ?? 1))
  const buffers = pairs(a, countOf(sizes))
  return readAhead(tilesIn(shape, cells, sizes), async ({ begin, end }, which) => {
    const block = begin.map((from, axis) => end[axis]! - from)
    const [intoA, intoB] = buffers[which].map((buffer) => buffer.subarray(0, countOf(block)))
    await Promise.all([readBlock(a, begin, end, intoA!), readBlock(b, begin, end, intoB!)])
    const positionOf = (i: number): number =>
      linear(
        shape,
        indexOf(block, i).map((inside, axis) => begin[axis]! + inside),
      )
    return { a: intoA!, b: intoB!, positionOf }
  })
}

/** Whether two arrays are compared in tiles, so that both must be seekable. */
export const isTiled = (a: ArraySource, b: ArraySource): boolean => a.order !== b.order || !isInRows(a) || !isInRows(b)

/** All elements of two arrays of one type and shape, at most `limit` of each at a time. */
export const piecesOf = (a: ArraySource, b: ArraySource, limit: number): AsyncGenerator<Piece> =>
  isTiled(a, b) ? tiles(a, b, limit) : runs(a, b, limit)

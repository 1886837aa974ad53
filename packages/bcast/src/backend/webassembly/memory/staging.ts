// Operands that lie outside the kernels' memory are copied into it: small ones whole, large ones in tiles that fit the
// cache, so that a computation needs no more memory than its operands and its result.
import type { TypedArray } from '../../../dtype/dtype.ts'
import { elementsIn, type Packing, packing, roomFor, tileSizes } from '../../../plan/staging.ts'
import type { Arena } from './arena.ts'
import { move } from './copy.ts'

/** Bytes of an operand that are copied at once: with two or three operands a tile stays in the second-level cache. */
const TILE = 1 << 16
/** Kernels read whole vectors, so they may read this far past a copy's last element. */
export const SLACK = 256

/** An operand as loops see it. */
export interface Cursor {
  readonly array: TypedArray
  /** Bytes of an element. */
  readonly width: number
  /** Stride in each loop, in elements. */
  readonly strides: readonly number[]
  /** Position of the first element in `array`. */
  readonly first: number
  /** Address of the first element in the kernels' memory; 0 where it lies elsewhere. */
  readonly address: number
  /** Whether kernels need a copy. */
  readonly staged: boolean
}

/** Part of the kernels' memory that copies may use. */
export interface Stage {
  readonly buffer: ArrayBufferLike
  readonly begin: number
  readonly end: number
}

/** Where operands lie in the kernels' memory. */
export const addressesOf = (cursors: readonly Cursor[]): number[] => cursors.map(({ address }) => address)

/** Computes loops over operands that all have addresses; gives whether every element had a value. */
export type Compute = (sizes: readonly number[], cursors: readonly Cursor[]) => boolean

const aligned = (address: number): number => Math.ceil(address / 16) * 16

/** A loop in which the copy must have stride 1: kernels write results as whole vectors. */
const unitLoop = (cursors: readonly Cursor[], i: number): number =>
  i === cursors.length - 1 ? cursors[i]!.strides.length - 1 : -1

const copied = (cursor: Cursor, { strides, first }: Packing, at: number): Cursor => ({
  ...cursor,
  strides,
  address: at + first * cursor.width,
  staged: false,
})

/** Computes loops, the result's cursor last: `small` where copying operands whole is enough, else `tile` by tile. */
export function computeStaged(
  { buffer, begin, end }: Stage,
  sizes: readonly number[],
  cursors: readonly Cursor[],
  small: Compute,
  tile: Compute,
): boolean {
  const result = cursors.at(-1)!
  // Half the room is kept for tiles.
  const half = begin + (end - begin) / 2
  let free = begin
  let finish = (): void => {}
  const placed = cursors.map((cursor, i) => {
    if (!cursor.staged) return cursor
    if (elementsIn(sizes, cursor.strides) * cursor.width > TILE) return cursor
    const packed = packing(sizes, cursor.strides, unitLoop(cursors, i))
    const at = aligned(free)
    const past = at + packed.length * cursor.width + SLACK
    if (past > half) return cursor
    free = past
    // A result with gaps is read first, so that what lies between its elements comes back unchanged.
    if (cursor !== result || packed.gaps) move(cursor.array, cursor.first, packed, buffer, at, 'in')
    if (cursor === result) finish = () => move(cursor.array, cursor.first, packed, buffer, at, 'out')
    return copied(cursor, packed, at)
  })
  const stage = { buffer, begin: free, end }
  const done = placed.some(({ staged }) => staged) ? computeTiles(stage, sizes, placed, tile) : small(sizes, placed)
  if (done) finish()
  return done
}

/** Memory for what is prepared ahead of a computation, and what is done after it. */
export interface Ahead {
  room(bytes: number): number
  after(work: () => void): void
}

/** Copies operands whole, long before they are used; the result goes from its copy to its place after everything. */
export function copyWhole(arena: Arena, ahead: Ahead, sizes: readonly number[], cursors: readonly Cursor[]): Cursor[] {
  return cursors.map((cursor, i) => {
    if (!cursor.staged) return cursor
    const { array, first, width, strides } = cursor
    const isResult = i === cursors.length - 1
    // What lies between the result's elements may change before they arrive, so it is not carried along.
    const packed = packing(sizes, strides, unitLoop(cursors, i), isResult ? 1 : undefined)
    const at = ahead.room(packed.length * width)
    if (isResult) ahead.after(() => move(array, first, packed, arena.buffer, at, 'out'))
    else move(array, first, packed, arena.buffer, at, 'in')
    return copied(cursor, packed, at)
  })
}

interface Copy {
  readonly at: number
  packed: Packing
  position: number
}

/** Where the result was copied whole, it is complete only after the last tile. */
function computeTiles(
  { buffer, begin, end }: Stage,
  sizes: readonly number[],
  cursors: readonly Cursor[],
  compute: Compute,
): boolean {
  const share = (end - begin) / cursors.filter(({ staged }) => staged).length - 2 * SLACK
  const limits = cursors.map(({ staged, width }) =>
    staged ? Math.max(1, Math.floor(Math.min(TILE, share / roomFor(1)) / width)) : Infinity,
  )
  const tile = tileSizes(
    sizes,
    cursors.map(({ strides }, i) => ({ strides, limit: limits[i]! })),
  )
  let free = begin
  const copies = cursors.map(({ staged, width }, i): Copy | undefined => {
    if (!staged) return undefined
    const at = aligned(free)
    free = at + roomFor(limits[i]!) * width + SLACK
    return { at, packed: packing([], []), position: -1 }
  })
  const result = cursors.length - 1
  const origin = sizes.map(() => 0)
  let counts: readonly number[] = []
  for (;;) {
    const wanted = sizes.map((size, loop) => Math.min(tile[loop]!, size - origin[loop]!))
    const resized = wanted.some((count, loop) => count !== counts[loop])
    counts = wanted
    const placed = cursors.map((cursor, i) => {
      const { array, strides, first, width, address } = cursor
      const moved = strides.reduce((sum, stride, loop) => sum + stride * origin[loop]!, 0)
      const copy = copies[i]
      if (copy === undefined) return { ...cursor, address: address + moved * width }
      if (resized) copy.packed = packing(counts, strides, unitLoop(cursors, i))
      const { at, packed } = copy
      // A part that several tiles in a row use is copied once.
      const present = copy.position === first + moved
      copy.position = first + moved
      if (i === result ? packed.gaps : !present) move(array, copy.position, packed, buffer, at, 'in')
      return copied(cursor, packed, at)
    })
    if (!compute(counts, placed)) return false
    const written = copies[result]
    if (written !== undefined) move(cursors[result]!.array, written.position, written.packed, buffer, written.at, 'out')
    let loop = sizes.length - 1
    for (; loop >= 0; loop--) {
      origin[loop] = origin[loop]! + tile[loop]!
      if (origin[loop]! < sizes[loop]!) break
      origin[loop] = 0
    }
    if (loop < 0) return true
  }
}

// What is held and what streams, settled before the first byte is read. Arrays that tiles come back to are held whole
// where they fit, so that they are read once; everything else passes through a few buffers, some read or written while
// one is computed with. All of it together stays within the memory that is given.
import type { Shape } from 'bcast'
import { blockBytes, isRevisited, product, type TiledArray, type Tiling, tilingWithin } from './tiles.ts'

export interface PlannedArray extends TiledArray {
  /** Which source it comes from; one source may have several placements. */
  readonly source: number
  /** Whether a tile's part is one run of the source's elements. */
  readonly inRuns: boolean
}

export interface Plan {
  readonly tiling: Tiling
  /** How many tiles are there at a time. */
  readonly buffers: number
  /** Sources that are read whole before the first tile. */
  readonly held: ReadonlySet<number>
  /** Sources that are read once and front to back, so that they need not be able to go back. */
  readonly forward: ReadonlySet<number>
}

/** Bytes of a tile's parts and result together: each tile has a cost of its own, and larger ones leave the caches. */
const TILE = 8 << 20
/** Tiles at a time: one is computed, others are read ahead or being written. */
const BUFFERS = 3
/** Sources this small are held in any case: many short reads would cost more. */
const SMALL = 1 << 20

/**
 * Parts that are not one run are read in pieces as long as the tile is high, with much of what lies between, so tiles
 * are as large as they can be: where memory is little, half the reading is worth more than reading ahead.
 */
const buffersAcross = (room: number): number => (room < 2 * TILE ? 1 : 2)

export function planStream(shape: Shape, arrays: readonly PlannedArray[], width: number, memory: number): Plan {
  const result = { sizes: shape, width }
  const tiling = tilingWithin(shape, [...arrays, result], Math.min(TILE, memory / 2 / BUFFERS))
  const held = new Set<number>()
  let left = memory / 2
  const sources = [...new Set(arrays.map(({ source }) => source))]
  const bytesOf = (source: number): number => {
    const { sizes, width: own } = arrays.find((array) => array.source === source)!
    return product(sizes) * own
  }
  const isWorthHolding = (source: number): boolean => {
    const placements = arrays.filter((array) => array.source === source)
    return (
      placements.length > 1 ||
      bytesOf(source) <= SMALL ||
      placements.some(({ inRuns, sizes }) => !inRuns || isRevisited(shape, sizes, tiling))
    )
  }
  for (const source of sources.toSorted((a, b) => bytesOf(a) - bytesOf(b))) {
    if (!isWorthHolding(source) || bytesOf(source) > left) continue
    held.add(source)
    left -= bytesOf(source)
  }
  const streamed = arrays.filter(({ source }) => !held.has(source))
  const room = left + memory / 2
  const isInRuns = streamed.every(({ inRuns }) => inRuns)
  const buffers = isInRuns ? BUFFERS : buffersAcross(room)
  const limit = Math.min(isInRuns ? TILE : Number.POSITIVE_INFINITY, room / buffers)
  const final = tilingWithin(shape, [...streamed, result], limit)
  const forward = sources.filter((source) => {
    const own = arrays.filter((array) => array.source === source)
    const isOnce = own.length === 1 && own[0]!.inRuns && !isRevisited(shape, own[0]!.sizes, final)
    return held.has(source) || isOnce
  })
  return { tiling: final, buffers, held, forward: new Set(forward) }
}

/** Bytes that a plan holds at most. */
export function bytesHeld(
  shape: Shape,
  arrays: readonly PlannedArray[],
  width: number,
  { tiling, buffers, held }: Plan,
): number {
  const counted = new Set<number>()
  let bytes = buffers * blockBytes({ sizes: shape, width }, tiling)
  for (const array of arrays) {
    if (!held.has(array.source)) bytes += buffers * blockBytes(array, tiling)
    else if (!counted.has(array.source)) bytes += product(array.sizes) * array.width
    counted.add(array.source)
  }
  return bytes
}

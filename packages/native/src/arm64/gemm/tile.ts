// What the kernels of products compute at once with NEON, of whose 32 registers 24 hold sums.
import type { DType, ProductTile } from 'bcast/kernels'
import { plannedTile, type TileSizes } from '../../machine/tile.ts'
import { bytesOf } from '../../machine/types.ts'
import { BYTES } from '../vectors.ts'

export interface Tile extends TileSizes {
  readonly isFloat: boolean
  /** Integers of 64 bits, whose products take several instructions. */
  readonly isLong: boolean
}

/** Tiles of sums of a type. */
export function tileOf(type: DType): Tile {
  const width = bytesOf(type) as 4 | 8
  const isLong = type === 'int64'
  return {
    type,
    width,
    bytes: BYTES,
    lanes: BYTES / width,
    heights: isLong ? [4, 2, 1] : [8, 4, 2, 1],
    vectors: isLong ? 4 : 3,
    isFloat: type === 'float32' || type === 'float64',
    isLong,
  }
}

export function productTile(type: DType): ProductTile {
  const tile = tileOf(type)
  return plannedTile(tile, tile.lanes, { readsEnds: false, finishes: !tile.isLong })
}

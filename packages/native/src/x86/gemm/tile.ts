// What the kernels of products compute at once, for each kind of code.
import type { DType, ProductTile } from 'bcast/kernels'
import { plannedTile, type TileSizes } from '../../machine/tile.ts'
import type { VectorName } from '../forms.ts'
import { named } from '../names.ts'
import type { Bits } from '../registers.ts'
import { BYTES, bytesOf, type Level } from '../vectors.ts'

export interface Tile extends TileSizes {
  readonly bits: Bits
  readonly isWide: boolean
  readonly names: Readonly<Record<'load' | 'store' | 'broadcast' | 'add' | 'clear', VectorName>>
  /** Undefined where products take several instructions. */
  readonly multiply: VectorName | undefined
}

/** Tiles of sums of a type. */
export function tileOf(level: Level, type: DType): Tile {
  const isWide = level === 'avx512'
  const width = bytesOf(type) as 4 | 8
  const isEmulated = type === 'int64' && !isWide
  const suffix = width === 4 ? 'd' : 'q'
  const isFloat = type === 'float32' || type === 'float64'
  return {
    type,
    width,
    bits: isWide ? 512 : 256,
    bytes: BYTES[level],
    lanes: BYTES[level] / width,
    heights: isWide ? [8, 4, 2, 1] : isEmulated ? [4, 2, 1] : [6, 4, 2, 1],
    vectors: isWide ? 3 : 2,
    isWide,
    names: {
      load: isWide ? (width === 4 ? 'vmovdqu32' : 'vmovdqu64') : 'vmovdqu',
      store: isWide ? (width === 4 ? 'vmovdqu32Store' : 'vmovdqu64Store') : 'vmovdquStore',
      broadcast: `vpbroadcast${suffix}`,
      add: named('add', type),
      clear: isWide ? 'vpxord' : 'vpxor',
    },
    multiply: isEmulated ? undefined : named(isFloat ? 'mul' : 'mull', type),
  }
}

export function productTile(level: Level, type: DType): ProductTile {
  const tile = tileOf(level, type)
  // Lines are turned as many at once as 256 bits hold.
  return plannedTile(tile, 32 / tile.width, { readsEnds: tile.isWide, finishes: tile.multiply !== undefined })
}

// What the kernels of products compute at once, for each kind of code: so many rows times so many vectors of columns, that
// sums and what feeds them just fit the registers.
import type { DType, ProductTile } from 'bcast/kernels'
import type { VectorName } from '../forms.ts'
import { named } from '../names.ts'
import type { Bits } from '../registers.ts'
import { BYTES, bytesOf, type Level } from '../vectors.ts'

export interface Tile {
  readonly type: DType
  readonly width: 4 | 8
  readonly bits: Bits
  /** Bytes and elements of a vector. */
  readonly bytes: 32 | 64
  readonly lanes: number
  /** Rows of a strip, then those that what is left of them is taken in. */
  readonly heights: readonly number[]
  /** Vectors of a strip of columns. */
  readonly vectors: number
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

/** The same as the library plans with it. */
export function productTile(level: Level, type: DType): ProductTile {
  const { heights, lanes, vectors, width, isWide, multiply } = tileOf(level, type)
  const rows = heights[0]!
  // Lines are turned as many at once as 256 bits hold.
  const turned = 32 / width
  return {
    rows,
    rowLanes: Math.ceil(rows / turned) * turned,
    columns: vectors * lanes,
    lanes,
    readsEnds: isWide,
    finishes: multiply !== undefined,
  }
}

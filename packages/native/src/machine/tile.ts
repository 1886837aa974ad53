// What the kernels of products compute at once: so many rows times so many vectors of columns, that sums and what feeds
// them just fit the registers of a processor.
import type { DType, ProductTile } from 'bcast/kernels'

export interface TileSizes {
  readonly type: DType
  readonly width: 4 | 8
  /** Bytes and elements of a vector. */
  readonly bytes: 16 | 32 | 64
  readonly lanes: number
  /** Rows of a strip, then those that what is left of them is taken in. */
  readonly heights: readonly number[]
  /** Vectors of a strip of columns. */
  readonly vectors: number
}

/** The same as the library plans with it; lines are packed so many at once that they fill whole groups of `turned`. */
export function plannedTile(
  { heights, lanes, vectors }: TileSizes,
  turned: number,
  can: Pick<ProductTile, 'readsEnds' | 'finishes'>,
): ProductTile {
  const rows = heights[0]!
  return { rows, rowLanes: Math.ceil(rows / turned) * turned, columns: vectors * lanes, lanes, ...can }
}

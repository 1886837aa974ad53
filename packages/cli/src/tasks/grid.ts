// The result cut into the blocks that are stored as one object each: a task computes one of them, by its number in
// row-major order of the grid.
import type { Shape } from 'bcast'
import { product, type Tile } from '../stream/tiles.ts'

/** How many blocks lie along each axis. */
export const gridOf = (shape: Shape, block: Shape): number[] =>
  shape.map((size, axis) => Math.ceil(size / block[axis]!))

/** How many blocks there are; none where there is no element. */
export const countBlocks = (shape: Shape, block: Shape): number => product(gridOf(shape, block))

/** Where a block lies in the grid. */
export function gridIndex(grid: Shape, number: number): number[] {
  const index = grid.map(() => 0)
  let rest = number
  for (let axis = grid.length - 1; axis >= 0; axis--) {
    index[axis] = rest % grid[axis]!
    rest = Math.floor(rest / grid[axis]!)
  }
  return index
}

/** The part of the result that a block covers; at the end of an axis it is cut off. */
export function blockAt(shape: Shape, block: Shape, index: readonly number[]): Tile {
  const origin = index.map((at, axis) => at * block[axis]!)
  return { origin, shape: origin.map((begin, axis) => Math.min(block[axis]!, shape[axis]! - begin)) }
}

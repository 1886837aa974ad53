// The result cut into tiles that follow each other in row-major order: all axes before one are fixed, a run is taken
// along that one, the axes behind it are whole. So output is written front to back, and of an array in row-major order
// each tile needs one run of elements. In column-major order all is the same with the axes turned around.
import type { Shape } from 'bcast'
import type { Order } from '../files/source.ts'

export interface Tiling {
  /** The axis that is cut; -1 where one tile is the whole result. */
  readonly axis: number
  /** Positions along it in one tile. */
  readonly step: number
}

export interface Tile {
  readonly origin: readonly number[]
  readonly shape: Shape
}

export const WHOLE: Tiling = { axis: -1, step: 1 }

/** An array as tiles see it. */
export interface TiledArray {
  /** Its size on each axis of the result: the result's, or 1 where it is stretched or has no such axis. */
  readonly sizes: Shape
  /** Bytes of an element. */
  readonly width: number
}

export const product = (sizes: Shape): number => sizes.reduce((total, size) => total * size, 1)

/** Bytes of the part of an array that a tile needs. */
export const blockBytes = ({ sizes, width }: TiledArray, { axis, step }: Tiling): number =>
  width * product(sizes.map((size, at) => (at < axis ? 1 : at === axis ? Math.min(size, step) : size)))

/** The largest tiles of which all arrays together take at most `limit` bytes, or single elements where that is too little. */
export function tilingWithin(shape: Shape, arrays: readonly TiledArray[], limit: number): Tiling {
  const bytes = (tiling: Tiling): number => arrays.reduce((sum, array) => sum + blockBytes(array, tiling), 0)
  if (bytes(WHOLE) <= limit) return WHOLE
  for (const [axis, size] of shape.entries()) {
    const one = bytes({ axis, step: 1 })
    if (one > limit && axis < shape.length - 1) continue
    // What grows with the step, and what does not.
    const grows = size === 1 ? 0 : bytes({ axis, step: 2 }) - one
    const more = grows === 0 ? size : Math.floor((limit - one) / grows)
    return { axis, step: Math.max(1, Math.min(size, 1 + more)) }
  }
  return WHOLE
}

export function countTiles(shape: Shape, { axis, step }: Tiling): number {
  if (shape.includes(0)) return 0
  return axis < 0 ? 1 : product(shape.slice(0, axis)) * Math.ceil(shape[axis]! / step)
}

/** A tile by its number. */
export function tileAt(shape: Shape, { axis, step }: Tiling, number: number): Tile {
  if (axis < 0) return { origin: shape.map(() => 0), shape }
  const along = Math.ceil(shape[axis]! / step)
  let rest = Math.floor(number / along)
  const begin = (number % along) * step
  const origin = shape.map(() => 0)
  origin[axis] = begin
  for (let at = axis - 1; at >= 0; at--) {
    origin[at] = rest % shape[at]!
    rest = Math.floor(rest / shape[at]!)
  }
  const sizes = shape.map((size, at) => (at < axis ? 1 : at === axis ? Math.min(step, size - begin) : size))
  return { origin, shape: sizes }
}

/** Whether tiles come back to a part of an array after others: it changes inside a loop along which it is stretched. */
export function isRevisited(shape: Shape, sizes: Shape, { axis, step }: Tiling): boolean {
  const loops = shape.map((size, at) => (at < axis ? size : at === axis ? Math.ceil(size / step) : 1))
  const outermost = loops.findIndex((count, at) => count > 1 && sizes[at] === 1)
  return outermost >= 0 && loops.some((count, at) => at > outermost && count > 1 && sizes[at] !== 1)
}

/** Sizes, or anything else by axis, from the axis whose positions lie farthest apart to that of neighbours. */
export const inTurn = <T>(order: Order, axes: readonly T[]): readonly T[] =>
  order === 'row-major' ? axes : axes.toReversed()

/** The tiles of a result, one after the other in its order; each is given on the axes of the result. */
export interface Tiles {
  readonly order: Order
  readonly count: number
  at(number: number): Tile
}

/** `tiling` cuts the axes in turn of the order. */
export function tilesOf(shape: Shape, tiling: Tiling, order: Order): Tiles {
  const turned = inTurn(order, shape)
  return {
    order,
    count: countTiles(turned, tiling),
    at(number) {
      const tile = tileAt(turned, tiling, number)
      return { origin: inTurn(order, tile.origin), shape: inTurn(order, tile.shape) }
    },
  }
}

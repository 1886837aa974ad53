// Operands that lie outside the kernels' memory are copied into it a tile at a time: how large a tile is, and how an
// operand's part of one lies once copied. Copies run along the operand's own memory, whatever the order of the loops.

/** Elements of an operand's fastest axis that a tile holds if it can: several cache lines. */
const RUN = 128
/** A copy may carry this many times the elements it is for: moving a whole stretch beats picking elements out of it. */
const GAPS = 4
/** An operand is read often when at most this many elements of the loops share one of its. */
const OFTEN = 4
/** Elements of a tile, so that calls stay short where an operand repeats and its copy is small. */
const MOST = 1 << 20

/** An operand's part of a tile as it lies in the copy: equal stretches, one after another. */
export interface Packing {
  /** Strides in the copy; where the operand runs backwards, the copy does. */
  readonly strides: readonly number[]
  /** Position of the first element in the copy. */
  readonly first: number
  /** Lowest position of the operand that is copied, counted from its first element. */
  readonly low: number
  /** Elements of the copy. */
  readonly length: number
  /** Elements that lie one after another both in the operand and in the copy. */
  readonly stretch: number
  /** Loops over the stretches from the innermost, with the operand's steps. */
  readonly around: readonly { readonly size: number; readonly step: number }[]
  /** Whether a stretch carries elements that are not the operand's. */
  readonly gaps: boolean
}

/**
 * How an operand lies in a copy of `sizes`; `unit`, if given, is a loop in which the copy has stride 1. The copy carries
 * up to `gaps` times the operand's elements.
 */
export function packing(sizes: readonly number[], own: readonly number[], unit = -1, gaps: number = GAPS): Packing {
  const apart = (loop: number): number => Math.abs(own[loop]!)
  const loops = sizes.map((_, loop) => loop).filter((loop) => sizes[loop] !== 1 && own[loop] !== 0)
  const scattered = loops.includes(unit) && apart(unit) !== 1
  loops.sort((a, b) => (scattered ? Number(b === unit) - Number(a === unit) : 0) || apart(a) - apart(b))
  let stretch = 1
  let elements = 1
  let inside = 0
  for (const loop of scattered ? [] : loops) {
    const reach = stretch + (sizes[loop]! - 1) * apart(loop)
    if (reach > gaps * elements * sizes[loop]!) break
    stretch = reach
    elements *= sizes[loop]!
    inside++
  }
  const strides = sizes.map(() => 0)
  let length = stretch
  loops.forEach((loop, place) => {
    const step = place < inside ? apart(loop) : length
    strides[loop] = own[loop]! < 0 ? -step : step
    if (place >= inside) length *= sizes[loop]!
  })
  const back = (steps: readonly number[]): number =>
    loops.reduce((sum, loop) => (own[loop]! < 0 ? sum - (sizes[loop]! - 1) * steps[loop]! : sum), 0)
  return {
    strides,
    first: back(strides),
    low: 0 - back(own),
    length,
    stretch,
    around: loops.slice(inside).map((loop) => ({ size: sizes[loop]!, step: apart(loop) })),
    gaps: stretch !== elements,
  }
}

/** Elements of an operand in a tile. */
export const elementsIn = (tile: readonly number[], own: readonly number[]): number =>
  tile.reduce((product, size, loop) => (own[loop] === 0 ? product : product * size), 1)

/** The most elements that a packing of so many can hold. */
export const roomFor = (elements: number): number => GAPS * elements

export interface TiledOperand {
  readonly strides: readonly number[]
  /** The most elements of it that a tile may hold. */
  readonly limit: number
}

/**
 * Sizes of the tiles to cut loops into: for each operand a run along its fastest axis, then as much as fits, inner
 * loops first.
 */
export function tileSizes(sizes: readonly number[], operands: readonly TiledOperand[]): number[] {
  const tile = sizes.map(() => 1)
  const fits = (): boolean =>
    elementsIn(tile, sizes) <= MOST && operands.every(({ strides, limit }) => elementsIn(tile, strides) <= limit)
  for (const { strides } of operands) {
    const moving = sizes.map((_, loop) => loop).filter((loop) => strides[loop] !== 0 && sizes[loop] !== 1)
    // An operand that mostly repeats is read rarely, however it lies.
    if (moving.length === 0 || elementsIn(sizes, strides) * OFTEN < elementsIn(sizes, sizes)) continue
    const fastest = moving.reduce((a, b) => (Math.abs(strides[b]!) < Math.abs(strides[a]!) ? b : a))
    tile[fastest] = Math.min(sizes[fastest]!, RUN)
  }
  while (!fits()) {
    const longest = tile.indexOf(Math.max(...tile))
    tile[longest] = Math.ceil(tile[longest]! / 2)
  }
  for (let loop = sizes.length - 1; loop >= 0; loop--) {
    const others = tile.with(loop, 1)
    const room = operands.flatMap(({ strides, limit }) =>
      strides[loop] === 0 ? [] : [Math.floor(limit / elementsIn(others, strides))],
    )
    tile[loop] = Math.min(sizes[loop]!, Math.floor(MOST / elementsIn(others, sizes)), ...room)
  }
  return tile
}

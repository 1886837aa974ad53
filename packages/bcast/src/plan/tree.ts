// The order in which the elements of a run become one, as steps of which each combines many pairs at once: elements go
// to eight lanes in turn, sixteen of a lane meet one after the other, those blocks in pairs, and at last the lanes.
// packages/spec/src/ops/tree.ts states it; every backend follows it, so that all give the same bits.

/** Lanes that elements are dealt to in turn. */
export const LANES = 8
/** Elements of a lane that meet one after the other. */
export const BLOCK = 16

/** Combines the elements at `from` and so many steps on with those that lie `distance` behind them. */
export interface TreeStep {
  readonly from: number
  readonly distance: number
  readonly counts: readonly number[]
  readonly steps: readonly number[]
}

/** How many pairs (i, i + s), i a multiple of 2s, there are below a count. */
const pairs = (count: number, s: number): number => (count > s ? Math.floor((count - 1 - s) / (2 * s)) + 1 : 0)

/** The steps for a run of `length` elements, which leave the result in the first place. */
export function* treeSteps(length: number): Generator<TreeStep> {
  const rows = Math.floor(length / LANES)
  const tail = length % LANES
  const size = LANES * BLOCK
  for (let row = 1; row < BLOCK; row++) {
    const count = Math.ceil((rows - row) / BLOCK)
    if (count > 0) yield { from: 0, distance: LANES * row, counts: [count, LANES], steps: [size, 1] }
    if (tail > 0 && rows % BLOCK === row)
      yield { from: (rows - row) * LANES, distance: LANES * row, counts: [tail], steps: [1] }
  }
  const blocks = Math.ceil(rows / BLOCK)
  // Of the lanes that go on alone, one element begins another block.
  const another = tail > 0 && rows > 0 && rows % BLOCK === 0
  for (let s = 1; s < blocks + (another ? 1 : 0); s *= 2) {
    const count = pairs(blocks, s)
    if (count > 0) yield { from: 0, distance: size * s, counts: [count, LANES], steps: [2 * size * s, 1] }
    if (another && blocks % (2 * s) === s)
      yield { from: (blocks - s) * size, distance: size * s, counts: [tail], steps: [1] }
  }
  for (let s = 1; s < Math.min(length, LANES); s *= 2) {
    yield { from: 0, distance: s, counts: [pairs(Math.min(length, LANES), s)], steps: [2 * s] }
  }
}

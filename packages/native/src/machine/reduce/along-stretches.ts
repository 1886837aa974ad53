// The stretches of code of a reduction along the run, or of whole rows of few results: blocks of the tree, one of them or
// some together, the vectors of one, what blocks that are done do on their stack, and what is left of the last.
import { BLOCK, type ReduceSignature } from 'bcast/kernels'
import type { Virtual } from '../homes.ts'
import type { Vector } from '../vector.ts'
import { type Place, stretch, type Writing } from './writing.ts'

/** Blocks that are reduced together at most: a power of two. */
const MOST_BLOCKS = 8
/** Steps of a stretch at most. */
const MOST_STEPS = 640
/** How far ahead memory is asked for. */
const AHEAD = 8192

/** What a kernel along the run is made of. */
export interface Stretches<Step> {
  /** Blocks that are reduced together, the most first; none where a program is long. */
  readonly together: readonly { readonly blocks: number; readonly steps: readonly Step[] }[]
  /** For each vector of a round, in its place. */
  readonly whole: readonly (readonly Step[])[]
  /** The same where the vector is the next one: all of it, or as much as counts. */
  readonly single: readonly (readonly Step[])[]
  readonly partial: readonly (readonly Step[])[]
  /** Begins, meets what is below on the stack, takes it from there, goes to the stack. */
  readonly begin: readonly Step[]
  readonly merge: readonly Step[]
  readonly meet: readonly Step[]
  readonly take: readonly Step[]
  readonly push: readonly Step[]
  /** Leaves the result. */
  readonly finish: readonly (readonly Step[])[]
}

/** Elements along the run as a processor computes them. */
export interface AlongWriting<Step> extends Writing<Step> {
  readonly signature: ReduceSignature
  /** Vectors that follow each other and are combined side by side, where the order makes no difference. */
  readonly chains: number
  /** Vectors of the tree in one of the program, and those of one. */
  readonly ratio: number
  split(vector: Vector): readonly Vector[]
  /** Registers that hold the top of the stack, and the result's address. */
  readonly top: number
  readonly scratch: number
}

/** Bytes between vectors on the stack. */
export const gapOf = ({ signature, combiner }: AlongWriting<unknown>): number =>
  signature.columns === 1 ? Math.max(16, combiner.bytes) : combiner.bytes

/** Some blocks, each of which is reduced by itself before they meet in pairs, to the stack. */
function together<Step>(writing: AlongWriting<Step>, blocks: number): void {
  const { combiner, signature, chains, ratio, split, top } = writing
  const { columns } = signature
  const vectors = (BLOCK * columns) / ratio
  const reduced = (first: number, count: number): readonly Vector[] => {
    if (count > 1) {
      const [low, high] = [reduced(first, count / 2), reduced(first + count / 2, count / 2)]
      return low.map((vector, j) => combiner.pair(vector, high[j]!))
    }
    const own: Vector[] = []
    for (let i = 0; i < vectors; i++) {
      const [result] = writing.results(first * vectors + i, 'whole', 1, AHEAD)
      for (const vector of split(result!)) {
        const j = i % (columns * chains)
        own[j] = own[j] === undefined ? vector : combiner.pair(own[j], vector)
      }
    }
    return chains === 1 ? own : [combiner.pairs(own)]
  }
  for (const [j, vector] of reduced(0, blocks).entries()) {
    combiner.store(vector, { base: top, displacement: gapOf(writing) * j })
  }
}

/** What is carried becomes the result, or lanes that are left apart. */
function finishing<Step>(writing: AlongWriting<Step>, carried: readonly Vector[]): readonly (readonly Step[])[] {
  const { combiner, w, signature, top, scratch } = writing
  const { open, lanes, columns } = signature
  if (columns === 1) {
    const at = { base: scratch }
    return [stretch(w, () => (open ? combiner.store(carried[0]!, at) : combiner.storeFolded(carried[0]!, at)))]
  }
  const at = (j: number, shift = 0): Place => ({ base: top, displacement: gapOf(writing) * j + shift })
  const first = stretch(w, () => {
    for (const [j, vector] of carried.entries()) combiner.store(vector, at(j))
  })
  if (open) return [first]
  const folds: (readonly Step[])[] = [first]
  // Lanes that lie apart by a power of two of columns meet; what comes in from behind does not count.
  for (let s = 1; s < lanes; s *= 2) {
    folds.push(
      stretch(w, () => {
        for (let j = 0; j < columns; j++) {
          const shift = s * columns * combiner.width
          combiner.store(combiner.pair(combiner.load(at(j)), combiner.load(at(j, shift))), at(j))
        }
      }),
    )
  }
  return folds
}

/** Stretches over vectors that loops carry, one for each column. */
export function stretchesOf<Step>(
  writing: AlongWriting<Step>,
  registers: readonly (readonly Virtual[])[],
): Stretches<Step> {
  const { combiner, w, signature, ratio, split, top } = writing
  const { columns } = signature
  const gap = gapOf(writing)
  const carried = registers.map((parts) => combiner.vector(parts))
  const each = (made: (column: number) => Vector): void => {
    for (let j = 0; j < columns; j++) combiner.carry(made(j), registers[j]!)
  }
  const at = (j: number, below = 0): Place => ({ base: top, displacement: gap * (j - below * columns) })
  const takeAll = (j: number, vectors: readonly Vector[]): void =>
    combiner.carry(
      vectors.reduce((sum, vector) => combiner.pair(sum, vector), carried[j]!),
      registers[j]!,
    )
  const taking = (j: number, i: number, ahead: number): readonly Step[] =>
    stretch(w, () => takeAll(j, split(writing.results(i, 'whole', 1, ahead)[0]!)))
  const whole = carried.map((_, j) => taking(j, j, AHEAD))
  const single = carried.map((_, j) => taking(j, 0, 0))
  const partial = carried.map((_, j) =>
    stretch(w, () => takeAll(j, split(combiner.counted(writing.results(0, 'partial', 1)[0]!)))),
  )
  const steps = (BLOCK / ratio) * whole.reduce((sum, { length }) => sum + length, 0)
  let blocks = MOST_BLOCKS
  while (blocks >= 1 && blocks * steps > MOST_STEPS) blocks /= 2
  const counts = blocks > 1 ? [blocks, 1] : blocks === 1 ? [1] : []
  const none = { width: combiner.width, parts: [combiner.none], uniform: true }
  return {
    together: counts.map((count) => ({ blocks: count, steps: stretch(w, () => together(writing, count)) })),
    whole,
    single,
    partial,
    begin: stretch(w, () => each(() => none)),
    merge: stretch(w, () => {
      for (let j = 0; j < columns; j++) {
        combiner.store(combiner.pair(combiner.load(at(j, 1)), combiner.load(at(j))), at(j, 1))
      }
    }),
    meet: stretch(w, () => each((j) => combiner.pair(combiner.load(at(j)), carried[j]!))),
    take: stretch(w, () => each((j) => combiner.load(at(j)))),
    push: stretch(w, () => {
      for (const [j, vector] of carried.entries()) combiner.store(vector, at(j))
    }),
    finish: finishing(writing, carried),
  }
}

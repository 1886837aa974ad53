// The stretches of code of a reduction across the run: rows into a lane of the tree, lanes that begin, blocks that meet,
// lanes that become results.
import type { ReduceSignature } from 'bcast/kernels'
import { type Place, stretch, type Writing } from './writing.ts'

/** Vectors of scratch that are filled and merged at once: lanes and gaps are as many of them. */
export const AT_ONCE = 8
/** How far ahead memory is asked for. */
const AHEAD = 2048

/** The general registers that these loops take, of which stretches change `scratch` alone. */
export interface AcrossRegisters {
  readonly scratch: number
  /** Counts the elements of a row that are done, or bytes. */
  readonly at: number
  /** Where the lane of the tree lies, and where the last vector of a strip begins. */
  readonly lane: number
  readonly last: number
  /** Two that lie beside each other, and one for each lane of the tree; those of pointers to rows, while none is read. */
  readonly low: number
  readonly high: number
  readonly lanes: readonly number[]
}

/** Elements across the run as a processor computes them. */
export interface AcrossWriting<Step> extends Writing<Step> {
  readonly signature: ReduceSignature
  readonly registers: AcrossRegisters
}

export interface AcrossStretches<Step> {
  /** Rows that begin a block, rows of one that has some, one row. */
  readonly first: readonly Step[]
  readonly many: readonly Step[]
  readonly one: readonly Step[]
  readonly fill: readonly Step[]
  readonly merge: readonly Step[]
  /** All lanes in pairs, or each of them as it is. */
  readonly finish: readonly Step[]
  readonly copies: readonly (readonly Step[])[]
}

export function stretchesOf<Step>(across: AcrossWriting<Step>): AcrossStretches<Step> {
  const { combiner, w, signature, registers } = across
  const { rounds, open } = signature
  const { at, lane, low, high, lanes } = registers
  const { width: scale } = combiner
  const own: Place = { base: lane }
  // Many streams at once are foreseen without help.
  const ahead = rounds < 4 ? AHEAD : 0
  const taking = (rows: number, isFirst: boolean, far: number): readonly Step[] =>
    stretch(w, () => {
      const vectors = across.results(0, 'whole', rows, far)
      const all = isFirst ? vectors : [combiner.load(own), ...vectors]
      combiner.store(
        all.reduce((sum, vector) => combiner.pair(sum, vector)),
        own,
      )
    })
  const none = { width: scale, parts: [combiner.none], uniform: true }
  const atOnce = Array.from({ length: AT_ONCE }, (_, i) => i * combiner.bytes)
  const result: Place = { base: low, index: at, scale }
  const from = (pointer: number): Place => ({ base: pointer, index: high })
  return {
    first: taking(rounds, true, ahead),
    many: taking(rounds, false, ahead),
    one: taking(1, false, 0),
    fill: stretch(w, () => {
      for (const displacement of atOnce) combiner.store(none, { base: low, index: at, displacement })
    }),
    merge: stretch(w, () => {
      for (const displacement of atOnce) {
        const below: Place = { base: low, index: at, displacement }
        const above: Place = { base: high, index: at, displacement }
        combiner.store(combiner.pair(combiner.load(below), combiner.load(above)), below)
      }
    }),
    finish: stretch(w, () => {
      const vectors = lanes.map((pointer) => combiner.load(from(pointer)))
      if (!open) combiner.store(combiner.pairs(vectors), result)
    }),
    copies: lanes.map((pointer) => stretch(w, () => combiner.store(combiner.load(from(pointer)), result))),
  }
}

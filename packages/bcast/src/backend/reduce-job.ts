// Many elements to one as backends are asked for it. The order in which elements meet is fixed, so that all backends
// give the same bits: packages/spec/src/ops/tree.ts states it.
import type { Program } from '../expr/ir.ts'
import type { Combining } from '../expr/reductions.ts'
import type { Shape } from '../shape/dim.ts'
import type { Placed } from '../tensor/placed.ts'
import type { Backend, Outcome, SharedPlan } from './backend.ts'
import type { Instructions } from './instructions.ts'
import type { Adding } from './repeat.ts'

export interface ReduceJob {
  /** Gives the elements that are combined; its type is the result's. */
  readonly program: Program
  readonly combine: Combining
  /** The code of both. */
  readonly instructions: Instructions
  /** Of the elements. */
  readonly shape: Shape
  /** Axes that are reduced, from the first to before the last: one run of elements in row-major order, not empty. */
  readonly run: readonly [first: number, end: number]
  /** Those that are read, then the result, which stays where it is along the run. */
  readonly operands: readonly Placed[]
  readonly shared?: SharedPlan | undefined
}

/** How a backend computes it; `unable`, having done nothing, where it does not. */
export interface ReduceOn {
  run(backend: Backend, job: ReduceJob): Outcome
  runAsync(backend: Backend, job: ReduceJob, check: () => void): Promise<Outcome>
  /** Adds it to calls that are repeated; false where it has to be computed anew each time. */
  repeat?(repetition: Adding, job: ReduceJob): boolean
}

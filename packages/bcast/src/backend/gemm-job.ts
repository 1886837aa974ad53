// alpha * A B + beta * C as backends are asked for it.
import type { DType, Storage } from '../dtype/dtype.ts'
import type { GemmSizes } from '../plan/gemm.ts'
import type { Placed } from '../tensor/placed.ts'
import type { Backend } from './backend.ts'
import type { Axes } from './offsets.ts'
import type { Adding } from './repeat.ts'

/**
 * C is seen in the result's shape, or absent. The result must not lie where A or B does; it may lie exactly where C
 * does.
 */
export interface GemmJob {
  readonly dtype: DType
  readonly sizes: GemmSizes
  readonly a: Placed
  readonly b: Placed
  /** The axes of B where they make no matrix: those that are summed over, and those of the columns. */
  readonly gathered?: { readonly along: Axes; readonly across: Axes } | undefined
  readonly c: Placed | undefined
  readonly alpha: number
  readonly beta: number
  readonly out: Placed
}

/** Adds it to calls that are repeated; false where it has to be computed anew each time. */
export type RepeatGemm = (repetition: Adding, job: GemmJob) => boolean

/** How a backend computes it; false, having done nothing, where it does not. */
export interface GemmOn {
  run(backend: Backend, job: GemmJob): boolean
  runAsync(backend: Backend, job: GemmJob, check: () => void): Promise<boolean>
  /** Whether it reads a B that is no matrix where it lies. */
  gathers?(backend: Backend, dtype: DType, storage: Storage): boolean
  readonly repeat?: RepeatGemm
}

// alpha * A B + beta * C as backends are asked for it.
import type { DType } from '../dtype/dtype.ts'
import type { GemmSizes } from '../plan/gemm.ts'
import type { Placed } from '../tensor/placed.ts'
import type { Backend } from './backend.ts'
import type { RepeatGemm } from './repeat.ts'

/**
 * C is seen in the result's shape, or absent. The result must not lie where A or B does; it may lie exactly where C
 * does.
 */
export interface GemmJob {
  readonly dtype: DType
  readonly sizes: GemmSizes
  readonly a: Placed
  readonly b: Placed
  readonly c: Placed | undefined
  readonly alpha: number
  readonly beta: number
  readonly out: Placed
}

/** How a backend computes it; false, having done nothing, where it does not. */
export interface GemmOn {
  run(backend: Backend, job: GemmJob): boolean
  runAsync(backend: Backend, job: GemmJob, check: () => void): Promise<boolean>
  /** Adds it to calls that are repeated. */
  readonly repeat?: RepeatGemm
}

// Where machine code comes in, once somebody has handed some in (bcast/kernels): plans whose kernels it runs, and kernels
// over operands wherever they lie. All of it lies behind this seam, so that programs without it carry next to nothing.
import type { DType } from '../../../dtype/dtype.ts'
import type { Program } from '../../../expr/ir.ts'
import type { Call } from '../../../plan/call.ts'
import type { KernelRun } from '../../../plan/kernels.ts'
import type { Plan, PlanOptions, planCall } from '../../../plan/plan.ts'
import type { Allocation } from '../../../tensor/memory.ts'
import type { GemmJob } from '../../gemm-job.ts'
import type { Bound, Settled } from '../bound-call.ts'
import type { ProductHome, ScratchMemory, Steps } from '../gemm/scratch.ts'
import type { Kernels } from '../kernels.ts'
import type { Located } from '../located.ts'
import type { Arena } from '../memory/arena.ts'
import type { Runner } from '../task.ts'

export interface MachineSeam {
  /** The plan of a call; `direct` where operands stay where they are until it has run. */
  plan(kernels: Kernels, planWith: typeof planCall, call: Call, options: PlanOptions, direct: boolean): Plan
  /** Describes loops in parts to a runner. */
  run(kernels: Kernels, program: Program, run: KernelRun, cursors: readonly Located[], runner: Runner): boolean
  /** Memory of its own for a result that the arena has no room for; undefined where it is too small to be worth it. */
  allocate(dtype: DType, count: number): Allocation | undefined
  /** A product of matrices in steps; undefined where WebAssembly is to compute it. */
  product(request: ProductRequest): Steps | undefined
  /** A small call made ready; undefined where WebAssembly is to run it. */
  bind(kernels: Kernels, home: { readonly arena: Arena; readonly threads: number }, settled: Settled): Bound | undefined
}

export interface ProductRequest {
  readonly backend: ProductHome
  /** Threads that compute. */
  readonly threads: number
  readonly job: GemmJob
  readonly memory: ScratchMemory
  /** Whether operands stay where they are until it has run. */
  readonly direct: boolean
}

/** Undefined where nobody has handed in machine code. */
export let machine: MachineSeam | undefined

export function setMachine(seam: MachineSeam | undefined): void {
  machine = seam
}

// Where machine code comes in, once somebody has handed some in (bcast/kernels): plans whose kernels it runs, and kernels
// over operands wherever they lie. All of it lies behind this seam, so that programs without it carry next to nothing.
import type { DType, Storage } from '../../../dtype/dtype.ts'
import type { Program } from '../../../expr/ir.ts'
import type { Combining } from '../../../expr/reductions.ts'
import type { Call } from '../../../plan/call.ts'
import type { KernelRun } from '../../../plan/kernels.ts'
import type { Plan, PlanOptions, planCall } from '../../../plan/plan.ts'
import type { ReduceCall, ReducePlan, ReduceSignature } from '../../../plan/reduce.ts'
import type { Allocation } from '../../../tensor/memory.ts'
import type { Backend } from '../../backend.ts'
import type { GemmJob } from '../../gemm-job.ts'
import type { Recordings } from '../../recordings.ts'
import type { Bound, Settled } from '../bound-call.ts'
import type { ProductHome, ScratchMemory, Steps } from '../gemm/scratch.ts'
import type { Kernel, Kernels } from '../kernels.ts'
import type { Located } from '../located.ts'
import type { Arena } from '../memory/arena.ts'
import type { Addressed } from '../parameters.ts'
import type { Runner, Task, Use } from '../task.ts'

export interface MachineReductions {
  /** The plan of a reduction; undefined where it has none. */
  plan(kernels: Kernels, call: ReduceCall, threads: number, use: Use): ReducePlan | undefined
  kernel(kernels: Kernels, program: Program, combine: Combining, signature: ReduceSignature): Kernel
  /** Bytes of parameters, for so many operands and loops, and those that are needed beside those of all parts. */
  parameterBytes(operands: number, loops: number): number
  readonly beside: number
  /**
   * The task as threads of machine code can share it, told at an address of the memory, with where it points; and how
   * much work it is.
   */
  task(task: Task, memory: ArrayBufferLike, at: number, arrays: readonly (Storage | undefined)[]): Task
  work(program: Program, elements: number): number
  /** Writes parameters of operands that lie in memories. */
  write(memory: ArrayBufferLike, at: number, sizes: readonly number[], operands: readonly Reached[]): void
}

/** An operand that lies in a memory. */
export type Reached = Addressed & { readonly memory: ArrayBufferLike }

export interface MachineSeam {
  /** Makes a memory ready in which kernels are going to run. */
  enter(kernels: Kernels): void
  plan(kernels: Kernels, planWith: typeof planCall, call: Call, options: PlanOptions, use: Use): Plan
  /** Describes loops in parts to a runner. */
  run(kernels: Kernels, program: Program, run: KernelRun, cursors: readonly Located[], runner: Runner): boolean
  /** Reductions; undefined where they run as WebAssembly. */
  readonly reduce: MachineReductions
  /** Memory of its own for a result that the arena has no room for; undefined where it is too small to be worth it. */
  allocate(dtype: DType, count: number): Allocation | undefined
  /** A product of matrices in steps; undefined where WebAssembly is to compute it. */
  product(request: ProductRequest): Steps | undefined
  /** What is kept to be run over other arrays; undefined where there is no such code. */
  recordings(backend: Backend): Recordings | undefined
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

// What computes: the seam between everything above, which knows calls, and memory, threads and devices below. Backends
// stand in an ordered list (backends.ts); the first that takes a program computes it, and all give the same bits.
import type { DType, Storage } from '../dtype/dtype.ts'
import type { Program } from '../expr/ir.ts'
import type { planCall } from '../plan/plan.ts'
import type { Shape } from '../shape/dim.ts'
import type { Allocation } from '../tensor/memory.ts'
import type { Placed } from '../tensor/placed.ts'
import type { Instructions } from './instructions.ts'

/** A program with what it takes to compute it, which whoever wants it computed passes in. */
export interface Computable {
  readonly program: Program
  /** The code of its instructions. */
  readonly instructions: Instructions
  /** Plans programs that one kernel cannot hold, too; only operators of any number of operands make such. */
  readonly planWith?: typeof planCall | undefined
}

/** A plan that serves all calls which differ in where their operands lie alone; whoever makes such calls holds it. */
export interface SharedPlan {
  plan?: unknown
}

/** A call: what is computed, over which shape, from operands seen in it; the last of them is the result. */
export interface Job extends Computable {
  readonly shape: Shape
  readonly operands: readonly Placed[]
  readonly shared?: SharedPlan | undefined
}

/**
 * How a run ended. `done`: every element has its value. `fault`: some have none, and the result is unspecified; a number
 * is the lowest row-major position without one. `unable`: nothing was computed, for want of memory.
 */
export type Outcome = 'done' | 'fault' | 'unable' | number

/** A job settled on one backend: everything but where operands lie. */
export interface Planned {
  /** Plain data, which `formatPlan` prints; absent where there is nothing to settle. */
  readonly plan: unknown
  /** Computes now, on the calling thread and those that help it. */
  run(operands: readonly Placed[]): Outcome
}

export interface Backend {
  readonly name: string
  /** Whether it computes a program. */
  takes(computable: Computable): boolean
  /** Memory of its own for a result, whatever it holds; undefined where it has none, or no room. */
  allocate(dtype: DType, count: number): Allocation | undefined
  plan(job: Job): Planned
  /** Computes without keeping the calling thread. `check` throws when operands are no longer what they were. */
  runAsync(job: Job, check: () => void): Promise<Outcome>
  /** Reads back what it allocated: the array itself where memory is the host's, a promise of a copy where it is not. */
  read(storage: Storage): Storage | Promise<Storage>
  /** Settles a call that repeats with operands of the same strides; undefined where the plan is no single kernel. */
  bind?(job: Job): BoundCall | undefined
}

/** A call with everything settled but where its operands lie, which is told by arrays and positions in them. */
export interface BoundCall {
  /** Whether it is the way to compute at the moment. */
  readonly ready: boolean
  /** Gives 0, 1 after a fault, or undefined, having done nothing, where the general way is needed. */
  call(arrays: readonly unknown[], offsets: readonly number[]): number | undefined
}

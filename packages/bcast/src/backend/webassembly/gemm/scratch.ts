// Where the steps of a product come from, and the memory they need beside operands and result.
import type { Placed } from '../../../tensor/placed.ts'
import type { Job } from '../../backend.ts'
import type { Kernels } from '../kernels.ts'
import type { Arena } from '../memory/arena.ts'
import type { Runner } from '../task.ts'
import type { QueueStep } from '../threads/queue.ts'

export interface Steps {
  readonly steps: Iterable<QueueStep>
  /** Gives back what they need. */
  readonly free: () => void
}

export type PackAt = (address: number) => void

/** Where scratch comes from. */
export interface ScratchMemory {
  allocate(bytes: number): number | undefined
  free(address: number, bytes: number): void
  /** Bytes that nothing else is written to. */
  keep?(bytes: number): number
  /** Where an operand that never changes is packed for good; undefined for one that does, or without room. */
  packed?(operand: Placed, lines: readonly number[], key: string, bytes: number, pack: PackAt): number | undefined
}

/** What products need of the backend. */
export interface ProductHome {
  readonly arena: Arena
  readonly shared: { readonly kernels: Kernels }
  /** Runs tasks at once. */
  readonly runner: Runner
  runOn(runner: Runner, job: Job, now: boolean): boolean
}

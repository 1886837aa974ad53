// Work for kernels, and those who take it: whoever walks through a plan describes tasks, and a runner has them run at
// once, queues them for the threads, or keeps them to be run again and again.
import type { Storage } from '../../dtype/dtype.ts'
import type { KernelFunction } from './kernels.ts'

/** Parts of one computation, each with parameters of its own. */
export interface Task {
  readonly run: KernelFunction
  /** Names the kernel for all threads. */
  readonly id: number
  readonly bytes: Uint8Array
  readonly parametersAt: number
  readonly parametersSize: number
  /** At most MAX_PARTS. */
  readonly parts: number
  /** Has so many threads run it, where it brings threads of its own; undefined where they do not. */
  readonly share?: (threads: number) => number | undefined
  /** The arrays that parameters of machine code point into, in their order; undefined for memory beside them. */
  readonly arrays?: readonly (Storage | undefined)[]
}

/**
 * How tasks are used: once, while operands stay where they are; later, when those may lie elsewhere; or again and again,
 * so that compiling kernels always pays.
 */
export type Use = 'once' | 'later' | 'again'

export interface Runner {
  readonly use: Use
  /** How many threads tasks are cut into parts for, where those of the backend are not meant. */
  readonly threads?: number
  /** How many times a result is as large as what a task writes, where the same runs again elsewhere. */
  timesOf?(result: Storage): number
  /** Addresses of memory that is a task's until it has run. */
  parameters(bytes: number): number
  copies(bytes: number): number
  /** Does what has to come before the tasks that follow, such as copying an operand; it gives false after a fault. */
  before(work: () => unknown): void
  /** Does what stays done as long as the memory is the task's: it is not written by anybody else. */
  once(work: () => void): void
  /** Does what has to come after the tasks so far, such as copying a result to its place. */
  after(work: () => void): void
  /** False where an element had no value, as far as that is known. `elements` says how much work it is. */
  run(task: Task, elements: number): boolean
}

/** All parts on the calling thread. */
export function runAlone({ run, parts, parametersAt, parametersSize }: Task): number {
  let fault = 0
  for (let part = 0; part < parts; part++) fault |= run(parametersAt + part * parametersSize)
  return fault
}

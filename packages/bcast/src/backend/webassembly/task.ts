// Work for kernels, and those who take it: whoever walks through a plan describes tasks, and a runner has them run at
// once, queues them for the threads, or keeps them to be run again and again.
import type { Storage } from '../../dtype/dtype.ts'
import type { KernelFunction } from './kernels.ts'

/** A pointer among the parameters of a part. */
export interface TaskPointer {
  /** How far behind their beginning, in bytes. */
  readonly at: number
  /** What it points into; undefined for memory that is the task's own. */
  readonly array: Storage | undefined
}

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
  /** Where the parameters of each part point, for whoever keeps machine code to run it over other arrays. */
  readonly pointers?: readonly TaskPointer[] | undefined
}

/**
 * How tasks are used while operands stay where they are: once, or again and again, so that compiling kernels always pays.
 * Otherwise it is later, when operands may lie elsewhere.
 */
export type Use = 'once' | 'again' | undefined

export interface Runner {
  readonly use?: Use
  /** How many threads tasks are cut into parts for, where those of the backend are not meant. */
  readonly threads?: number
  /** How many times a result is as large as what a task writes, where the same runs again elsewhere. */
  timesOf?(result: Storage): number
  /** How many bytes behind what a task reads of an array the same task reads next, where it has to be fetched from memory. */
  aheadOf?(operand: Storage): number
  /** Addresses of memory that is a task's until it has run. */
  parameters(bytes: number): number
  copies(bytes: number): number
  /**
   * Does what has to come before the tasks that follow, such as copying an operand; it gives false after a fault. What
   * `stays` is done for good, as long as its memory belongs to nobody else.
   */
  before(work: () => unknown, stays?: boolean): void
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

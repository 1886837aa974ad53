// What workers need to know of a plan, and of whoever carries out its tasks.
import { UsageError } from '../errors/usage-error.ts'
import { WantingError } from '../errors/wanting-error.ts'

export interface TaskPlan {
  /** Of bcast. */
  readonly version: string
  /** Of all that the result depends on. */
  readonly hash: string
  readonly expression: string
  readonly output: { readonly label: string }
  /** Tasks, numbered from 0. */
  readonly count: number
  /** Bytes of the largest task, without what is held. */
  readonly memory: number
  /** Bytes that a thread holds for all its tasks. */
  readonly held: number
}

export interface TaskDone {
  readonly index: number
  readonly computed: boolean
  readonly bytesRead: number
  readonly bytesWritten: number
  readonly milliseconds: number
}

export interface TaskRunner {
  run(plan: TaskPlan, index: number): Promise<TaskDone>
}

export interface TaskFailure {
  readonly kind: 'wanting' | 'input' | 'defect'
  readonly message: string
  readonly isTemporary: boolean
}

export class TaskError extends Error {
  readonly index: number
  readonly failure: TaskFailure

  constructor(index: number, failure: TaskFailure) {
    super(failure.message, { cause: errorOf(failure) })
    this.index = index
    this.failure = failure
  }
}

export type CarryOut = (
  plan: TaskPlan,
  isDone: (index: number) => boolean,
  tell: (done: TaskDone) => void,
) => Promise<void>

export function failureOf(error: unknown): TaskFailure {
  if (error instanceof UsageError) return { kind: 'input', message: error.message, isTemporary: false }
  return { kind: 'defect', message: error instanceof Error ? error.stack! : String(error), isTemporary: false }
}

export function errorOf({ kind, message }: TaskFailure): Error {
  if (kind === 'wanting') return new WantingError(message)
  if (kind === 'input') return new UsageError(message)
  const error = new Error(message.split('\n', 1)[0])
  error.stack = message
  return error
}

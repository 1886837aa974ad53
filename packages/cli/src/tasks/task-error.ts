// Why a task failed, as it comes from a thread or from another machine: plain data that becomes an error again.
import { BcastError } from 'bcast'
import { UsageError } from '../errors/usage-error.ts'
import { WantingError } from '../errors/wanting-error.ts'
import { EvaluationError } from '../expression/expression-error.ts'

export interface TaskFailure {
  /** Whose fault it is: arrays that do not work, files or places that cannot be used, or bcast's. */
  readonly kind: 'wanting' | 'input' | 'defect'
  readonly message: string
  /** Whether another try may go well: a network, a server that is busy. */
  readonly isTemporary: boolean
}

const isTemporary = (error: unknown): boolean => (error as { isTransient?: unknown } | null)?.isTransient === true

export function failureOf(error: unknown): TaskFailure {
  if (error instanceof EvaluationError || error instanceof WantingError)
    return { kind: 'wanting', message: error.message, isTemporary: false }
  if (error instanceof UsageError || error instanceof BcastError)
    return { kind: 'input', message: error.message, isTemporary: isTemporary(error) }
  return { kind: 'defect', message: error instanceof Error ? error.stack! : String(error), isTemporary: false }
}

/** A failed task as whoever asked for it sees it. */
export function errorOf({ kind, message }: TaskFailure): Error {
  if (kind === 'wanting') return new WantingError(message)
  if (kind === 'input') return new UsageError(message)
  const error = new Error(message.split('\n', 1)[0])
  error.stack = message
  return error
}

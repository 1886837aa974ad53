// Why a chunk failed, on its way from a worker to the submitter: a job keeps a text, so it is written as JSON. What
// another try may mend is tried again by BullMQ; the rest fails at once.
import { UnrecoverableError } from 'bullmq'
import { failureOf, type TaskFailure } from '../tasks/task-error.ts'
import { TaskError } from '../tasks/threads.ts'

/** As a worker throws it. */
export function jobErrorOf(error: unknown): Error {
  const failure = error instanceof TaskError ? error.failure : failureOf(error)
  const text = JSON.stringify(failure)
  return failure.isTemporary ? new Error(text) : new UnrecoverableError(text)
}

function readFailure(reason: string): TaskFailure {
  const input = (message: string): TaskFailure => ({ kind: 'input', message, isTemporary: false })
  if (reason.startsWith('{')) return JSON.parse(reason)
  // BullMQ's own words for a chunk whose workers died, one after the other.
  if (!/stalled more than/.test(reason)) return input(reason)
  return input('every worker that began to compute it died. It may need more memory than they have.')
}

/** As the submitter throws it. */
export function taskErrorOf(reason: string, index: number, count: number): TaskError {
  const failure = readFailure(reason)
  return new TaskError(index, { ...failure, message: `chunk ${index} of ${count}: ${failure.message}` })
}

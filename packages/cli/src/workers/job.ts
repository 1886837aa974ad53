// A job is one chunk of one evaluation: its plan and its index, and nothing that changes while it is carried out. It may
// be carried out twice, which writes the same object twice; its id says which chunk it is, so that it waits only once.
import type { JobsOptions, WorkerOptions } from 'bullmq'
import type { TaskPlan } from '../tasks/plan.ts'

export interface ChunkJob {
  readonly plan: TaskPlan
  readonly index: number
}

export const jobId = ({ hash }: TaskPlan, index: number): string => `${hash}-${index}`

/** The chunk of a job; undefined where it is of another plan. */
export const indexOf = ({ hash }: TaskPlan, id: string): number | undefined =>
  id.startsWith(`${hash}-`) ? Number(id.slice(hash.length + 1)) : undefined

/** What a worker says once about its lock is believed for so many milliseconds. */
const LOCK = 5000

/**
 * A dead worker's chunk waits again once its lock has run out and two looks have found nobody: at most seven seconds
 * after its death. A chunk at which so many workers die may be what kills them.
 */
export const lockOptions = {
  lockDuration: LOCK,
  stalledInterval: 1000,
  maxStalledCount: 8,
  /** Milliseconds before a worker whose queue is away asks again. */
  runRetryDelay: 1000,
} satisfies Partial<WorkerOptions>

/** Another try may mend a network: after half a second, one, two and four. */
const jobOptions: JobsOptions = {
  attempts: 5,
  backoff: { type: 'exponential', delay: 500, jitter: 0.5 },
  // The object that was written says that it is done; the submitter says what failed.
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 0,
}

/** As it is submitted. */
export const jobOf = (plan: TaskPlan, index: number): { name: string; data: ChunkJob; opts: JobsOptions } => ({
  name: 'chunk',
  data: { plan, index },
  opts: { ...jobOptions, jobId: jobId(plan, index) },
})

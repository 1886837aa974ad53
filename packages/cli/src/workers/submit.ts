// Workers at a queue, as an evaluation asks for them: before it looks at what is there of its result, it is settled what
// those do who still work for another evaluation of the same.
import { UsageError } from '../errors/usage-error.ts'
import type { Workers } from '../tasks/evaluate-to-zarr.ts'
import type { TaskPlan } from '../tasks/plan.ts'
import { indexOf } from './job.ts'
import { leave } from './leave.ts'
import { listen } from './listen.ts'
import { idsIn, type JobQueue, openQueue } from './queue.ts'
import { atQueue } from './queue-error.ts'
import type { QueueUrl } from './queue-url.ts'
import { Submission } from './submission.ts'

/** Milliseconds that workers have to end what was begun for an evaluation that is no more, and between two looks. */
const LAST_ORDERS = 60_000
const PAUSE = 100

/** The last event of now. */
async function lastEvent(queue: JobQueue): Promise<string> {
  const events = queue.events()
  events.on('error', () => {})
  try {
    return await listen(queue, events)
  } finally {
    await leave(events)
  }
}

/** Takes away what waits of a plan, and waits for the rest: what they write would be taken for written since. */
async function clear(queue: JobQueue, plan: TaskPlan): Promise<undefined> {
  const jobs = queue.jobs()
  jobs.on('error', () => {})
  const end = Date.now() + LAST_ORDERS
  try {
    for (;;) {
      const left = (await idsIn(jobs)).filter((id) => indexOf(plan, id) !== undefined)
      if (left.length === 0) return undefined
      if (Date.now() > end) {
        throw new UsageError(
          `${plan.output.place.label} is being computed at ${queue.url.shown} by another evaluation of the same. Wait for it, or stop it.`,
        )
      }
      await Promise.all(left.map((id) => jobs.remove(id)))
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    }
  } finally {
    await leave(jobs)
  }
}

/**
 * The queue is there. What carries out tasks rejects with what a chunk failed for, the lowest of those that did: what
 * still waits is taken back then, and what is being computed is waited for.
 */
export async function workersAt(url: QueueUrl): Promise<Workers> {
  const queue = await openQueue(url)
  return async ({ plan, resume, stop, notice }) => {
    for (const warning of queue.warnings) notice(warning)
    const since = await atQueue(url, () => (resume ? lastEvent(queue) : clear(queue, plan)))
    return async (_, isDone, tell) => {
      const submission = new Submission(queue, plan, { isDone, tell, stop, notice, since })
      try {
        await submission.run()
      } finally {
        await submission.close()
      }
    }
  }
}

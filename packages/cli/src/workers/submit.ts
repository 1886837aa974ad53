// Workers at a queue, as an evaluation asks for them.
import type { Workers } from '../tasks/evaluate-to-zarr.ts'
import { leave } from './leave.ts'
import { listen } from './listen.ts'
import { type JobQueue, openQueue } from './queue.ts'
import type { QueueUrl } from './queue-url.ts'
import { Submission } from './submission.ts'

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

/**
 * The queue is there. What carries out tasks rejects with what a chunk failed for, the lowest of those that did: what
 * still waits is taken back then, and what is being computed is waited for. With `resume` workers may still be at chunks
 * of the evaluation that is gone on with, from now on.
 */
export async function workersAt(url: QueueUrl, resume: boolean): Promise<Workers> {
  const queue = await openQueue(url)
  const since = resume ? await lastEvent(queue) : undefined
  return (stop, notice) => async (plan, isDone, tell) => {
    for (const warning of queue.warnings) notice(warning)
    const submission = new Submission(queue, plan, { isDone, tell, stop, notice, since })
    try {
      await submission.run()
    } finally {
      await submission.close()
    }
  }
}

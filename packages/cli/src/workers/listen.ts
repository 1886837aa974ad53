// Events are heard from some moment on, and BullMQ does not say from which. So something is announced until it is heard:
// what happens behind that is heard of, and what happened before it was.
import { randomUUID } from 'node:crypto'
import type { QueueEventsListener } from 'bullmq'
import type { Events, JobQueue } from './queue.ts'
import { PATIENCE, QueueError } from './queue-error.ts'

/** Milliseconds between two announcements. */
const PAUSE = 50
/** Events that the queue keeps, as BullMQ has it where nobody announces. */
const KEPT = 10_000

interface Announcements extends QueueEventsListener {
  announced: (said: { readonly by: string }, id: string) => void
}

/** Gives the id of the event up to which all is heard. */
export async function listen(queue: JobQueue, events: Events): Promise<string> {
  const announcements = queue.announcements()
  const by = randomUUID()
  let heard: string | undefined
  const hearing = new Promise<void>((resolve) => {
    events.on<Announcements, 'announced'>('announced', (said, id) => {
      if (said.by !== by || heard !== undefined) return
      heard = id
      resolve()
    })
  })
  // What is wrong with the queue is heard by those who work with it.
  announcements.on('error', () => {})
  try {
    const end = Date.now() + PATIENCE
    while (heard === undefined) {
      if (Date.now() > end) throw new QueueError(queue.url, new Error('timeout'))
      await announcements.publishEvent({ eventName: 'announced', by }, KEPT)
      await Promise.race([hearing, new Promise((resolve) => setTimeout(resolve, PAUSE))])
    }
    return heard
  } finally {
    await announcements.close()
  }
}

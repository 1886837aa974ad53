// What is heard of jobs. Events come as they happen; PostgreSQL may skip one, so all can be heard again, and that from the
// time before on: one that was late then is not missed a second time.
import type { TaskDone } from '../tasks/task.ts'
import { leave } from './leave.ts'
import { listen } from './listen.ts'
import type { Events, JobQueue } from './queue.ts'

/** Told of jobs of every evaluation, and of some twice. */
export interface Listener {
  completed(id: string, done: TaskDone): void
  failed(id: string, reason: string): void
  /** That the queue may be away. */
  missed(error: Error): void
}

export class Hearing {
  readonly #queue: JobQueue
  readonly #listener: Listener
  readonly #since: string | undefined
  readonly #events: Events
  /** Events up to which all was heard, or heard again: the time before, and the last. */
  #heard: readonly [string, string] = ['', '']

  /** Of what happens behind the event `since`, or from some moment soon on. */
  constructor(queue: JobQueue, since: string | undefined, listener: Listener) {
    this.#queue = queue
    this.#listener = listener
    this.#since = since
    this.#events = this.#open(since)
  }

  /** Listened to at once, for what is said to nobody is lost. */
  #open(since: string | undefined): Events {
    const { completed, failed, missed } = this.#listener
    const events = this.#queue.events(since)
    events.on('error', missed)
    events.on('completed', ({ jobId, returnvalue }) => completed(jobId, returnvalue as unknown as TaskDone))
    events.on('failed', ({ jobId, failedReason }) => failed(jobId, failedReason))
    return events
  }

  /** Resolves when all was heard that happened before. */
  async begin(): Promise<void> {
    const now = await listen(this.#queue, this.#events)
    if (this.#since !== undefined) await this.#all(this.#since)
    this.#heard = [this.#since ?? now, now]
  }

  async again(): Promise<void> {
    this.#heard = [this.#heard[1], await this.#all(this.#heard[0])]
  }

  /** All events behind one; gives that up to which they were heard. */
  async #all(since: string): Promise<string> {
    const events = this.#open(since)
    try {
      return await listen(this.#queue, events)
    } finally {
      await leave(events)
    }
  }

  close(): Promise<void> {
    return leave(this.#events)
  }
}

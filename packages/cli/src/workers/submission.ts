// One evaluation by workers. The queue holds a bounded number of its tasks at a time. Events say what is done; jobs of
// which nothing is heard are looked for. Those that are gone are over, and events are heard again, for PostgreSQL may
// skip one; or the queue has lost them, and they are submitted again.
import type { TaskPlan } from '../tasks/plan.ts'
import type { TaskDone } from '../tasks/task.ts'
import { jobOf } from './job.ts'
import { taskErrorOf } from './job-failure.ts'
import { leave, within } from './leave.ts'
import { Ledger } from './ledger.ts'
import { listen } from './listen.ts'
import { missingJobs } from './missing-jobs.ts'
import { type Events, idsIn, type JobQueue, type Jobs } from './queue.ts'
import { isAway, PATIENCE, QueueError } from './queue-error.ts'

export interface Asked {
  readonly isDone: (index: number) => boolean
  readonly tell: (done: TaskDone) => void
  /** Ends it, as Ctrl-C does; what waits is taken back. */
  readonly stop: AbortSignal
  /** Takes sentences for people: that nobody works, that the queue is away. */
  readonly notice: (text: string) => void
  /** Of an evaluation that goes on: the event behind which whatever is done is not told by `isDone`. */
  readonly since: string | undefined
}

/** Jobs in the queue at a time, enough for a thousand threads; and added at a time. */
export const WINDOW = 1024
const BATCH = 128
/** Milliseconds between two looks at the clock. */
const TICK = 250
/** Milliseconds without a word before jobs are looked for; twice as long each time. */
const QUIET = 500
const QUIETEST = 60_000
/** A job is looked for when so many are over that were submitted behind it. */
const OVERDUE = 32
/** Milliseconds that a queue may be away. */
const LONGEST_ABSENCE = 600_000
/** Milliseconds that chunks which are being computed have to end, when another has failed. */
const LAST_ORDERS = 30_000

export class Submission {
  readonly #queue: JobQueue
  readonly #plan: TaskPlan
  readonly #asked: Asked
  readonly #ledger: Ledger
  readonly #jobs: Jobs
  readonly #events: Events
  #end: (error?: Error) => void = () => {}
  #isReady = false
  #adding: Promise<void> | undefined
  #isLooking = false
  /** Of the chunks that failed, the lowest. */
  #failed: { readonly index: number; readonly reason: string } | undefined
  /** When the queue was last known to be there; when something was last heard of our jobs, or they were looked for. */
  #answered = Date.now()
  #heard = Date.now()
  #quiet = QUIET
  #isAway = false
  #isAlone = false
  /** Events up to which all was heard, or heard again: the time before, and the last. */
  #since: readonly [string, string] = ['', '']

  constructor(queue: JobQueue, plan: TaskPlan, asked: Asked) {
    this.#queue = queue
    this.#plan = plan
    this.#asked = asked
    this.#ledger = new Ledger(plan, asked.isDone, asked.since !== undefined)
    this.#jobs = queue.jobs()
    this.#events = queue.events(asked.since)
    this.#jobs.on('error', (error) => this.#missed(error))
    this.#hearFrom(this.#events)
  }

  async run(): Promise<void> {
    const { stop } = this.#asked
    const ended = new Promise<void>((resolve, reject) => {
      this.#end = (error) => (error === undefined ? resolve() : reject(error))
    })
    // It may end before anybody waits for it.
    ended.catch(() => {})
    const abort = (): void => this.#end(stop.reason)
    stop.addEventListener('abort', abort)
    const { since } = this.#asked
    if (since !== undefined) await this.#adopt()
    const now = await listen(this.#queue, this.#events)
    // What was over by then, and so was not found, is heard of now; again, for an event may have been skipped.
    if (since !== undefined) await this.#hearAll(since)
    this.#since = [since ?? now, now]
    const clock = setInterval(() => void this.#tick(), TICK)
    try {
      stop.throwIfAborted()
      this.#isReady = true
      this.#goOn()
      await ended
    } catch (error) {
      await within(PATIENCE, this.#takeBack())
      throw error
    } finally {
      clearInterval(clock)
      stop.removeEventListener('abort', abort)
    }
    if (this.#failed !== undefined) throw taskErrorOf(this.#failed.reason, this.#failed.index, this.#plan.count)
  }

  /** At once, for what is said to nobody is lost. */
  #hearFrom(events: Events): void {
    events.on('error', (error) => this.#missed(error))
    events.on('completed', ({ jobId: id, returnvalue }) => this.#onCompleted(id, returnvalue as unknown as TaskDone))
    events.on('failed', ({ jobId: id, failedReason }) => this.#onFailed(id, failedReason))
  }

  /** Whoever is away is not waited for. */
  async close(): Promise<void> {
    await leave(this.#events)
    await leave(this.#jobs)
  }

  #onCompleted(id: string, done: TaskDone): void {
    if (this.#ledger.settle(id) === undefined) return
    this.#hear()
    this.#isAlone = false
    if (!this.#asked.isDone(done.index)) this.#asked.tell(done)
    this.#goOn()
  }

  #onFailed(id: string, reason: string): void {
    const index = this.#ledger.settle(id)
    if (index === undefined) return
    this.#hear()
    if (this.#failed === undefined) {
      void within(PATIENCE, this.#takeBack()).then(() => this.#goOn())
      setTimeout(() => this.#end(), LAST_ORDERS).unref()
    }
    if (this.#failed === undefined || index < this.#failed.index) this.#failed = { index, reason }
    this.#goOn()
  }

  #goOn(): void {
    // Until all is heard of what was there before, nothing is known to be missing.
    if (!this.#isReady) return
    if (this.#ledger.isEmpty) this.#end()
    else this.#add()
  }

  /** Takes back what still waits; what is being computed stays. */
  async #takeBack(): Promise<void> {
    this.#ledger.stop()
    await this.#adding
    await Promise.all(this.#ledger.submitted.map((id) => this.#remove(id)))
  }

  async #remove(id: string): Promise<void> {
    if ((await this.#jobs.remove(id)) === 1) this.#ledger.settle(id)
  }

  /** What the evaluation that is gone on with left. Jobs of tasks that are done would write once all is over. */
  async #adopt(): Promise<void> {
    const needless = this.#ledger.adopt(await idsIn(this.#jobs))
    await Promise.all(needless.map((id) => this.#remove(id)))
  }

  #hear(): void {
    this.#answered = this.#heard = Date.now()
    this.#quiet = QUIET
    this.#isAway = false
  }

  #missed(error: Error): void {
    if (this.#isAway || !isAway(error)) return
    this.#isAway = true
    this.#asked.notice(`${new QueueError(this.#queue.url, error).message} Waiting for it to come back.`)
  }

  /** Submits as much as the queue may hold. */
  #add(): void {
    if (this.#adding !== undefined) return
    const indexes = this.#ledger.take(BATCH, WINDOW)
    if (indexes.length === 0) return
    this.#adding = this.#submit(indexes).then(() => {
      this.#adding = undefined
      this.#add()
    })
  }

  async #submit(indexes: readonly number[]): Promise<void> {
    try {
      await this.#jobs.addBulk(indexes.map((index) => jobOf(this.#plan, index)))
    } catch (error) {
      // What a queue that is away did not take is missed later.
      if (isAway(error)) this.#missed(error as Error)
      else this.#end(new QueueError(this.#queue.url, error))
    }
  }

  async #tick(): Promise<void> {
    const now = Date.now()
    if (now - this.#answered > LONGEST_ABSENCE) {
      const minutes = LONGEST_ABSENCE / 60_000
      this.#end(
        new QueueError(this.#queue.url, new Error(`it has been away for ${minutes} minutes. --resume goes on.`)),
      )
    }
    const isQuiet = now - this.#heard >= this.#quiet
    const doubtful = isQuiet ? this.#ledger.submitted : this.#ledger.overdue(OVERDUE)
    if (this.#isLooking || doubtful.length === 0) return
    this.#isLooking = true
    try {
      await this.#look(doubtful)
      if (isQuiet) await this.#askForHelp()
    } catch (error) {
      this.#missed(error as Error)
    } finally {
      this.#heard = Date.now()
      if (isQuiet) this.#quiet = Math.min(2 * this.#quiet, QUIETEST)
      this.#isLooking = false
    }
  }

  async #look(ids: readonly string[]): Promise<void> {
    const missing = await missingJobs(this.#jobs, ids)
    this.#answered = Date.now()
    if (missing.length === 0) return
    await this.#hearAgain()
    // Nothing is submitted any more once a chunk has failed.
    if (this.#failed !== undefined) for (const id of missing) this.#ledger.settle(id)
    const lost = missing.flatMap((id) => this.#ledger.renew(id) ?? [])
    for (let at = 0; at < lost.length; at += BATCH) await this.#submit(lost.slice(at, at + BATCH))
    this.#goOn()
  }

  /** All events since the time before: one that was late then is not missed a second time. */
  async #hearAgain(): Promise<void> {
    this.#since = [this.#since[1], await this.#hearAll(this.#since[0])]
  }

  /** All events behind one; gives that up to which they were heard. */
  async #hearAll(since: string): Promise<string> {
    const events = this.#queue.events(since)
    this.#hearFrom(events)
    try {
      return await listen(this.#queue, events)
    } finally {
      await leave(events)
    }
  }

  /** Says that nobody works, once until somebody does. */
  async #askForHelp(): Promise<void> {
    if (this.#isAlone || (await this.#jobs.getWorkersCount()) > 0) return
    this.#isAlone = true
    const { shown } = this.#queue.url
    this.#asked.notice(`No worker takes chunks from ${shown}. Start some: bcast worker ${shown}`)
  }
}

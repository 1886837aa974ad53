// One evaluation by workers. The queue holds a bounded number of its tasks at a time. Events say what is done; jobs of
// which nothing is heard are looked for. Those that are gone are over, and events are heard again, for PostgreSQL may
// skip one; or the queue has lost them, and they are submitted again.
import type { TaskPlan } from '../tasks/plan.ts'
import type { TaskDone } from '../tasks/task.ts'
import { Hearing } from './hearing.ts'
import { jobOf } from './job.ts'
import { taskErrorOf } from './job-failure.ts'
import { leave, within } from './leave.ts'
import { Ledger } from './ledger.ts'
import { missingJobs } from './missing-jobs.ts'
import { idsIn, type JobQueue, type Jobs } from './queue.ts'
import { atQueue, isAway, PATIENCE, QueueError } from './queue-error.ts'

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
  readonly #hearing: Hearing
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

  constructor(queue: JobQueue, plan: TaskPlan, asked: Asked) {
    this.#queue = queue
    this.#plan = plan
    this.#asked = asked
    this.#ledger = new Ledger(plan, asked.isDone, asked.since !== undefined)
    this.#jobs = queue.jobs()
    this.#jobs.on('error', (error) => this.#missed(error))
    this.#hearing = new Hearing(queue, asked.since, {
      completed: (id, done) => this.#onCompleted(id, done),
      failed: (id, reason) => this.#onFailed(id, reason),
      missed: (error) => this.#missed(error),
    })
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
    await atQueue(this.#queue.url, async () => {
      if (this.#asked.since !== undefined) await this.#adopt()
      // What was over by then, and so was not found, is heard of now.
      await this.#hearing.begin()
    })
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

  /** Whoever is away is not waited for. */
  async close(): Promise<void> {
    await this.#hearing.close()
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
    await this.#hearing.again()
    // Nothing is submitted any more once a chunk has failed.
    if (this.#failed !== undefined) for (const id of missing) this.#ledger.settle(id)
    const lost = missing.flatMap((id) => this.#ledger.renew(id) ?? [])
    for (let at = 0; at < lost.length; at += BATCH) await this.#submit(lost.slice(at, at + BATCH))
    this.#goOn()
  }

  /** Says that nobody works, once until somebody does. */
  async #askForHelp(): Promise<void> {
    if (this.#isAlone || (await this.#jobs.getWorkersCount()) > 0) return
    this.#isAlone = true
    const { shown } = this.#queue.url
    this.#asked.notice(`No worker takes chunks from ${shown}. Start some: bcast worker ${shown}`)
  }
}

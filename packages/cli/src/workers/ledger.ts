// Which tasks of a plan are still to be submitted, and which are submitted and not over.
import type { TaskPlan } from '../tasks/plan.ts'
import { jobId } from './job.ts'

interface Submitted {
  readonly index: number
  /** How many will be over when all that were submitted before it are. */
  readonly due: number
}

export class Ledger {
  readonly #plan: TaskPlan
  readonly #isDone: (index: number) => boolean
  #next = 0
  #settled = 0
  /** By the ids of their jobs, in the order of submission. */
  readonly #submitted = new Map<string, Submitted>()

  /** `isDone`: tasks that need no job. */
  constructor(plan: TaskPlan, isDone: (index: number) => boolean) {
    this.#plan = plan
    this.#isDone = isDone
    this.#skip()
  }

  #skip(): void {
    while (this.#next < this.#plan.count && this.#isDone(this.#next)) this.#next++
  }

  #submit(id: string, index: number): void {
    this.#submitted.set(id, { index, due: this.#settled + this.#submitted.size })
  }

  /** Ids of jobs that are submitted and not over, in the order of submission. */
  get submitted(): string[] {
    return [...this.#submitted.keys()]
  }

  /** Jobs of tasks that are done: of an evaluation that was killed, they count as submitted until they are over. */
  adopt(ids: readonly string[]): string[] {
    const start = jobId(this.#plan, '')
    const ours = ids.filter((id) => id.startsWith(start) && this.#isDone(Number(id.slice(start.length))))
    for (const id of ours) this.#submit(id, Number(id.slice(start.length)))
    return ours
  }

  /** Takes no further tasks. */
  stop(): void {
    this.#next = this.#plan.count
  }

  get isEmpty(): boolean {
    return this.#submitted.size === 0 && this.#next >= this.#plan.count
  }

  /** Further tasks, as many as `batch`, unless more than `window` would be submitted then; they count as submitted. */
  take(batch: number, window: number): number[] {
    const taken: number[] = []
    const isFull = this.#submitted.size + batch > window
    while (!isFull && taken.length < batch && this.#next < this.#plan.count) {
      taken.push(this.#next)
      this.#submit(jobId(this.#plan, this.#next), this.#next)
      this.#next++
      this.#skip()
    }
    return taken
  }

  /** The task of a job that is over; undefined where it is none of ours, or was over before. */
  settle(id: string): number | undefined {
    const index = this.#submitted.get(id)?.index
    if (this.#submitted.delete(id)) this.#settled++
    return index
  }

  /** The task of a job that is not over, as if it were submitted now. */
  renew(id: string): number | undefined {
    const index = this.#submitted.get(id)?.index
    if (index === undefined) return undefined
    this.#submitted.delete(id)
    this.#submit(id, index)
    return index
  }

  /** Jobs that are not over though `count` are that were submitted behind them. */
  overdue(count: number): string[] {
    const ids: string[] = []
    for (const [id, { due }] of this.#submitted) {
      if (this.#settled - due < count) break
      ids.push(id)
    }
    return ids
  }
}

// Which tasks of a plan are still to be submitted, and which are submitted and not over.
import type { TaskPlan } from '../tasks/plan.ts'
import { indexOf, jobId } from './job.ts'

interface Submitted {
  readonly index: number
  /** How many will be over when all that were submitted before it are. */
  readonly due: number
}

export class Ledger {
  readonly #plan: TaskPlan
  readonly #isDone: (index: number) => boolean
  readonly #isResumed: boolean
  /** Tasks that were over before it was their turn to be submitted. */
  readonly #ahead = new Set<number>()
  #next = 0
  #settled = 0
  /** By the ids of their jobs, in the order of submission. */
  readonly #submitted = new Map<string, Submitted>()

  /** `isDone`: tasks that need no job. With `isResumed` jobs of ours may be there that are submitted by nobody here. */
  constructor(plan: TaskPlan, isDone: (index: number) => boolean, isResumed: boolean) {
    this.#plan = plan
    this.#isDone = isDone
    this.#isResumed = isResumed
    this.#skip()
  }

  #skip(): void {
    const needsNone = (index: number): boolean =>
      this.#isDone(index) || this.#ahead.has(index) || this.#submitted.has(jobId(this.#plan, index))
    while (this.#next < this.#plan.count && needsNone(this.#next)) this.#next++
  }

  #submit(id: string, index: number): void {
    this.#submitted.set(id, { index, due: this.#settled + this.#submitted.size })
  }

  /** Ids of jobs that are submitted and not over, in the order of submission. */
  get submitted(): string[] {
    return [...this.#submitted.keys()]
  }

  /** Jobs that somebody else submitted; those of this plan count as if they were ours. Gives those of done tasks. */
  adopt(ids: readonly string[]): string[] {
    return ids.filter((id) => {
      const index = indexOf(this.#plan, id)
      if (index === undefined || this.#ahead.has(index)) return false
      this.#submit(id, index)
      return this.#isDone(index)
    })
  }

  /** Takes no further tasks. */
  stop(): void {
    this.#next = this.#plan.count
  }

  get isEmpty(): boolean {
    this.#skip()
    return this.#submitted.size === 0 && this.#next >= this.#plan.count
  }

  /** Further tasks, as many as `batch`, unless more than `window` would be submitted then; they count as submitted. */
  take(batch: number, window: number): number[] {
    const taken: number[] = []
    this.#skip()
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
    const index = this.#submitted.get(id)?.index ?? this.#indexAhead(id)
    if (index === undefined) return undefined
    if (this.#submitted.delete(id)) this.#settled++
    // Also of one that was adopted: its turn would still come.
    if (index >= this.#next) {
      this.#ahead.add(index)
      this.#skip()
    }
    return index
  }

  /** The task of a job that is still to be submitted here. */
  #indexAhead(id: string): number | undefined {
    const index = this.#isResumed ? indexOf(this.#plan, id) : undefined
    const isAhead = index !== undefined && index >= this.#next && !this.#isDone(index) && !this.#ahead.has(index)
    return isAhead ? index : undefined
  }

  /** The task of a job that is gone and not over, as if it were submitted now; undefined where it needs none. */
  renew(id: string): number | undefined {
    const index = this.#submitted.get(id)?.index
    if (index === undefined) return undefined
    if (this.#isDone(index)) {
      this.settle(id)
      return undefined
    }
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

// Whether computing or moving bytes takes the time. Most expressions wait for files, and more threads would only take the
// processor from those that read and write; where computing is what takes long, all cores are worth it.
import { availableParallelism } from 'node:os'
import { configure } from 'bcast'

/** Tiles after which it is settled; the first ones compile. */
const WARM_UP = 2
const TRIAL = 8

const setThreads = (threads: number): void => configure({ threads })

export class Workload {
  readonly #setThreads: (threads: number) => void
  readonly #now: () => number
  #tiles = 0
  #computing = 0
  #start = 0

  constructor(set: (threads: number) => void = setThreads, now: () => number = () => performance.now()) {
    this.#setThreads = set
    this.#now = now
    set(1)
  }

  /** Computes a tile. */
  measure(compute: () => void): void {
    const before = this.#now()
    compute()
    const after = this.#now()
    this.#tiles++
    if (this.#tiles === WARM_UP) this.#start = after
    if (this.#tiles <= WARM_UP || this.#tiles > TRIAL) return
    this.#computing += after - before
    const isBusy = this.#computing > (after - this.#start) / 2
    if (this.#tiles === TRIAL && isBusy) this.#setThreads(availableParallelism())
  }
}

// Whether computing or moving bytes takes the time. Most expressions wait for files, and more threads would only take the
// processor from those that read and write; where computing is what takes long, all cores are worth it.
import { availableParallelism } from 'node:os'
import { configure } from 'bcast'

/** Tiles after which it is settled; the first ones compile. */
const WARM_UP = 2
const TRIAL = 8

export class Workload {
  #tiles = 0
  #computing = 0
  #start = 0

  constructor() {
    configure({ threads: 1 })
  }

  /** Computes a tile. */
  measure(compute: () => void): void {
    const before = performance.now()
    compute()
    this.#tiles++
    if (this.#tiles === WARM_UP) this.#start = performance.now()
    if (this.#tiles <= WARM_UP || this.#tiles > TRIAL) return
    this.#computing += performance.now() - before
    if (this.#tiles === TRIAL && this.#computing > (performance.now() - this.#start) / 2) {
      configure({ threads: availableParallelism() })
    }
  }
}

// Runs what it is given, a few at a time; a slot is free again when what ran in it has ended.

export class Slots {
  readonly #running: Promise<void>[] = []
  readonly #count: number
  #next = 0

  constructor(count: number) {
    this.#count = count
  }

  /** Begins when a slot is free; fails where what ran there before has failed. */
  async run(task: (slot: number) => Promise<void>): Promise<void> {
    const slot = this.#next
    this.#next = (slot + 1) % this.#count
    await this.#running[slot]
    this.#running[slot] = task(slot)
    // It is looked at when its slot is wanted again, or at the end.
    this.#running[slot].catch(() => {})
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.#running)
    await Promise.all(this.#running)
  }
}

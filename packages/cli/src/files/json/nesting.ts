// Nested lists as a shape: which sizes they have, and where the first odd one is.

/** Says what is wrong and at which index; the reader adds the place in the text. */
export class NestingError extends Error {}

/** How deep lists nest that are read or written. */
export const DEEPEST = 64

export class Nesting {
  /** Size of the lists at each depth, from the first that ended. */
  readonly #sizes: number[] = []
  /** Entries so far of each list that is open. */
  readonly #open: number[] = []
  /** Depth of elements, known from the first one or from the first empty list. */
  #rank: number | undefined

  get depth(): number {
    return this.#open.length
  }

  /** Valid when all lists have ended. */
  get shape(): readonly number[] {
    return this.#sizes
  }

  /** Index of the entry that came last. */
  place(): string {
    return this.depth === 0 ? 'at the top' : `at [${this.#open.map((count) => count - 1).join(', ')}]`
  }

  #ragged(problem: string): NestingError {
    return new NestingError(`ragged nesting ${this.place()}: ${problem}`)
  }

  #entry(): void {
    if (this.depth > 0) this.#open[this.depth - 1]!++
  }

  begin(): void {
    this.#entry()
    if (this.depth === this.#rank) throw this.#ragged('a list where its neighbours are elements')
    if (this.depth === DEEPEST) throw new NestingError(`lists nest more than ${DEEPEST} deep`)
    this.#open.push(0)
  }

  element(): void {
    this.#entry()
    this.#rank ??= this.depth
    if (this.depth !== this.#rank) throw this.#ragged('an element where its neighbours are lists')
  }

  end(): void {
    const size = this.#open.pop()!
    if (size === 0) this.#rank ??= this.depth + 1
    const expected = (this.#sizes[this.depth] ??= size)
    if (size !== expected) throw this.#ragged(`${size} entries where its neighbours have ${expected}`)
  }
}

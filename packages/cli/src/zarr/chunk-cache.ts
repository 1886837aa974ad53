// What was decoded, kept as long as there is room, so that blocks which share a chunk decode it once. What is under way
// is kept, too: who asks meanwhile waits for the same. The one that was not used for longest goes first.

interface Entry {
  readonly bytes: number
  readonly value: Promise<unknown>
}

/** What was asked for, and whether others may be given the same. */
export interface Found<T> {
  readonly value: T
  readonly isKept: boolean
}

export class ChunkCache {
  readonly #most: number
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  /** What was kept under a key, or what `make` gives; it is kept when it is said to be worth it and there is room. */
  async get<T>(key: string, bytes: number, isKept: boolean, make: () => Promise<T>): Promise<Found<T>> {
    const found = this.#entries.get(key)
    if (found !== undefined) {
      // Behind all others: maps keep the order in which entries came.
      this.#entries.delete(key)
      this.#entries.set(key, found)
      return { value: (await found.value) as T, isKept: true }
    }
    if (!isKept || bytes > this.#most) return { value: await make(), isKept: false }
    while (this.#bytes + bytes > this.#most) this.#drop(this.#entries.keys().next().value!)
    const value = make()
    this.#entries.set(key, { bytes, value })
    this.#bytes += bytes
    value.catch(() => this.#entries.get(key)?.value === value && this.#drop(key))
    return { value: await value, isKept: true }
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)!.bytes
    this.#entries.delete(key)
  }
}

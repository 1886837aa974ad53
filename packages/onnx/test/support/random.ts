// Random numbers by the one seed, the same on every machine.
import { seedOf } from '../../../../testing/seed.ts'

export class Random {
  #state: number

  constructor(stream: number) {
    this.#state = seedOf(stream) >>> 0
  }

  /** From 0 to 1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer from least to most. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  chance(probability = 0.5): boolean {
    return this.next() < probability
  }

  pick<T>(...from: readonly T[]): T {
    return from[this.int(0, from.length - 1)]!
  }

  ints(count: number, least: number, most: number): number[] {
    return Array.from({ length: count }, () => this.int(least, most))
  }
}

// Whether a process that says nothing hangs. The clock does not tell: on a busy machine a process may wait minutes for a
// core. So it hangs once it has computed for long without a word, or said nothing for very long.
import { readFileSync } from 'node:fs'

/** Milliseconds of the unit that /proc counts in, on every Linux. */
const TICK = 10

/** Milliseconds that a process has computed; undefined where the system does not say. */
function processorTime(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The program's name stands in parentheses and may hold anything; of what follows, 11 and 12 are the times.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK
  } catch {
    return undefined
  }
}

/** In milliseconds. */
export interface Patience {
  readonly computing: number
  readonly waiting: number
}

export class Silence {
  readonly #pid: number
  readonly #patience: Patience
  #clock = 0
  #processor: number | undefined

  constructor(pid: number, patience: Patience) {
    this.#pid = pid
    this.#patience = patience
    this.broken()
  }

  /** The process said something. */
  broken(): void {
    this.#clock = performance.now()
    this.#processor = processorTime(this.#pid)
  }

  /** How the process hangs, or undefined. */
  hang(): string | undefined {
    const waited = performance.now() - this.#clock
    const now = processorTime(this.#pid)
    const computed = now === undefined || this.#processor === undefined ? waited : now - this.#processor
    const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 1000)} s`
    if (computed >= this.#patience.computing) return `computed ${seconds(computed)}`
    return waited >= this.#patience.waiting ? `waited ${seconds(waited)}` : undefined
  }
}

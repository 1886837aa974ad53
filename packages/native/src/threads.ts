// Threads of the system that help whoever shares a task with them. They are started when they are first asked for, and stay.

import * as arm64 from './arm64/threads.ts'
import type { CodeMemory } from './code.ts'
import type { Level } from './levels.ts'
import { SHARED_BYTES } from './machine/task-places.ts'
import * as x86 from './x86/threads.ts'

export class Threads {
  readonly #memory: CodeMemory
  readonly #writer: typeof x86 | typeof arm64
  /** What they share, and the code that they run; undefined where there is no memory for it. */
  #shared: bigint | undefined
  #code = 0n
  #started = 0
  #mayStart = true
  /** The function that shares tasks told in a memory, by where it begins. */
  readonly #share = new Map<number, (task: number) => number>()

  constructor(memory: CodeMemory, level: Level) {
    this.#memory = memory
    this.#writer = level === 'neon' ? arm64 : x86
  }

  /** How many threads take part where so many are wanted, the calling one included. */
  ready(wanted: number): number {
    while (this.#mayStart && this.#started < wanted - 1) {
      if (this.#shared === undefined) {
        this.#shared = this.#memory.reserve(SHARED_BYTES)
        if (this.#shared !== undefined) this.#code = this.#memory.keep(this.#writer.threadCode())
      }
      const number = BigInt(this.#started + 1)
      this.#mayStart = this.#shared !== undefined && this.#memory.startThread(this.#code, this.#shared + number)
      if (this.#mayStart) this.#started++
    }
    return Math.min(wanted, this.#started + 1)
  }

  /** Runs a task that is told so far from where a memory begins; gives 1 when an element had no value. */
  share(base: number, task: number): number {
    let share = this.#share.get(base)
    if (share === undefined) {
      share = this.#memory.load(this.#writer.shareCode(this.#shared!, BigInt(base))).run
      this.#share.set(base, share)
    }
    return share(task)
  }
}

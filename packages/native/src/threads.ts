// Threads of the system that help whoever shares a task with them. They are started when they are first asked for, and stay.

import { isMainThread } from 'node:worker_threads'
import * as arm64 from './arm64/threads.ts'
import type { CodeMemory } from './code.ts'
import type { Level } from './levels.ts'
import { SHARED_BYTES } from './machine/task-places.ts'
import { Unsupported } from './machine/unsupported.ts'
import * as x86 from './x86/threads.ts'

export class Threads {
  readonly #memory: CodeMemory
  readonly #writer: typeof x86 | typeof arm64
  /** What they share, and the code that they run; undefined where there is no memory for it. */
  #shared: bigint | undefined
  #code: bigint | undefined
  #started = 0
  #mayStart = true
  /** The function that shares tasks told in a memory, by where it begins. */
  readonly #share = new Map<number, ((task: number) => number) | undefined>()

  constructor(memory: CodeMemory, level: Level) {
    this.#memory = memory
    this.#writer = level === 'neon' ? arm64 : x86
  }

  /** How many threads take part where so many are wanted, the calling one included. */
  ready(wanted: number): number {
    // What another thread of JavaScript starts would stay when that one is ended; it has threads of its own kind.
    if (!isMainThread) return 1
    while (this.#mayStart && this.#started < wanted - 1) {
      this.#mayStart = this.#start(this.#started + 1)
      if (this.#mayStart) this.#started++
    }
    return Math.min(wanted, this.#started + 1)
  }

  /** Runs a task that is told so far from where a memory begins; undefined where there is no memory for the code of it. */
  share(base: number, task: number): number | undefined {
    if (!this.#share.has(base)) this.#share.set(base, this.#shareOver(base))
    return this.#share.get(base)?.(task)
  }

  #shareOver(base: number): ((task: number) => number) | undefined {
    try {
      return this.#memory.load(this.#writer.shareCode(this.#shared!, BigInt(base))).run
    } catch (error) {
      if (error instanceof Unsupported) return undefined
      throw error
    }
  }

  /** Starts one more; false where there is none to be had. */
  #start(number: number): boolean {
    try {
      this.#shared ??= this.#memory.reserve(SHARED_BYTES)
      if (this.#shared === undefined) return false
      this.#code ??= this.#memory.keep(this.#writer.threadCode())
      return this.#memory.startThread(this.#code, this.#shared + BigInt(number))
    } catch (error) {
      if (error instanceof Unsupported) return false
      throw error
    }
  }
}

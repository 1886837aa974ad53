// Worker threads over the shared memory. They start on the first task that is worth sharing, never keep a process
// alive, and take parts of it beside the calling thread; a thread that has not started yet simply takes none.
import type { Arena } from '../memory/arena.ts'
import type { Task } from '../task.ts'
import * as CONTROL from './control.ts'
import type { ThreadMeans } from './means.ts'
import { type FirstMessage, openStep, stepWords } from './protocol.ts'
import { startThread, type Thread } from './start.ts'

/** How often to look whether the others are done before sleeping. */
const LOOKS = 10_000

/** Kernels that stay where threads find them; the oldest go first. */
const MAX_PLACED = 16

/** How long a part taken by another thread may stay out before the call gives up on it. */
const PATIENCE_MS = 60_000

export class ThreadPool {
  readonly means: ThreadMeans
  readonly #arena: Arena
  readonly #control: number
  readonly #words: Int32Array
  readonly #workers: (Thread | undefined)[] = []
  /** Numbers of the threads that have been started and are not gone. */
  readonly #alive = new Set<number>()
  /** Where the bytes of kernels lie, by the kernels' numbers. */
  readonly #placed = new Map<number, { readonly at: number; readonly bytes: number }>()
  readonly #patience: number
  #startable = true
  #failed = false

  /**
   * `control`: where the control block lies, for which a full arena would have no room. `patience`: how many milliseconds
   * a part taken by another thread may stay out.
   */
  constructor(arena: Arena, means: ThreadMeans, control: number, patience: number = PATIENCE_MS) {
    this.means = means
    this.#arena = arena
    this.#patience = patience
    this.#control = control
    this.#words = new Int32Array(arena.buffer, control, CONTROL.BYTES / 4)
    this.#words.fill(0)
  }

  /** Whether a thread went away with a part: it may still write, so the memory must not be used again. */
  get failed(): boolean {
    return this.#failed
  }

  /** Whether a queue is with the threads; no task may be shared with them then. */
  busy = false
  /** Called when the last thread is gone. */
  whenGone: (() => void) | undefined

  /** Whether any thread has been started and is not gone. */
  get alive(): boolean {
    return this.#alive.size > 0
  }

  get words(): Int32Array {
    return this.#words
  }

  get patience(): number {
    return this.#patience
  }

  /** Gives the threads up. */
  fail(): void {
    this.#failed = true
    for (const worker of this.#workers) worker?.terminate()
  }

  /** Lets `count` threads take parts beside the calling one, starting those that are missing. */
  start(count: number): void {
    const { inNode, warn } = this.means
    this.#words[CONTROL.threads] = count
    while (this.#startable && this.#workers.length < count) {
      const number = this.#workers.length
      const data: FirstMessage = { memory: this.#arena.memory, control: this.#control, number }
      this.#alive.add(number)
      // A platform may refuse: a policy, a file that a bundle left out. The calling thread then does all parts.
      const gone = (why: string): void => {
        if (this.#failed || !this.#alive.delete(number)) return
        if (this.#startable)
          warn(
            `worker threads do not run here, so it computes on the calling thread: the same results, slower. Cause: ${why}`,
          )
        this.#startable = false
        if (!this.alive) this.whenGone?.()
      }
      this.#workers.push(startThread(inNode, data, gone))
    }
  }

  /** Puts a kernel where threads find it, for as long as it is one of the last; undefined where there is no room. */
  #place({ id, bytes }: Task): number | undefined {
    const known = this.#placed.get(id)
    if (known !== undefined) return known.at
    const arena = this.#arena
    const at = arena.allocate(bytes.length)
    if (at === undefined) return undefined
    new Uint8Array(arena.buffer, at, bytes.length).set(bytes)
    if (this.#placed.size >= MAX_PLACED) {
      const [oldest, gone] = this.#placed.entries().next().value!
      this.#placed.delete(oldest)
      arena.free(gone.at, gone.bytes)
    }
    this.#placed.set(id, { at, bytes: bytes.length })
    return at
  }

  /** Runs all parts of a task, together with the other threads; gives 1 when an element had no value. */
  share(task: Task): number {
    const words = this.#words
    const at = this.#place(task)
    if (at === undefined) return this.means.runAlone(task)
    openStep(words, stepWords(task, at), this.#arena.pages, undefined)
    this.#takeParts(task)
    this.#awaitOthers(task.parts)
    if (words[CONTROL.crashed] !== 0)
      throw new this.means.EngineError('a kernel failed on one of the threads; the result is incomplete')
    return words[CONTROL.fault]!
  }

  /** Runs parts until none is left. A part that fails still counts as done: others may be at work on the memory. */
  #takeParts({ run, parametersAt, parametersSize }: Task): void {
    const words = this.#words
    for (;;) {
      const ticket = Atomics.load(words, CONTROL.ticket)
      const left = ticket & 0xff
      if (left === 0) return
      if (Atomics.compareExchange(words, CONTROL.ticket, ticket, ticket - 1) !== ticket) continue
      try {
        if (run(parametersAt + (left - 1) * parametersSize) !== 0) Atomics.store(words, CONTROL.fault, 1)
      } catch {
        Atomics.store(words, CONTROL.crashed, 1)
      }
      Atomics.add(words, CONTROL.done, 1)
    }
  }

  #awaitOthers(parts: number): void {
    // The last parts usually end together, and waking up takes longer than looking a few times.
    for (let looks = 0; looks < LOOKS; looks++) if (Atomics.load(this.#words, CONTROL.done) === parts) return
    for (;;) {
      const done = Atomics.load(this.#words, CONTROL.done)
      if (done === parts) return
      if (Atomics.wait(this.#words, CONTROL.done, done, this.#patience) === 'timed-out') {
        this.fail()
        throw new this.means.EngineError('a worker thread stopped answering; the result is incomplete')
      }
    }
  }
}

// Tasks for the threads alone: the calling thread describes them, goes on with other things, and hears of it when the
// last is done. Parameters and copies of operands lie in blocks of the queue's own, so that nothing computed meanwhile
// touches them; the threads go from step to step by themselves, however busy the calling thread is.
import type { Arena } from '../memory/arena.ts'
import type { Runner, Task } from '../task.ts'
import * as CONTROL from './control.ts'
import type { ThreadPool } from './pool.ts'
import { openStep, stepWords } from './protocol.ts'
import { timers, waitAsync } from './timers.ts'

/** A queue of this many bytes, or tasks, is run before more is put into it: preparing it must not take long. */
const FULL = 1 << 23
const MANY = 256
/** How often to look where the platform cannot call back when a word changes, in milliseconds. */
const GLANCE_MS = 2

/** Describes tasks to a runner, which runs them `now` or not; false after a fault. */
export type QueueStep = (runner: Runner, now: boolean) => boolean

/** Says that the arena is full. */
class NoRoom extends Error {}

/** What a queue needs of a backend. */
export interface QueueHome {
  readonly arena: Arena
  readonly pool: ThreadPool
  /** Threads that compute. */
  readonly threads: number
  /** Runs at once what finds no room in a queue. */
  readonly runner: Runner
}

export class TaskQueue implements Runner {
  readonly #home: QueueHome
  readonly #check: () => void
  #tasks: Task[] = []
  #after: (() => void)[] = []
  #blocks: { readonly address: number; readonly bytes: number }[] = []
  /** Bytes of its blocks. */
  #bytes = 0

  /** `check` throws where operands outside the arena are not what they were; it is asked before they are used. */
  constructor(home: QueueHome, check: () => void) {
    this.#home = home
    this.#check = check
  }

  get full(): boolean {
    return this.#bytes >= FULL || this.#tasks.length >= MANY
  }

  /** The address of a block that is the queue's until it has run; only inside a step. */
  #room(bytes: number): number {
    const address = this.#home.arena.allocate(bytes)
    if (address === undefined) throw new NoRoom()
    this.#blocks.push({ address, bytes })
    this.#bytes += bytes
    return address
  }

  parameters(bytes: number): number {
    return this.#room(bytes)
  }

  copies(bytes: number): number {
    return this.#room(bytes)
  }

  before(work: () => void): void {
    work()
  }

  after(work: () => void): void {
    this.#after.push(work)
  }

  run(task: Task): boolean {
    this.#tasks.push(task)
    return true
  }

  /** Puts the tasks of a step behind the others; false, having changed nothing, where there is no room for it. */
  add(step: QueueStep): boolean {
    this.#check()
    const [tasks, after] = [this.#tasks.length, this.#after.length]
    try {
      return step(this, false)
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error
      this.#tasks.length = tasks
      this.#after.length = after
      return false
    }
  }

  /** Runs everything put into it and empties it; gives whether every element had a value. */
  async flush(): Promise<boolean> {
    if (this.#tasks.length === 0) return true
    if ((await this.#runTasks()) !== 0) return false
    this.#check()
    for (const work of this.#after) work()
    this.free()
    return true
  }

  /** Gives its blocks back, whatever has become of it. */
  free(): void {
    for (const { address, bytes } of this.#blocks) this.#home.arena.free(address, bytes)
    this.#tasks = []
    this.#after = []
    this.#blocks = []
    this.#bytes = 0
  }

  #runTasks(): number | Promise<number> {
    const tasks = this.#tasks
    const { pool, threads, arena } = this.#home
    if (pool.failed) throw new pool.means.EngineError('the worker threads were given up; the result is incomplete')
    pool.start(threads)
    const table = pool.alive ? this.#table() : undefined
    return table === undefined ? runAllAlone(pool, tasks) : follow(pool, tasks, table, arena.pages)
  }

  /** Steps, and the kernels they need, as the threads read them; undefined where there is no room. */
  #table(): Int32Array | undefined {
    const { arena } = this.#home
    const kernels = new Map<number, number>()
    try {
      for (const { id, bytes } of this.#tasks) {
        if (kernels.has(id)) continue
        const at = this.#room(bytes.length)
        new Uint8Array(arena.buffer, at, bytes.length).set(bytes)
        kernels.set(id, at)
      }
      const table = this.#room(this.#tasks.length * CONTROL.STEP_WORDS * 4)
      const words = new Int32Array(arena.buffer, table, this.#tasks.length * CONTROL.STEP_WORDS)
      this.#tasks.forEach((task, i) => {
        words.set(stepWords(task, kernels.get(task.id)!), i * CONTROL.STEP_WORDS)
      })
      return words
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error
      return undefined
    }
  }
}

const runAllAlone = ({ means }: ThreadPool, tasks: readonly Task[]): number =>
  tasks.every((task) => means.runAlone(task) === 0) ? 0 : 1

/** Opens the first step and waits, without blocking, for the threads to end the last. */
async function follow(threads: ThreadPool, tasks: readonly Task[], table: Int32Array, pages: number): Promise<number> {
  const { words } = threads
  threads.busy = true
  try {
    const ended = Atomics.load(words, CONTROL.ended)
    const rest = { steps: tasks.length - 1, at: table.byteOffset + CONTROL.STEP_WORDS * 4 }
    const ticket = openStep(words, table, pages, rest)
    // Nobody has begun as long as all parts of the first step are there; taking them all makes sure that nobody will.
    const takeBack = (): boolean => Atomics.compareExchange(words, CONTROL.ticket, ticket, ticket & ~0xff) === ticket
    if (!(await untilEnded(threads, ended, takeBack))) return runAllAlone(threads, tasks)
  } finally {
    threads.busy = false
  }
  if (words[CONTROL.crashed] !== 0)
    throw new threads.means.EngineError('a kernel failed on one of the threads; the result is incomplete')
  return words[CONTROL.fault]!
}

/** Resolves with true when the threads have ended a table of steps, with false when they are gone and it could be taken back. */
function untilEnded(threads: ThreadPool, ended: number, takeBack: () => boolean): Promise<boolean> {
  const { words, patience } = threads
  return new Promise((resolve, reject) => {
    const progress = (): string => `${Atomics.load(words, CONTROL.ticket)} ${Atomics.load(words, CONTROL.done)}`
    let seen = progress()
    let glance: unknown
    let over = false
    const settle = (): void => {
      over = true
      timers.clearInterval(watch)
      timers.clearInterval(glance)
      threads.whenGone = undefined
    }
    const look = (): boolean => {
      if (Atomics.load(words, CONTROL.ended) === ended) return false
      settle()
      resolve(true)
      return true
    }
    const giveUp = (): void => {
      if (look()) return
      settle()
      if (takeBack()) resolve(false)
      else {
        threads.fail()
        Atomics.notify(words, CONTROL.ended)
        reject(new threads.means.EngineError('a worker thread stopped answering; the result is incomplete'))
      }
    }
    // Threads do not keep a process alive, nor does waiting for them: this timer does.
    const watch = timers.setInterval(() => {
      const now = progress()
      if (now === seen) giveUp()
      seen = now
    }, patience)
    threads.whenGone = giveUp
    const wait = (): void => {
      const waiting = waitAsync?.(words, CONTROL.ended, ended)
      if (waiting === undefined) glance = timers.setInterval(look, GLANCE_MS)
      // What wakes it may be the thread that ended the table before, so late that this one waits already.
      else if (waiting.async) waiting.value.then(() => over || look() || wait())
      // It is over already; still other things must have their turn between one table and the next.
      else threads.means.nextTurn(look)
    }
    wait()
  })
}

/**
 * Runs steps on the threads, as many at a time as there is room for; gives whether every element had a value. A step
 * that finds no room even in an empty queue runs on the calling thread.
 */
export async function runSteps(home: QueueHome, steps: Iterable<QueueStep>, check: () => void): Promise<boolean> {
  const queue = new TaskQueue(home, check)
  try {
    for (const step of steps) {
      if (queue.full && !(await queue.flush())) return false
      if (queue.add(step)) continue
      // There may be room once what was queued has run; without, the step runs here.
      if (!(await queue.flush())) return false
      if (!queue.add(step) && !step(home.runner, true)) return false
    }
    return await queue.flush()
  } finally {
    queue.free()
  }
}

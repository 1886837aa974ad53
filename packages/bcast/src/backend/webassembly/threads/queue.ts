// Tasks for the threads alone: the calling thread describes them, goes on with other things, and hears of it when the
// last is done. Parameters and copies of operands lie in blocks of the batch's own, so that nothing computed meanwhile
// touches them; the threads go from step to step by themselves, however busy the calling thread is.
import { EngineError } from '../../../errors/index.ts'
import { nextTurn, timers, waitAsync } from '../../platform.ts'
import type { Engine, TaskList } from '../engine.ts'
import { CONTROL, runAlone, type SharedTask, type Threads } from './pool.ts'

/** A batch of this many bytes, or tasks, is run before more is put into it: preparing it must not take long. */
const FULL = 1 << 23
const MANY = 256
/** Words that describe a step to the threads; worker.js reads the same. */
const STEP_WORDS = 6
/** How often to look where the platform cannot call back when a word changes, in milliseconds. */
const GLANCE_MS = 2

/** Work whose tasks run at once, or are put aside where the engine does that; false after a fault. */
export type Step = () => boolean

/** Says that the arena is full. */
class NoRoom extends Error {}

export class Batch implements TaskList {
  readonly #engine: Engine
  readonly #check: () => void
  #tasks: SharedTask[] = []
  #after: (() => void)[] = []
  #blocks: { readonly address: number; readonly bytes: number }[] = []
  /** Bytes of its blocks. */
  #bytes = 0

  /** `check` throws where operands outside the arena are not what they were; it is asked before they are used. */
  constructor(engine: Engine, check: () => void) {
    this.#engine = engine
    this.#check = check
  }

  get full(): boolean {
    return this.#bytes >= FULL || this.#tasks.length >= MANY
  }

  /** The address of a block that is the batch's until it has run; only inside a step. */
  room(bytes: number): number {
    const address = this.#engine.arena.allocate(bytes)
    if (address === undefined) throw new NoRoom()
    this.#blocks.push({ address, bytes })
    this.#bytes += bytes
    return address
  }

  add(task: SharedTask): void {
    this.#tasks.push(task)
  }

  /** Has something done when all tasks have ended well. */
  after(work: () => void): void {
    this.#after.push(work)
  }

  /** Puts the tasks of a step behind the others; false, having changed nothing, where there is no room for it. */
  record(step: Step): boolean {
    this.#check()
    const [tasks, after] = [this.#tasks.length, this.#after.length]
    this.#engine.aside = this
    try {
      return step()
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error
      this.#tasks.length = tasks
      this.#after.length = after
      return false
    } finally {
      this.#engine.aside = undefined
    }
  }

  /** Runs everything put into it and empties it; gives whether every element had a value. */
  async run(): Promise<boolean> {
    if (this.#tasks.length === 0) return true
    if ((await this.#runTasks()) !== 0) return false
    this.#check()
    for (const work of this.#after) work()
    this.free()
    return true
  }

  /** Gives its blocks back, whatever has become of it. */
  free(): void {
    for (const { address, bytes } of this.#blocks) this.#engine.arena.free(address, bytes)
    this.#tasks = []
    this.#after = []
    this.#blocks = []
    this.#bytes = 0
  }

  #runTasks(): number | Promise<number> {
    const tasks = this.#tasks
    const { team, threads } = this.#engine
    if (team.failed) throw new EngineError('the worker threads were given up; the result is incomplete')
    team.start(threads)
    const table = team.alive ? this.#describe() : undefined
    return table === undefined ? runAllAlone(tasks) : follow(team, tasks, table, this.#engine.arena.pages)
  }

  /** Steps, and the kernels they need, as the threads read them; undefined where there is no room. */
  #describe(): Int32Array | undefined {
    const { arena } = this.#engine
    const kernels = new Map<number, number>()
    try {
      for (const { id, bytes } of this.#tasks) {
        if (kernels.has(id)) continue
        const at = this.room(bytes.length)
        new Uint8Array(arena.buffer, at, bytes.length).set(bytes)
        kernels.set(id, at)
      }
      const table = this.room(this.#tasks.length * STEP_WORDS * 4)
      const words = new Int32Array(arena.buffer, table, this.#tasks.length * STEP_WORDS)
      this.#tasks.forEach(({ id, bytes, parametersAt, parametersSize, parts }, i) => {
        words.set([id, kernels.get(id)!, bytes.length, parametersAt, parametersSize, parts], i * STEP_WORDS)
      })
      return words
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error
      return undefined
    }
  }
}

const runAllAlone = (tasks: readonly SharedTask[]): number => (tasks.every((task) => runAlone(task) === 0) ? 0 : 1)

/** Opens the first step and waits, without blocking, for the threads to end the last. */
async function follow(
  threads: Threads,
  tasks: readonly SharedTask[],
  table: Int32Array,
  pages: number,
): Promise<number> {
  const { words } = threads
  threads.busy = true
  try {
    words[CONTROL.fault] = 0
    words[CONTROL.crashed] = 0
    words.set(table.subarray(0, STEP_WORDS - 1), CONTROL.kernel)
    words[CONTROL.pages] = pages
    words[CONTROL.parts] = tasks[0]!.parts
    words[CONTROL.stepsLeft] = tasks.length - 1
    words[CONTROL.nextStep] = table.byteOffset + STEP_WORDS * 4
    Atomics.store(words, CONTROL.done, 0)
    const ended = Atomics.load(words, CONTROL.ended)
    const ticket = ((Atomics.load(words, CONTROL.ticket) & ~0xff) + 0x100) | tasks[0]!.parts
    Atomics.store(words, CONTROL.ticket, ticket)
    Atomics.notify(words, CONTROL.ticket)
    // Nobody has begun as long as all parts of the first step are there; taking them all makes sure that nobody will.
    const takeBack = (): boolean => Atomics.compareExchange(words, CONTROL.ticket, ticket, ticket & ~0xff) === ticket
    if (!(await untilEnded(threads, ended, takeBack))) return runAllAlone(tasks)
  } finally {
    threads.busy = false
  }
  if (words[CONTROL.crashed] !== 0)
    throw new EngineError('a kernel failed on one of the threads; the result is incomplete')
  return words[CONTROL.fault]!
}

/** Resolves with true when the threads have ended a batch, with false when they are gone and it could be taken back. */
function untilEnded(threads: Threads, ended: number, takeBack: () => boolean): Promise<boolean> {
  const { words, patience } = threads
  return new Promise((resolve, reject) => {
    const progress = (): string => `${Atomics.load(words, CONTROL.ticket)} ${Atomics.load(words, CONTROL.done)}`
    let seen = progress()
    let glance: unknown
    const settle = (): void => {
      timers.clearInterval(watch)
      timers.clearInterval(glance)
      threads.whenGone = undefined
    }
    const look = (): void => {
      if (Atomics.load(words, CONTROL.ended) === ended) return
      settle()
      resolve(true)
    }
    const giveUp = (): void => {
      look()
      settle()
      if (Atomics.load(words, CONTROL.ended) !== ended) return
      if (takeBack()) resolve(false)
      else {
        threads.fail()
        Atomics.notify(words, CONTROL.ended)
        reject(new EngineError('a worker thread stopped answering; the result is incomplete'))
      }
    }
    // Threads do not keep a process alive, nor does waiting for them: this timer does.
    const watch = timers.setInterval(() => {
      const now = progress()
      if (now === seen) giveUp()
      seen = now
    }, patience)
    threads.whenGone = giveUp
    const waiting = waitAsync?.(words, CONTROL.ended, ended)
    if (waiting === undefined) glance = timers.setInterval(look, GLANCE_MS)
    else if (waiting.async) waiting.value.then(look)
    // It is over already; still other things must have their turn between one batch and the next.
    else nextTurn(look)
  })
}

/** Runs steps on the threads, as many at a time as there is room for; gives whether every element had a value. */
export async function runSteps(engine: Engine, steps: Iterable<Step>, check: () => void): Promise<boolean> {
  const batch = new Batch(engine, check)
  try {
    for (const step of steps) {
      if (batch.full && !(await batch.run())) return false
      if (batch.record(step)) continue
      // There may be room once what was put aside has run; without, the step runs here.
      if (!(await batch.run())) return false
      if (!batch.record(step) && !step()) return false
    }
    return await batch.run()
  } finally {
    batch.free()
  }
}

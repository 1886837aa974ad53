// A runner that keeps tasks: their parameters are written once, into memory of their own, and run again and again. What
// lies outside the arena is copied each time. Memory that calls need only while they run, they share.
import { arrayOver, bitsOf, type DType, type Storage } from '../../dtype/dtype.ts'
import { EngineError } from '../../errors/index.ts'
import { SHARE } from '../../plan/kernels.ts'
import type { Plan } from '../../plan/plan.ts'
import { rowMajorStrides } from '../../tensor/layout.ts'
import type { Allocation } from '../../tensor/memory.ts'
import type { Job } from '../backend.ts'
import type { Anew, Constant, Repetition } from '../repeat.ts'
import type { WebAssemblyBackend } from './backend.ts'
import type { Keeping } from './keeping.ts'
import { Workspace } from './memory/workspace.ts'
import type { Runner, Task } from './task.ts'

/** Bytes that are taken of the arena at once, for results and for parameters. */
const RESULTS = 1 << 18
const PARAMETERS = 1 << 14

/** Says that the arena is full. */
class NoRoom extends Error {}

/** What calls do, in order: tasks for kernels, work of the calling thread, which is false after a fault, and whole calls. */
type Step =
  | { readonly call: number; readonly task: Task; readonly elements: number }
  | { readonly call: number; readonly work: () => boolean }
  | { readonly call: number; readonly execution: Anew }

export class TaskRepetition implements Repetition, Keeping {
  readonly backend: WebAssemblyBackend
  readonly #results: Workspace
  readonly #kept: Workspace
  readonly #steps: Step[] = []
  #call = 0
  /** How much work all tasks are. */
  #elements = 0
  readonly #constants = new Map<Storage, { readonly low: number; readonly high: number }[]>()
  readonly #releases: (() => void)[] = []
  /** Memory of the call that is being added, which others use before and after it. */
  #borrowed: { readonly at: number; readonly bytes: number }[] = []
  /** Whether a kernel was left in the middle: its counters are not where they have to be. */
  #broken = false

  constructor(backend: WebAssemblyBackend, room?: number) {
    this.backend = backend
    this.#results = new Workspace(backend.arena, room ?? RESULTS)
    this.#kept = new Workspace(backend.arena, room ?? PARAMETERS)
  }

  allocate(dtype: DType, count: number): Allocation | undefined {
    const bytes = (count * bitsOf(dtype)) / 8
    const at = bytes === 0 ? undefined : this.#results.take(bytes)
    if (at === undefined) return undefined
    const storage = arrayOver(dtype, this.backend.arena.buffer, at, bytes)
    return { storage, offset: 0, release: () => this.#results.give(at, bytes) }
  }

  addConstant({ storage, low, high }: Constant): void {
    const others = this.#constants.get(storage)
    if (others === undefined) this.#constants.set(storage, [{ low, high }])
    else if (!others.some((other) => other.low <= low && high <= other.high)) others.push({ low, high })
  }

  /** Whether elements never change. */
  isConstant({ storage, low, high }: Constant): boolean {
    return this.#constants.get(storage)?.some((each) => each.low <= low && high <= each.high) ?? false
  }

  /** What is to be done when the sequence is given back. */
  onRelease(work: () => void): void {
    this.#releases.push(work)
  }

  get threads(): number {
    return this.backend.threads
  }

  /** Memory that stays the call's own. */
  keep(bytes: number): number {
    const at = this.#kept.take(bytes)
    if (at === undefined) throw new NoRoom()
    return at
  }

  /** Memory that is the call's while it runs. */
  borrow(bytes: number): number {
    const at = this.#results.take(bytes)
    if (at === undefined) throw new NoRoom()
    this.#borrowed.push({ at, bytes })
    return at
  }

  parameters(bytes: number): number {
    return this.keep(bytes)
  }

  copies(bytes: number): number {
    return this.borrow(bytes)
  }

  before(work: () => unknown): void {
    this.#steps.push({ call: this.#call, work: () => work() !== false })
  }

  after(work: () => void): void {
    this.before(() => {
      work()
      return true
    })
  }

  run(task: Task, elements: number): boolean {
    this.#steps.push({ call: this.#call, task, elements })
    this.#elements += elements
    return true
  }

  add(job: Job): boolean {
    return this.describe(() => {
      if (!this.backend.takes(job)) return false
      const plan = this.backend.planOf(job, true)
      const rooms = this.#rooms(plan)
      for (const chunk of plan.chunks) {
        const strides = rowMajorStrides(chunk.shape)
        const placed = rooms.map((storage) => ({ storage, offset: 0, strides }))
        this.backend.runChunk(job, chunk, placed, this)
      }
      return true
    })
  }

  /** Adds the tasks of a call; false, having changed nothing, where there is no room or it describes none. */
  describe(call: () => boolean): boolean {
    const { length } = this.#steps
    try {
      if (call()) return true
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error
    } finally {
      for (const { at, bytes } of this.#borrowed) this.#results.give(at, bytes)
      this.#borrowed = []
    }
    this.#steps.length = length
    return false
  }

  /** What passes of a program leave for each other. */
  #rooms({ rooms }: Plan) {
    return rooms.map(({ dtype, count }) => {
      const bytes = (count * bitsOf(dtype)) / 8
      return arrayOver(dtype, this.backend.arena.buffer, this.borrow(bytes), bytes)
    })
  }

  addAnew(execution: Anew): void {
    this.#steps.push({ call: this.#call, execution })
  }

  nextCall(): void {
    this.#call++
  }

  runAll(): number {
    this.#check()
    const { runner } = this.backend
    this.#broken = true
    for (const step of this.#steps) {
      const done =
        'task' in step ? runner.run(step.task, step.elements) : 'work' in step ? step.work() : step.execution.now() < 0
      if (!done) {
        this.#broken = false
        return step.call
      }
    }
    this.#broken = false
    return -1
  }

  async runAllAsync(): Promise<boolean> {
    if (this.#elements <= SHARE || !this.backend.hasThreads) return this.runAll() < 0
    this.#check()
    let tasks: ((runner: Runner) => boolean)[] = []
    const flush = (): Promise<boolean> => {
      const some = tasks
      tasks = []
      return this.backend.runSteps(some, () => undefined)
    }
    this.#broken = true
    for (const step of this.#steps) {
      if ('task' in step) tasks.push((runner) => runner.run(step.task, step.elements))
      // What the calling thread does, sees what all tasks before it have done.
      else if (!(await flush()) || !('work' in step ? step.work() : (await step.execution.async()) < 0)) {
        this.#broken = false
        return false
      }
    }
    const done = await flush()
    this.#broken = false
    return done
  }

  #check(): void {
    if (!this.#broken && !this.backend.failed) return
    throw new EngineError('a kernel or a thread failed in an earlier run; make the sequence anew')
  }

  release(): void {
    this.#steps.length = 0
    for (const work of this.#releases.splice(0)) work()
    this.#results.release()
    this.#kept.release()
  }
}

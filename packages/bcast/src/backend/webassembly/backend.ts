// The backend that compiles programs to WebAssembly: kernels in an arena, copies of operands that lie elsewhere, parts
// for the threads.
import { bitsOf, type DType, type Storage, type TypedArray } from '../../dtype/dtype.ts'
import type { Program } from '../../expr/ir.ts'
import { STAGE_BYTES } from '../../plan/copies.ts'
import { fits } from '../../plan/fits.ts'
import { PARAMETER_ROOM, SHARE } from '../../plan/kernels.ts'
import { type Chunk, type Plan, planCall } from '../../plan/plan.ts'
import { elementCount, type Shape } from '../../shape/dim.ts'
import { rowMajorStrides } from '../../tensor/layout.ts'
import type { Allocation } from '../../tensor/memory.ts'
import type { Placed } from '../../tensor/placed.ts'
import type { Backend, BoundCall, Computable, Job, Outcome, Planned } from '../backend.ts'
import { canShareWork, hasWorkers, type WasmPlatform, warn } from '../platform.ts'
import { type Bound, BoundCalls, settle } from './bound-call.ts'
import { type KernelHome, type Rooms, runChunk, type Workshop } from './execute.ts'
import { type Kernel, Kernels } from './kernels.ts'
import { machine } from './machine/seam.ts'
import type { Arena } from './memory/arena.ts'
import { arrayIn } from './memory/blocks.ts'
import { SMALL, SmallResults } from './memory/small-results.ts'
import { unsharedMemory } from './memory/unshared.ts'
import { type Runner, runAlone, type Task, type Use } from './task.ts'
import { loadThreads, MEANS, threadsNow } from './threads/load.ts'
import type { ThreadPool } from './threads/pool.ts'
import type { QueueStep } from './threads/queue.ts'

/** Memory for parameters, which take twice the room for machine code and a task beside, and copies of what runs at once. */
const TOLD = 2 * PARAMETER_ROOM + 64
const SCRATCH = TOLD + STAGE_BYTES
/** Room for the threads' control block: their code comes later, when the arena may be full. */
export const CONTROL_ROOM = 64

export class WebAssemblyBackend implements Backend, Workshop {
  readonly name = 'webassembly'
  readonly arena: Arena
  /** Kernels in the arena. */
  readonly shared: KernelHome
  /** Runs tasks at once. */
  readonly runner: Runner
  /** Threads that compute, the calling one included. */
  threads = 1
  readonly #platform: WasmPlatform
  readonly #kernels: Kernels
  readonly #results: SmallResults
  readonly #bound: BoundCalls
  readonly #control: number
  readonly #taken = new WeakMap<Program, boolean>()
  #unshared: KernelHome | undefined
  #pool: ThreadPool | undefined

  /** Throws where the platform does not let kernels be compiled. */
  constructor(platform: WasmPlatform, arena: Arena) {
    this.#platform = platform
    this.arena = arena
    this.#kernels = new Kernels(platform, arena)
    machine?.enter(this.#kernels)
    this.#results = new SmallResults(arena)
    const kernels = this.#kernels
    this.shared = {
      get buffer() {
        return arena.buffer
      },
      kernels,
    }
    const scratch = arena.allocate(SCRATCH + CONTROL_ROOM)
    if (scratch === undefined) throw new RangeError('the arena is smaller than its scratch space')
    this.#control = scratch + SCRATCH
    this.#bound = new BoundCalls(arena, kernels, { at: scratch, bytes: SCRATCH })
    this.runner = {
      use: 'once',
      parameters: () => scratch,
      copies: () => scratch + TOLD,
      before: (work) => work(),
      after: (work) => work(),
      run: (task, elements) => this.#run(task, elements) === 0,
    }
  }

  /** Whether a thread went away with a part: it may still write, so this memory must not be used again. */
  get failed(): boolean {
    return this.#pool?.failed === true
  }

  /** The threads; undefined until their code is there. */
  get pool(): ThreadPool | undefined {
    const threads = threadsNow()
    if (threads !== undefined) this.#pool ??= new threads.ThreadPool(this.arena, MEANS, this.#control)
    return this.#pool
  }

  /** Makes a kernel that is not a program's ready to run in tasks. */
  load(bytes: Uint8Array): Kernel {
    return this.#kernels.load(bytes)
  }

  unshared(): KernelHome {
    this.#unshared ??= unsharedMemory(this.#platform)
    return this.#unshared
  }

  /** Strings and rationals have no kernels. */
  takes({ program, planWith }: Computable): boolean {
    let taken = this.#taken.get(program)
    if (taken === undefined) {
      taken = program.code.every(({ dtype }) => bitsOf(dtype) > 0) && (fits(program) || planWith !== undefined)
      this.#taken.set(program, taken)
    }
    return taken
  }

  allocate(dtype: DType, count: number): Allocation | undefined {
    if (dtype === 'string' || dtype === 'real' || count === 0) return undefined
    const bytes = (count * bitsOf(dtype)) / 8
    if (bytes <= SMALL) return this.#results.room(dtype, count)
    return arrayIn(this.arena, dtype, bytes) ?? machine?.allocate(dtype, count)
  }

  read(storage: Storage): Storage {
    return storage
  }

  plan(job: Job): Planned {
    const known = job.shared?.plan as Plan | undefined
    const plan = known !== undefined && known.code === machine ? known : this.planOf(job, true, 'once')
    if (job.shared !== undefined) job.shared.plan = plan
    return { plan, run: (operands) => this.#execute(job, plan, operands) }
  }

  /** The plan of a job, which is waited for or not, in parts for so many threads. */
  planOf(job: Job, now: boolean, use?: Use, threads: number = this.threads): Plan {
    const { program, shape, operands, planWith = planCall } = job
    const own = operands.map(({ storage, strides }) => {
      const array = storage as TypedArray
      return { strides, width: array.BYTES_PER_ELEMENT, resident: this.arena.holds(array) }
    })
    const options = { threads, now, unshared: this.arena.shared }
    const call = { program, shape, operands: own }
    return machine?.plan(this.#kernels, planWith, call, options, use) ?? planWith(call, options)
  }

  #execute(job: Job, plan: Plan, operands: readonly Placed[]): Outcome {
    const rooms = this.roomsFor(plan)
    if (rooms === undefined) return 'unable'
    try {
      const placed = { instructions: job.instructions, operands }
      const done = plan.chunks.every((chunk) => this.runChunk(placed, chunk, rooms.placed(chunk.shape), this.runner))
      return done ? 'done' : 'fault'
    } finally {
      rooms.release()
    }
  }

  /** Computes a chunk of a job's plan; false after a fault. */
  runChunk(
    { instructions, operands }: Pick<Job, 'instructions' | 'operands'>,
    chunk: Chunk,
    rooms: readonly Placed[],
    runner: Runner,
  ): boolean {
    return runChunk(this, instructions, chunk, operands, rooms, runner)
  }

  /** What passes leave results in; undefined where there is no room for it. */
  roomsFor({ rooms }: Plan): Rooms | undefined {
    const made: Allocation[] = []
    const release = (): void => {
      for (const room of made) room.release?.()
    }
    for (const { dtype, count } of rooms) {
      const room = this.allocate(dtype, count)
      if (room === undefined || !this.arena.holds(room.storage as TypedArray)) {
        release()
        return undefined
      }
      made.push(room)
    }
    const placed = (shape: Shape): Placed[] => {
      const strides = made.length === 0 ? [] : rowMajorStrides(shape)
      return made.map(({ storage, offset }) => ({ storage, offset, strides }))
    }
    return { placed, release }
  }

  /** Plans a job that needs no rooms and describes it to a runner. */
  runOn(runner: Runner, job: Job, now: boolean): boolean {
    return this.planOf(job, now, now ? runner.use : undefined, runner.threads).chunks.every((chunk) =>
      this.runChunk(job, chunk, [], runner),
    )
  }

  async runAsync(job: Job, check: () => void): Promise<Outcome> {
    const threads = elementCount(job.shape) > SHARE && this.hasThreads ? await loadThreads() : undefined
    if (threads !== undefined) return threads.runQueued(this, job, check)
    check()
    return this.plan(job).run(job.operands)
  }

  /** Runs steps on the threads; gives whether every element had a value. Where there are none, they run here. */
  async runSteps(steps: Iterable<QueueStep>, check: () => void): Promise<boolean> {
    const threads = await loadThreads()
    if (threads !== undefined) {
      const { arena, runner } = this
      return threads.runSteps({ arena, runner, pool: this.pool!, threads: this.threads }, steps, check)
    }
    check()
    return [...steps].every((step) => step(this.runner, true))
  }

  /** Whether there are threads that compute by themselves; a page that could have them is told how. */
  get hasThreads(): boolean {
    if (hasWorkers && !this.arena.shared)
      warn(
        'worker threads do not run here, so it computes on the calling thread: the same results, slower. Cause: the page is not cross-origin isolated; the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp isolate it.',
      )
    return hasWorkers && this.arena.shared
  }

  bind(job: Job): BoundCall | undefined {
    if (!this.takes(job) || !fits(job.program)) return undefined
    const settled = settle(job)
    if (settled === undefined) return undefined
    const byMachine = machine?.bind(this.#kernels, this, settled)
    const isShared = byMachine === undefined && settled.total > SHARE
    const wanted = (): number => (isShared && this.#shares ? this.threads : 1)
    const bindFor = (count: number): Bound | undefined =>
      this.#bound.bind(settled, count, (task, elements) => this.#run(task, elements))
    let threads = wanted()
    let bound = byMachine ?? bindFor(threads)
    if (bound === undefined) return undefined
    const isFailed = (): boolean => this.failed
    const call: Bound['call'] = (arrays, offsets) => {
      if (wanted() !== threads) {
        threads = wanted()
        bound = bindFor(threads)
      }
      return bound?.call(arrays, offsets)
    }
    return {
      get ready() {
        return bound?.running !== true && !isFailed()
      },
      // Small calls go there directly, because a call more would show in their time.
      call: (isShared ? call : bound.call) as BoundCall['call'],
    }
  }

  /** Whether other threads could take part. */
  get #shares(): boolean {
    return this.threads > 1 && canShareWork
  }

  /** Runs all parts of a task, together with the other threads where that is worth waking them and they are free. */
  #run(task: Task, elements: number): number {
    if (elements <= SHARE || !this.#shares || task.parts === 1 || !this.arena.shared) return runAlone(task)
    const shared = task.share?.(this.threads)
    if (shared !== undefined) return shared
    const { pool } = this
    // Without their code this call does without threads, and a later one need not.
    if (pool === undefined) loadThreads()
    if (pool === undefined || pool.busy) return runAlone(task)
    pool.start(this.threads - 1)
    return pool.share(task)
  }
}

// Threads that carry out tasks of any plans, each with an engine of its own. The thread that asks stays free: it shows
// progress, and renews what it has promised to others.
import { Worker } from 'node:worker_threads'
import type { TaskPlan } from './plan.ts'
import type { FromThread, ThreadData, ToThread } from './protocol.ts'
import type { TaskDone } from './task.ts'
import { errorOf, type TaskFailure } from './task-error.ts'

/** A task that failed, with what was said of it. */
export class TaskError extends Error {
  override name = 'TaskError'
  readonly index: number
  readonly failure: TaskFailure

  constructor(index: number, failure: TaskFailure) {
    super(failure.message, { cause: errorOf(failure) })
    this.index = index
    this.failure = failure
  }
}

/**
 * Built, the program lies in one folder, and what threads begin with in one below. Their flags are those of the process
 * then, which has to be left unsaid: Node refuses flags of the whole process, such as a size of heaps, where they are named.
 */
const [ENTRY, OPTIONS] = import.meta.url.endsWith('.ts')
  ? ['./thread-from-source.mjs', { execArgv: ['--conditions=bcast-source'] }]
  : ['./tasks/thread.js', {}]

interface Waiting {
  readonly index: number
  readonly resolve: (done: TaskDone) => void
  readonly reject: (error: Error) => void
}

/** Plans that a thread keeps open; of many evaluations that share a worker, those it heard of last. */
const PLANS = 4

class TaskThread {
  readonly waiting = new Map<number, Waiting>()
  readonly #data: ThreadData
  #worker: Worker
  /** Hashes of the plans it knows, the last used last. */
  readonly #known: string[] = []
  #last = 0

  constructor(data: ThreadData) {
    this.#data = data
    this.#worker = this.#start()
  }

  #start(): Worker {
    const worker = new Worker(new URL(ENTRY, import.meta.url), { workerData: this.#data, ...OPTIONS })
    worker.on('message', (said: FromThread) => this.#heard(said))
    worker.on('error', (error) => this.#lost(error))
    worker.unref()
    return worker
  }

  #heard(said: FromThread): void {
    const { index, resolve, reject } = this.waiting.get(said.id)!
    this.waiting.delete(said.id)
    if (this.waiting.size === 0) this.#worker.unref()
    if (said.kind === 'done') resolve(said.done)
    else reject(new TaskError(index, said.failure))
  }

  /** A thread that ends by itself has met a defect, or no memory. Another takes its place, for other plans. */
  #lost(error: Error): void {
    for (const { index, reject } of this.waiting.values()) {
      reject(new TaskError(index, { kind: 'defect', message: error.stack ?? error.message, isTemporary: false }))
    }
    this.waiting.clear()
    this.#known.length = 0
    this.#worker = this.#start()
  }

  #tell(told: ToThread): void {
    this.#worker.postMessage(told)
  }

  #know(plan: TaskPlan): void {
    const at = this.#known.indexOf(plan.hash)
    if (at >= 0) this.#known.splice(at, 1)
    else this.#tell({ kind: 'plan', plan })
    this.#known.push(plan.hash)
    if (this.#known.length > PLANS) this.#tell({ kind: 'forget', hash: this.#known.shift()! })
  }

  run(plan: TaskPlan, index: number): Promise<TaskDone> {
    this.#know(plan)
    const id = this.#last++
    this.#worker.ref()
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { index, resolve, reject })
      this.#tell({ kind: 'run', id, hash: plan.hash, index })
    })
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}

interface ThreadsOptions {
  readonly threads: number
  readonly memory: number
  readonly machineCode?: boolean
}

export class TaskThreads {
  readonly #threads: readonly TaskThread[]

  /** `memory`: bytes for the arrays of all threads together. `machineCode`: whether the process computes with it. */
  constructor({ threads, memory, machineCode = false }: ThreadsOptions) {
    this.#threads = Array.from({ length: threads }, () => new TaskThread({ memory: memory / threads, machineCode }))
  }

  /** Has the thread with least to do carry out a task; rejects with a TaskError. */
  run(plan: TaskPlan, index: number): Promise<TaskDone> {
    const free = this.#threads.reduce((least, thread) => (thread.waiting.size < least.waiting.size ? thread : least))
    return free.run(plan, index)
  }

  /** Ends all threads, whatever they are doing. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }
}

// The backends in the order in which they are asked: WebAssembly where the platform can compile it, then the interpreter,
// which takes everything. Results are the same to the bit; only speed differs.
import { type DType, makeStorage, type TypedArray } from '../dtype/dtype.ts'
import { OperandError } from '../errors/index.ts'
import { checkOptionsOf } from '../shape/options.ts'
import { show } from '../shape/show.ts'
import { type Allocation, provideMemory } from '../tensor/memory.ts'
import { checkReach } from '../tensor/placed.ts'
import type { Backend, BoundCall, Job, Outcome } from './backend.ts'
import { interpreter } from './interpreter/backend.ts'
import { canShareMemory, cores, memoryBudget, warn, wasm } from './platform.ts'
import { WebAssemblyBackend } from './webassembly/backend.ts'
import { Arena, sameMemory } from './webassembly/memory/arena.ts'

/** What `configure` takes: where and with how many threads calls compute. */
export interface RuntimeOptions {
  /** Threads that compute, the calling one included, or so many workers for an asynchronous call; all cores unless said. */
  readonly threads?: number
  /** `interpreter` computes in plain TypeScript; `auto` compiles where the platform can. */
  readonly backend?: 'auto' | 'interpreter'
  /** Bytes that kernels' memory may grow to, at most 2 GiB; results beyond it go to ordinary arrays. */
  readonly memory?: number
}

const OPTIONS: readonly (keyof RuntimeOptions)[] = ['threads', 'backend', 'memory']

/** What the arena may grow to; less where the platform does not give that much address space. */
const SHARED_LIMITS = [2 ** 31, 2 ** 30, 2 ** 28]
/** A memory that cannot grow is taken at once, so it is smaller. */
const FIXED_LIMITS = [2 ** 30, 2 ** 28, 2 ** 26]
/** Kernels need room for parameters and for copies of operands. */
const LEAST_MEMORY = 2 ** 22

let threads: number | undefined
let chosen: 'auto' | 'interpreter' = 'auto'
let webassembly: WebAssemblyBackend | undefined
let tried = false
let memory: number | undefined

function start(): WebAssemblyBackend | undefined {
  if (wasm === undefined) {
    warn(
      'WebAssembly or FinalizationRegistry is missing here; bcast computes in plain JavaScript: the same results, slower.',
    )
    return undefined
  }
  const shared = canShareMemory()
  // Asked for here, not at import: a platform may not like to tell.
  const most = memory ?? memoryBudget()
  for (const limit of shared ? SHARED_LIMITS : FIXED_LIMITS) {
    try {
      const arena = new Arena(wasm, { limit: shared ? limit : Math.min(limit, most), shared })
      const made = new WebAssemblyBackend(wasm, arena)
      made.arena.limit = most
      made.threads = threads ?? cores()
      return made
    } catch (error) {
      // A page's policy may forbid compiling; a smaller memory does not help then.
      if (error instanceof RangeError) continue
      warn(
        "WebAssembly cannot be compiled here (a content security policy may forbid it, and script-src 'wasm-unsafe-eval' allows it); bcast computes in plain JavaScript: the same results, slower.",
      )
      return undefined
    }
  }
  warn('there is no memory for WebAssembly here; bcast computes in plain JavaScript: the same results, slower.')
  return undefined
}

/** The backend that compiles, where it is chosen and the platform can. */
export function compiling(): WebAssemblyBackend | undefined {
  if (chosen === 'interpreter') return undefined
  if (!tried || webassembly?.failed) {
    // A thread that is lost may still write to the memory, so the next backend has memory of its own.
    if (webassembly !== undefined) threads = 1
    tried = true
    webassembly = start()
  }
  return webassembly
}

/** The backends that are asked now, in order. */
export function backends(): readonly Backend[] {
  const first = compiling()
  return first === undefined ? ALONE : [first, interpreter]
}

const ALONE: readonly Backend[] = [interpreter]

/**
 * Sets how bcast computes from here on.
 *
 * @example
 * ```ts
 * configure({ threads: 2 }) // undefined
 * ```
 */
export function configure(options: RuntimeOptions): void {
  checkOptionsOf('configure', options ?? null, OPTIONS)
  if (options.threads !== undefined) {
    if (!Number.isInteger(options.threads) || options.threads < 1) {
      throw new OperandError(`configure: threads is ${show(options.threads)}; it is an integer from 1 on.`)
    }
    threads = options.threads
    if (webassembly !== undefined) webassembly.threads = threads
  }
  if (options.backend !== undefined) {
    if (options.backend !== 'auto' && options.backend !== 'interpreter') {
      throw new OperandError(`configure: backend is ${show(options.backend)}; it is 'auto' or 'interpreter'.`)
    }
    chosen = options.backend
  }
  if (options.memory !== undefined) {
    if (typeof options.memory !== 'number' || !(options.memory >= LEAST_MEMORY)) {
      throw new OperandError(`configure: memory is ${show(options.memory)} bytes; it is at least ${LEAST_MEMORY}.`)
    }
    memory = options.memory
    if (webassembly !== undefined) webassembly.arena.limit = memory
  }
}

/** Whether two arrays may lie in the same memory: growing the arena makes new buffers of the same bytes. */
export function shareMemory(a: TypedArray, b: TypedArray): boolean {
  return sameMemory(a.buffer, b.buffer)
}

/** Room for `count` elements, whatever they hold: of the first backend that has any, else an ordinary array. */
export function allocate(dtype: DType, count: number): Allocation {
  return compiling()?.allocate(dtype, count) ?? { storage: makeStorage(dtype, count), offset: 0 }
}

provideMemory(allocate)

const checkOperands = ({ shape, operands }: Job): void => {
  for (const operand of operands) checkReach(shape, operand)
}

/** Computes a job. Gives the lowest row-major position without a value, where the result is unspecified, or -1. */
export function run(job: Job): number {
  checkOperands(job)
  for (const backend of backends()) {
    if (!backend.takes(job)) continue
    const outcome = backend.plan(job).run(job.operands)
    if (outcome !== 'unable') return positionOf(outcome, () => interpreter.plan(job).run(job.operands))
  }
  return -1
}

/** Computes a job without keeping the calling thread; only in turn. */
export async function runAsync(job: Job): Promise<number> {
  const check = (): void => checkOperands(job)
  check()
  for (const backend of backends()) {
    if (!backend.takes(job)) continue
    const outcome = await backend.runAsync(job, check)
    if (outcome === 'unable') continue
    const found = outcome === 'fault' ? await interpreter.runAsync(job, check) : outcome
    return positionOf(found, () => found)
  }
  return -1
}

/** Kernels only know that some element has no value; the interpreter finds the first one. */
function positionOf(outcome: Outcome, find: () => Outcome): number {
  const found = outcome === 'fault' ? find() : outcome
  return typeof found === 'number' ? found : -1
}

/** A call that may be repeated; undefined where the general way is needed. */
export const bind = (job: Job): BoundCall | undefined => compiling()?.bind(job)

/** Whether it is the way to compute at the moment. */
export const isReady = ({ ready }: BoundCall): boolean => chosen === 'auto' && ready

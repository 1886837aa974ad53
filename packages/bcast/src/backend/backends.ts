// Who computes, and where results live: the engine in its arena where the platform can compile WebAssembly, else the
// interpreter in ordinary arrays. Results are the same to the bit; only speed differs.
import { bitsOf, type DType, makeStorage, type Storage, type TypedArray } from '../dtype/dtype.ts'
import { OperandError } from '../errors/index.ts'
import type { Program } from '../expr/ir.ts'
import type { Shape } from '../shape/dim.ts'
import { checkOptionsOf } from '../shape/options.ts'
import { show } from '../shape/show.ts'
import { checkReach } from '../tensor/placed.ts'
import { execute, type Operand } from './interpreter/execute.ts'
import { canShareMemory, cores, memoryBudget, warn, wasm } from './platform.ts'
import type { Prepared } from './webassembly/bound-call.ts'
import { Engine } from './webassembly/engine.ts'
import { Arena, sameMemory } from './webassembly/memory/arena.ts'
import { arrayIn } from './webassembly/memory/blocks.ts'
import { Slabs, SMALL } from './webassembly/memory/small-results.ts'

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

let threads = cores()
let backend: 'auto' | 'interpreter' = 'auto'
let engine: Engine | undefined
let tried = false
let memory = memoryBudget()

function start(): Engine | undefined {
  if (wasm === undefined) {
    warn('WebAssembly is missing here; bcast computes in plain JavaScript: the same results, slower.')
    return undefined
  }
  const shared = canShareMemory()
  for (const limit of shared ? SHARED_LIMITS : FIXED_LIMITS) {
    try {
      const made = new Engine(wasm, new Arena(wasm, { limit: shared ? limit : Math.min(limit, memory), shared }))
      made.probe()
      made.arena.limit = memory
      made.threads = threads
      return made
    } catch (error) {
      // A page's policy may forbid compiling; a smaller memory does not help then.
      if (error instanceof RangeError) continue
      warn(
        'WebAssembly cannot be compiled here (a content security policy may forbid it); bcast computes in plain JavaScript: the same results, slower.',
      )
      return undefined
    }
  }
  warn('there is no memory for WebAssembly here; bcast computes in plain JavaScript: the same results, slower.')
  return undefined
}

/** The engine that computes now, if any. */
export function currentEngine(): Engine | undefined {
  if (backend === 'interpreter') return undefined
  if (!tried || engine?.failed) {
    // A thread that is lost may still write to its engine's memory, so the next one has memory of its own.
    if (engine !== undefined) threads = 1
    tried = true
    engine = start()
    slabs = engine && new Slabs(engine.arena)
  }
  return engine
}

/** Sets how bcast computes from here on. */
export function configure(options: RuntimeOptions): void {
  checkOptionsOf('configure', options ?? null, OPTIONS)
  if (options.threads !== undefined) {
    if (!Number.isInteger(options.threads) || options.threads < 1) {
      throw new OperandError(`configure: threads is ${show(options.threads)}; it is an integer from 1 on.`)
    }
    threads = options.threads
    if (engine !== undefined) engine.threads = threads
  }
  if (options.backend !== undefined) {
    if (options.backend !== 'auto' && options.backend !== 'interpreter') {
      throw new OperandError(`configure: backend is ${show(options.backend)}; it is 'auto' or 'interpreter'.`)
    }
    backend = options.backend
  }
  if (options.memory !== undefined) {
    if (typeof options.memory !== 'number' || !(options.memory >= LEAST_MEMORY)) {
      throw new OperandError(`configure: memory is ${show(options.memory)} bytes; it is at least ${LEAST_MEMORY}.`)
    }
    memory = options.memory
    if (engine !== undefined) engine.arena.limit = memory
  }
}

export interface Allocation {
  readonly storage: Storage
  /** Position of the first element. */
  readonly offset: number
  /** Gives the memory back at once; absent where only the collector can. */
  readonly release?: () => void
}

let slabs: Slabs | undefined

/** Whether two arrays may lie in the same memory: growing the arena makes new buffers of the same bytes. */
export function shareMemory(a: TypedArray, b: TypedArray): boolean {
  return sameMemory(a.buffer, b.buffer)
}

/** Arrays that computations in flight use, how many do, and what gives the memory of a disposed one back. */
const inUse = new Map<Storage, { computations: number; free?: (() => void) | undefined }>()

/** Keeps the memory under arrays until the function it gives is called, even when they are disposed meanwhile. */
export function hold(arrays: readonly Storage[]): () => void {
  const held = new Set(arrays)
  for (const array of held) {
    const use = inUse.get(array)
    if (use === undefined) inUse.set(array, { computations: 1 })
    else use.computations++
  }
  return () => {
    for (const array of held) {
      const use = inUse.get(array)!
      if (--use.computations > 0) continue
      inUse.delete(array)
      use.free?.()
    }
  }
}

/** Room for `count` elements, whatever they hold: in the arena where there is one with room, else an ordinary array. */
export function allocate(dtype: DType, count: number): Allocation {
  const arena = dtype === 'string' || dtype === 'real' || count === 0 ? undefined : currentEngine()?.arena
  if (arena === undefined) return { storage: makeStorage(dtype, count), offset: 0 }
  const bytes = (count * bitsOf(dtype)) / 8
  if (bytes <= SMALL) return slabs!.room(dtype, count)
  const made = arrayIn(arena, dtype, bytes, false)
  if (made === undefined) return { storage: makeStorage(dtype, count), offset: 0 }
  const { array } = made
  const release = () => {
    const free = made.release!()
    const use = inUse.get(array)
    if (use !== undefined) use.free ??= free
    else free?.()
  }
  return { storage: array, offset: 0, release }
}

/**
 * Computes every element of `shape` into `out`. Gives the lowest row-major position without a result (a division by
 * zero), or -1; `out` is then unspecified.
 */
export function run(program: Program, shape: Shape, inputs: readonly Operand[], out: Operand): number {
  for (const input of inputs) checkReach(shape, input)
  checkReach(shape, out)
  const outcome = currentEngine()?.execute(program, shape, inputs, out) ?? 'unsupported'
  // A kernel only knows that some element has no value; the interpreter finds the first one.
  return outcome === 'done' ? -1 : execute(program, shape, inputs, out)
}

/** A small computation that may be called again; see PreparedCalls. */
export interface PreparedRun {
  readonly engine: Engine
  readonly prepared: Prepared
}

export function prepareRun(
  program: Program,
  shape: Shape,
  strides: readonly (readonly number[])[],
  widths: readonly number[],
): PreparedRun | undefined {
  const current = currentEngine()
  const prepared = current?.prepared.prepare(program, shape, strides, widths)
  return current === undefined || prepared === undefined ? undefined : { engine: current, prepared }
}

/** Whether it is the way to compute at the moment. */
export const canRun = ({ engine: own, prepared }: PreparedRun): boolean => backend === 'auto' && own.canCall(prepared)

/** Runs it; gives 0, a fault, or undefined, having done nothing, where the general way is needed. */
export const runPrepared = (
  { engine: own, prepared }: PreparedRun,
  operands: readonly TypedArray[],
  offsets: readonly number[],
): number | undefined => own.prepared.call(prepared, operands, offsets)

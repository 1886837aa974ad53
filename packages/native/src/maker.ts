// Makes kernels of machine code for the library, and keeps them by program, signature and how they store.
import type { MachineCode, MadeKernel, ProductKernel, Program, ReduceSignature } from 'bcast/kernels'
import { coreCaches } from './cache.ts'
import type { CodeMemory } from './code.ts'
import { compileKernel, compileProduct, compileReduction, productTile, vectorsOf } from './compile.ts'
import type { Level } from './levels.ts'
import { bytesOf } from './machine/types.ts'
import { Unsupported } from './machine/unsupported.ts'
import type { Threads } from './threads.ts'
import { lanesOf } from './x86/body.ts'
import { rowsAtOnce } from './x86/kernel.ts'
import { sequenceCode } from './x86/sequence.ts'

/** Kernels of one program that are kept at most; the oldest go first. */
const MOST_KERNELS = 64

/**
 * How many times the least work calls of a program have to be together before its first kernel is compiled, where they may
 * be the only ones: compiling takes as long, some milliseconds in a process that has compiled little.
 */
const COMPILING = 256

/** Elements of the shortest vector of x86-64. */
const LEAST_LANES = 4

/** Elements of a vector that is a whole short row: masks would take several times as long. */
function shortLanes(program: Program, level: Level, inner: number): number | undefined {
  if (level === 'neon' || inner < LEAST_LANES || inner >= lanesOf(program, level)) return undefined
  return Number.isInteger(Math.log2(inner)) ? inner : undefined
}

/** Bytes of the longest vector of x86-64. */
const ALIGNMENT = 64

/** Bytes of a row from which on it goes past the caches: the lines at both of its ends do not. */
const LEAST_STREAMED = 1024

/**
 * How many times what the last cache holds has to pass through it where threads share a call: together they store into it
 * faster than memory takes what goes past it, and find a part of it there the next time. Measured; a result beside operands
 * that move, and by itself.
 */
const SHARED = { beside: 1.4, alone: 2.25 }

/** Bytes that pass through the caches: of the result, and of each operand as often as it moves. */
function bytesPassing(program: Program, sizes: readonly number[], strides: readonly (readonly number[])[]): number {
  const types = [...program.inputs, program.code.at(-1)!.dtype]
  return types.reduce(
    (sum, dtype, i) =>
      sum + sizes.reduce((product, size, loop) => (strides[i]![loop] === 0 ? product : product * size), bytesOf(dtype)),
    0,
  )
}

export interface MakerOptions {
  readonly level: Level
  readonly memory: CodeMemory
  readonly threads: Threads
  /** The text of a function's body that gives the function at an address, for threads. */
  readonly textFor: (address: bigint) => string
  /** Work, in elements times instructions, from which on a call that repeats is worth machine code. */
  readonly least: number
  /** Results from so many bytes on go past the caches; what it is may change between calls. */
  readonly streamFrom: number
}

/** Kernels by what tells them apart; undefined for those that there is no code for. */
type Kept = Map<string, MadeKernel | undefined>

export function machineCode(options: MakerOptions): MachineCode {
  const { level, memory, threads, textFor, least } = options
  const made = new WeakMap<Program, Kept>()
  /** The work of all calls of a program that might have been the only ones. */
  const asked = new WeakMap<Program, number>()
  const products = new Map<string, MadeKernel>()
  const sequences = new Map<number, MadeKernel>()
  const caches = coreCaches()
  const bases = new WeakMap<ArrayBufferLike, number>()

  /** Where a memory begins; it stays there as long as it has any bytes. */
  function addressOf(buffer: ArrayBufferLike): number {
    let base = bases.get(buffer)
    if (base === undefined) bases.set(buffer, (base = Number(memory.addressOf(buffer))))
    return base
  }

  function load(code: Uint8Array): MadeKernel {
    const { run, address } = memory.load(code)
    return { run, address: Number(address), bytes: new TextEncoder().encode(textFor(address)) }
  }

  /** Kernels of a program by what else tells them apart; undefined where there is no code. */
  function kept(program: Program, key: string, compile: () => Uint8Array): MadeKernel | undefined {
    let own = made.get(program)
    if (own === undefined) made.set(program, (own = new Map()))
    if (!own.has(key)) {
      if (own.size >= MOST_KERNELS) own.delete(own.keys().next().value!)
      own.set(key, loaded(compile))
    }
    return own.get(key)
  }

  function loaded(compile: () => Uint8Array): MadeKernel | undefined {
    try {
      return load(compile())
    } catch (error) {
      if (error instanceof Unsupported) return undefined
      throw error
    }
  }

  /** What stays when it is made once. */
  function once<K>(own: Map<K, MadeKernel>, key: K, compile: () => Uint8Array): MadeKernel | undefined {
    const ready = own.get(key) ?? loaded(compile)
    if (ready !== undefined) own.set(key, ready)
    return ready
  }

  return {
    pays(program, elements, repeats) {
      const { code, inputs } = program
      const work = elements * (1 + code.length - inputs.length)
      if (work < least || repeats || made.has(program)) return work >= least
      const all = work + (asked.get(program) ?? 0)
      asked.set(program, all)
      return all >= least * COMPILING
    },
    packs: level !== 'neon',
    addressOf,
    enlarge: (buffer, bytes) => memory.enlarge(buffer, bytes),
    empty: (buffer) => memory.empty(buffer),
    threads: (wanted) => threads.ready(wanted),
    share: (buffer, task) => threads.share(addressOf(buffer), task),
    kernel(program, signature, buffer, { sizes, strides, threads, times = 1, ahead }) {
      const elements = sizes.reduce((product, size) => product * size, 1)
      const base = BigInt(addressOf(buffer))
      const width = bytesOf(program.code.at(-1)!.dtype)
      const rowStep = (strides.at(-1)!.at(-2) ?? 0) * width
      // Streaming stores of x86-64 are aligned, so rows that are computed together have to be aligned alike.
      const isAligned = level === 'neon' || rowsAtOnce(program, signature) === 1 || rowStep % ALIGNMENT === 0
      const result = elements * width
      const isLong = result * times >= options.streamFrom && sizes.at(-1)! * width >= LEAST_STREAMED
      const passing = bytesPassing(program, sizes, strides)
      // Where operands stand still, the whole cache is the result's.
      const caches = threads === 1 ? 1 : passing - result <= result / 16 ? SHARED.alone : SHARED.beside
      const streams = isAligned && isLong && times * passing >= 2 * options.streamFrom * caches
      const lanes = shortLanes(program, level, sizes.at(-1)!)
      const key = `${base} ${streams} ${lanes} ${ahead} ${signature.rows} ${signature.motions.join()} ${signature.still.join()}`
      return kept(program, key, () => compileKernel(program, signature, { level, base, streams, lanes, ahead }))
    },
    vectors: vectorsOf(level),
    reduction(program, combining, signature, buffer) {
      const base = BigInt(addressOf(buffer))
      const key = `${base} ${combining} ${keyOf(signature)}`
      return kept(program, key, () => compileReduction(program, combining, signature, { level, base }))
    },
    sequence(buffer) {
      if (level === 'neon') return undefined
      const base = addressOf(buffer)
      return once(sequences, base, () => sequenceCode(BigInt(base)))
    },
    caches,
    tile: (type) => productTile(level, type),
    product(kernel: ProductKernel, buffer) {
      const base = addressOf(buffer)
      const key = `${base} ${Object.values(kernel).join()}`
      return once(products, key, () => compileProduct(kernel, { level, base: BigInt(base) }))
    },
  }
}

const keys = new WeakMap<ReduceSignature, string>()

/** What tells signatures apart; plans that are used again bring the same one. */
function keyOf(signature: ReduceSignature): string {
  let key = keys.get(signature)
  if (key === undefined) keys.set(signature, (key = JSON.stringify(signature)))
  return key
}

// Makes kernels of machine code for the library, and keeps them by program, signature and how they store.
import type { MachineCode, MadeKernel, Program } from 'bcast/kernels'
import type { CodeMemory } from './code.ts'
import { compileKernel } from './x86/kernel.ts'
import { compileAcross } from './x86/reduce/across.ts'
import { compileAlong, MOST_CARRIED } from './x86/reduce/along.ts'
import { BYTES, bytesOf, type Level, Unsupported } from './x86/vectors.ts'

/** Kernels of one program that are kept at most; the oldest go first. */
const MOST_KERNELS = 64

/** Bytes of the longest vector. */
const ALIGNMENT = 64

export interface MakerOptions {
  readonly level: Level
  readonly memory: CodeMemory
  /** The text of a function's body that gives the function at an address, for threads. */
  readonly textFor: (address: bigint) => string
  /** Elements from which on a call is worth machine code. */
  readonly least: number
  /** Results from so many bytes on go past the caches. */
  readonly streamFrom: number
}

/** Kernels by what tells them apart; undefined for those that there is no code for. */
type Kept = Map<string, MadeKernel | undefined>

export function machineCode({ level, memory, textFor, least, streamFrom }: MakerOptions): MachineCode {
  const made = new WeakMap<Program, Kept>()
  const bases = new WeakMap<ArrayBufferLike, number>()

  /** Where a memory begins; it stays there as long as it has any bytes. */
  function addressOf(buffer: ArrayBufferLike): number {
    let base = bases.get(buffer)
    if (base === undefined) bases.set(buffer, (base = Number(memory.addressOf(buffer))))
    return base
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
      const { run, address } = memory.load(compile())
      return { run, bytes: new TextEncoder().encode(textFor(address)) }
    } catch (error) {
      if (error instanceof Unsupported) return undefined
      throw error
    }
  }

  return {
    pays: (_, elements) => elements >= least,
    addressOf,
    enlarge: (buffer, bytes) => memory.enlarge(buffer, bytes),
    empty: (buffer) => memory.empty(buffer),
    kernel(program, signature, buffer, { sizes, strides }) {
      const elements = sizes.reduce((product, size) => product * size, 1)
      const base = BigInt(addressOf(buffer))
      const width = bytesOf(program.code.at(-1)!.dtype)
      const rowStep = (strides.at(-1)!.at(-2) ?? 0) * width
      // Streaming stores are aligned, so rows that are computed together have to be aligned alike.
      const streams = elements * width >= streamFrom && (signature.rows === 1 || rowStep % ALIGNMENT === 0)
      const key = `${base} ${streams} ${signature.rows} ${signature.motions.join()} ${signature.still.join()}`
      return kept(program, key, () => compileKernel(program, signature, { level, base, streams }))
    },
    vectors: { bytes: BYTES[level], carried: MOST_CARRIED[level] },
    reduction(program, combining, signature, buffer) {
      const base = BigInt(addressOf(buffer))
      const compile = signature.way === 'across' ? compileAcross : compileAlong
      const key = `${base} ${combining} ${JSON.stringify(signature)}`
      return kept(program, key, () => compile(program, combining, signature, { level, base }))
    },
  }
}

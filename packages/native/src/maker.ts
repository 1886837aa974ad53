// Makes kernels of machine code for the library, and keeps them by program, signature and how they store.
import type { MachineCode, MadeKernel, ProductKernel, Program, Signature } from 'bcast/kernels'
import { coreCaches } from './cache.ts'
import type { CodeMemory } from './code.ts'
import { compileKernel } from './x86/kernel.ts'
import { compileProduct } from './x86/products/kernel.ts'
import { productTile } from './x86/products/tile.ts'
import { bytesOf, type Level, Unsupported } from './x86/vectors.ts'

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
  const products = new Map<string, MadeKernel>()
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
    return { run, bytes: new TextEncoder().encode(textFor(address)) }
  }

  function compile(program: Program, signature: Signature, base: bigint, streams: boolean): MadeKernel | undefined {
    try {
      return load(compileKernel(program, signature, { level, base, streams }))
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
      let own = made.get(program)
      if (own === undefined) made.set(program, (own = new Map()))
      const key = `${base} ${streams} ${signature.rows} ${signature.motions.join()} ${signature.still.join()}`
      if (!own.has(key)) {
        if (own.size >= MOST_KERNELS) own.delete(own.keys().next().value!)
        own.set(key, compile(program, signature, base, streams))
      }
      return own.get(key)
    },
    caches,
    tile: (type) => productTile(level, type),
    product(kernel: ProductKernel, buffer) {
      const base = addressOf(buffer)
      const key = `${base} ${Object.values(kernel).join()}`
      let ready = products.get(key)
      if (ready === undefined) products.set(key, (ready = load(compileProduct(kernel, level, BigInt(base)))))
      return ready
    },
  }
}

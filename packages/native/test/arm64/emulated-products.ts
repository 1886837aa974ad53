// Machine code of products for AArch64, handed to the library of this process: each task runs in a process of its own, over
// a copy of the memory that it is told of, and what it gives comes back.
import { GATHERING, type MachineCode, type MadeKernel, PACKING, PRODUCT, type ProductKernel, ROW } from 'bcast/kernels'
import { compileProduct } from '../../src/arm64/gemm/kernel.ts'
import { productTile } from '../../src/arm64/gemm/tile.ts'
import { vectorsOf } from '../../src/compile.ts'
import { BASE, type Memory, runAll } from './emulator.ts'

/** Bytes from one memory to the next but the arena, which comes behind all of them; and pages that are copied. */
const APART = 2 ** 23
const PAGE = 4096
/** Memories but the arena. */
const MOST = 512
/** Bytes around an address beyond which nothing of its operand lies. */
const REACH = 2 ** 20

/** Arguments that are addresses, the result's last; and how many arguments there are. */
const TOLD: Readonly<Record<ProductKernel['kind'], readonly [addresses: readonly number[], bytes: number]>> = {
  multiply: [[PRODUCT.a, PRODUCT.b, PRODUCT.from, PRODUCT.c, PRODUCT.to], PRODUCT.bytes],
  pack: [[PACKING.source, PACKING.target], PACKING.bytes],
  gather: [[GATHERING.source, GATHERING.across, GATHERING.unit, GATHERING.along, GATHERING.target], GATHERING.bytes],
  across: [[ROW.row, ROW.matrix, ROW.sums], ROW.bytes],
  along: [[ROW.row, ROW.matrix, ROW.sums], ROW.bytes],
}

export function emulatedProducts(): { readonly code: MachineCode; readonly asked: ReadonlySet<string> } {
  const asked = new Set<string>()
  const memories: ArrayBufferLike[] = []
  let others = 0
  const bases = new WeakMap<ArrayBufferLike, number>()
  const first = Number(BASE) + 2 ** 28

  /** The arena stays where it is when it grows, which makes another object of it. */
  function addressOf(buffer: ArrayBufferLike): number {
    const isArena = buffer instanceof SharedArrayBuffer
    const place = isArena ? MOST : (bases.get(buffer) ?? others++ % MOST)
    memories[place] = buffer
    bases.set(buffer, place)
    return first + place * APART
  }

  /** What lies around an address, in whole pages; undefined where there is no memory. */
  function around(address: number, before: number): Memory | undefined {
    const place = Math.min(MOST, Math.floor((address - first) / APART))
    const memory = memories[place]
    if (memory === undefined) return undefined
    const start = first + place * APART
    const offset = address - start
    const from = Math.floor(Math.max(0, offset - before) / PAGE) * PAGE
    const bytes = new Uint8Array(
      memory,
      from,
      Math.min(memory.byteLength, Math.ceil((offset + REACH) / PAGE) * PAGE) - from,
    )
    return { at: BigInt(start + from), bytes }
  }

  function run(kernel: ProductKernel, code: Uint8Array, home: number, parameters: number): number {
    const [offsets, bytes] = TOLD[kernel.kind]
    const words = new DataView(memories[MOST]!, parameters, bytes)
    const addresses = offsets.map((offset) => Number(words.getBigUint64(offset, true)))
    const { at, bytes: written } = around(addresses.at(-1)!, 0)!
    const copied = [home + parameters, ...addresses].map((address) => around(address, REACH))
    const wanted = { at, length: written.length }
    const [answer] = runAll([{ code, argument: parameters, before: [], wanted }], joined(copied))
    written.set(answer!.bytes)
    return answer!.result
  }

  const none = (): undefined => undefined
  const made = new Map<string, MadeKernel>()
  const code: MachineCode = {
    pays: () => false,
    packs: false,
    addressOf,
    enlarge: none,
    empty: none,
    threads: () => 1,
    share: none,
    kernel: none,
    sequence: none,
    // Small ones, so that long sums are computed in several blocks.
    caches: { first: 8192, second: 2 ** 18 },
    tile: productTile,
    product(kernel, buffer) {
      const name = Object.values(kernel).join(' ')
      asked.add(name)
      const home = addressOf(buffer)
      let known = made.get(name)
      if (known === undefined) {
        const bytes = compileProduct(kernel, BigInt(home))
        known = { run: (parameters) => run(kernel, bytes, home, parameters), address: 0, bytes: new Uint8Array(0) }
        made.set(name, known)
      }
      return known
    },
    vectors: vectorsOf('neon'),
    reduction: none,
  }
  return { code, asked }
}

/** Memories without those that lie in others, or in one with them. */
function joined(memories: readonly (Memory | undefined)[]): readonly Memory[] {
  const made: Memory[] = []
  for (const { at, bytes } of memories.filter((memory) => memory !== undefined).sort((a, b) => Number(a.at - b.at))) {
    const last = made.at(-1)
    const end = last === undefined ? 0n : last.at + BigInt(last.bytes.length)
    if (last === undefined || at > end) made.push({ at, bytes })
    else if (at + BigInt(bytes.length) > end) {
      const whole = Number(at - last.at) + bytes.length
      made[made.length - 1] = { at: last.at, bytes: new Uint8Array(bytes.buffer, last.bytes.byteOffset, whole) }
    }
  }
  return made
}

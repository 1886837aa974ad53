// Kernels of products give what the definition gives, and read and write nothing beyond their operands, each of which ends
// where memory does: one byte beyond ends the process, and the test with it. Before a result, and between its rows, nothing
// changes.
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CodeMemory } from '../src/code.ts'
import { compileProduct, productTile } from '../src/compile.ts'
import { koffiFfi } from '../src/ffi/koffi.ts'
import { found } from './found.ts'
import { type Operand, type PreparedProduct, prepareProduct, productCases } from './product-cases.ts'

/** An operand has a block of its own, whose last page nobody may touch. */
const BLOCK = 1 << 18
const PAGE = 4096
const BLOCKS = 7

/** Bytes before a result that stay as they are. */
const BEFORE = 64

/** Memory with a wall behind every block; its address, and its bytes. */
function walled(): { readonly address: bigint; readonly bytes: Uint8Array } {
  const koffi = createRequire(import.meta.url)('koffi')
  const mprotect = koffi.load('libc.so.6').func('int mprotect(void *at, size_t length, int protection)')
  const address = koffiFfi().allocate(BLOCK * BLOCKS)!
  const bytes = new Uint8Array(koffi.view(address, BLOCK * BLOCKS))
  for (let i = 1; i <= BLOCKS; i++) expect(mprotect(address + BigInt(i * BLOCK - PAGE), PAGE, 0)).toBe(0)
  return { address, bytes }
}

describe.each(found)('kernels of products of %s', (level) => {
  const { address, bytes } = walled()
  const memory = new CodeMemory(koffiFfi())
  const startOf = ({ block, bytes: own }: Operand): number => (block + 1) * BLOCK - PAGE - own.length

  function run({ kernel, told, operands, result, expected }: PreparedProduct): void {
    for (const operand of operands) bytes.set(operand.bytes, startOf(operand))
    const words = new BigInt64Array(bytes.buffer, 0, 32)
    for (const [offset, value] of told) {
      words[offset / 8] =
        typeof value === 'object' ? address + BigInt(startOf(value)) : BigInt.asIntN(64, BigInt(value))
    }
    const start = startOf(result)
    const before = bytes.slice(start - BEFORE, start)
    expect(memory.load(compileProduct(kernel, { level, base: address })).run(0)).toBe(0)
    expect(Buffer.compare(bytes.slice(start - BEFORE, start), before)).toBe(0)
    expect(Buffer.compare(bytes.slice(start, start + expected.length), expected)).toBe(0)
  }

  it('give what the definition gives, and touch nothing beyond their operands', () => {
    const ran = new Set<string>()
    fc.assert(
      fc.property(productCases, (given) => {
        const prepared = prepareProduct(given, (type) => productTile(level, type))
        if (prepared === undefined) return
        ran.add(given.kind)
        run(prepared)
      }),
      { numRuns: 600 },
    )
    expect(ran.size).toBe(5)
  })
})

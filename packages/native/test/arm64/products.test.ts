// Products of matrices on AArch64: every kernel gives what the definition gives, over operands that begin or end where memory
// does; and whole calls, planned for its kernels and computed by them, have the bits of WebAssembly.
import { configure } from 'bcast'
import { provideKernels } from 'bcast/kernels'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import { compileProduct } from '../../src/arm64/gemm/kernel.ts'
import { productTile } from '../../src/arm64/gemm/tile.ts'
import { computeImage, computeProduct, imageCalls, productCalls } from '../product-calls.ts'
import { type Operand, type PreparedProduct, type ProductCase, prepareProduct, productCases } from '../product-cases.ts'
import { emulatedProducts } from './emulated-products.ts'
import { BASE, BLOCK, blockAt, type Call, CallFailed, canRun, runAll } from './emulator.ts'
import { hasGnuAs } from './gnu-as.ts'

interface Placed extends PreparedProduct {
  readonly given: ProductCase
  readonly call: Call
}

/** A kernel over operands at the beginning of their blocks, or at the end. */
function placed(given: ProductCase, prepared: PreparedProduct, atStart: boolean): Placed {
  const { kernel, told, operands, result } = prepared
  const addressOf = ({ block, bytes }: Operand): bigint => blockAt(block) + BigInt(atStart ? 0 : BLOCK - bytes.length)
  const words = new BigInt64Array(32)
  for (const [offset, value] of told) {
    words[offset / 8] = typeof value === 'object' ? addressOf(value) : BigInt.asIntN(64, BigInt(value))
  }
  const call: Call = {
    code: compileProduct(kernel, BASE),
    argument: 64,
    before: [
      { at: BASE + 64n, bytes: new Uint8Array(words.buffer) },
      ...operands.map((operand) => ({ at: addressOf(operand), bytes: operand.bytes })),
    ],
    wanted: { at: addressOf(result), length: result.bytes.length },
  }
  return { ...prepared, given, call }
}

/** How many cases run in one process: so many bytes of operands. */
const AT_ONCE = 200

beforeEach(() => configure({ threads: 1 }))
afterEach(() => provideKernels(undefined))

describe('products of AArch64', needs('gnu-as-arm64', hasGnuAs), () => {
  describe('run', needs('qemu-arm64', canRun), () => {
    it('as kernels that give what the definition gives, and touch nothing beyond their operands', () => {
      const all: Placed[] = []
      fc.assert(
        fc.property(productCases, fc.boolean(), (given, atStart) => {
          const prepared = prepareProduct(given, productTile)
          if (prepared !== undefined) all.push(placed(given, prepared, atStart))
        }),
        { numRuns: 3000 },
      )
      expect(new Set(all.map(({ kernel }) => kernel.kind)).size).toBe(5)
      for (let i = 0; i < all.length; i += AT_ONCE) {
        const some = all.slice(i, i + AT_ONCE)
        try {
          const answers = runAll(some.map(({ call }) => call))
          for (const [j, { given, expected }] of some.entries()) {
            const { result, bytes } = answers[j]!
            const why = JSON.stringify(given)
            expect(result, why).toBe(0)
            expect(Buffer.compare(bytes, expected), why).toBe(0)
          }
        } catch (error) {
          if (error instanceof CallFailed) expect.fail(`${error.message}: ${JSON.stringify(some[error.call]!.given)}`)
          throw error
        }
      }
    })

    it('as calls that have the bits of WebAssembly', () => {
      const { code, asked } = emulatedProducts()
      // Sums that are not so long that they go on in more than two blocks.
      const calls = productCalls(2 ** 16).filter(({ k }) => k < 100)
      fc.assert(
        fc.property(calls, (call) => {
          provideKernels(undefined)
          const expected = computeProduct(call)
          provideKernels(code)
          expect(computeProduct(call)).toBe(expected)
        }),
        { numRuns: 60 },
      )
      fc.assert(
        fc.property(imageCalls, (call) => {
          provideKernels(undefined)
          const expected = computeImage(call)
          provideKernels(code)
          expect(computeImage(call)).toBe(expected)
        }),
        { numRuns: 8 },
      )
      onDefaultSeed(() => {
        const kinds = new Set([...asked].map((name) => name.split(' ')[0]))
        expect([...kinds].sort()).toEqual(['across', 'along', 'gather', 'multiply', 'pack'])
        for (const one of ['sums', 'row', 'column']) {
          expect(
            [...asked].some((name) => name.startsWith('multiply') && name.includes(one)),
            one,
          ).toBe(true)
        }
      })
    })
  })
})

// Products of matrices by machine code have the bits of WebAssembly: random sizes and types, operands that lie in every way,
// one thread and two.
import * as bcast from 'bcast'
import { configure, gemm, matmul, type Tensor } from 'bcast'
import { type MachineCode, provideKernels } from 'bcast/kernels'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { CodeMemory } from '../src/code.ts'
import { koffiFfi, koffiText } from '../src/ffi/koffi.ts'
import type { Level } from '../src/levels.ts'
import { machineCode } from '../src/maker.ts'
import { Threads } from '../src/threads.ts'
import { found } from './found.ts'
import { bytesOf, computeImage, computeProduct, elements, imageCalls, productCalls } from './product-calls.ts'

afterEach(() => {
  provideKernels(undefined)
  configure({ threads: 1 })
})

/** A maker that tells which kernels of products were asked for. */
function listening(level: Level): { readonly code: MachineCode; readonly asked: Set<string> } {
  const memory = new CodeMemory(koffiFfi())
  const threads = new Threads(memory, level)
  const own = machineCode({
    level,
    memory,
    threads,
    textFor: koffiText,
    least: 0,
    streamFrom: Number.POSITIVE_INFINITY,
  })
  const asked = new Set<string>()
  const code: MachineCode = {
    ...own,
    product(kernel, buffer) {
      asked.add(Object.values(kernel).join(' '))
      return own.product(kernel, buffer)
    },
  }
  return { code, asked }
}

describe.each(found)('products of %s', (level) => {
  it('have the bits of WebAssembly', () => {
    const { code, asked } = listening(level)
    fc.assert(
      fc.property(productCalls(2 ** 21), (call) => {
        configure({ threads: call.threads })
        provideKernels(undefined)
        const expected = computeProduct(call)
        provideKernels(code)
        expect(computeProduct(call)).toBe(expected)
      }),
      { numRuns: 250 },
    )
    // Every kind of kernel has taken part.
    const kinds = new Set([...asked].map((name) => name.split(' ')[0]))
    expect([...kinds].sort()).toEqual(['across', 'along', 'multiply', 'pack'])
    for (const motion of ['unit', 'turned', 'strided']) {
      expect([...asked].some((name) => name.startsWith('pack') && name.endsWith(motion))).toBe(true)
    }
    for (const c of ['none', 'row', 'column']) {
      expect([...asked].some((name) => name.startsWith('multiply') && name.endsWith(c))).toBe(true)
    }
  })

  it('have them where B is no matrix', () => {
    const { code, asked } = listening(level)
    fc.assert(
      fc.property(imageCalls, (call) => {
        provideKernels(undefined)
        const expected = computeImage(call)
        provideKernels(code)
        expect(computeImage(call)).toBe(expected)
      }),
      { numRuns: 150 },
    )
    expect([...asked].some((name) => name.startsWith('gather'))).toBe(true)
  })

  it('have them in blocks, shared by threads, and without keeping the calling thread', async () => {
    const { code, asked } = listening(level)
    const [x, y] = [elements('float32', [517, 801], 1), elements('float32', [801, 1203], 2)]
    const c = elements('float32', [1203], 3)
    const half = [x, y].map((each) => bcast.cast(each as Tensor<'float32'>, 'float16') as Tensor)
    const compute = (): string[] => [
      bytesOf(gemm(x as never, y as never, c as never) as Tensor),
      bytesOf(matmul(half[0] as never, half[1] as never) as Tensor),
      bytesOf(matmul(x.slice([0, 3]) as never, y as never) as Tensor),
    ]
    provideKernels(undefined)
    const expected = compute()
    provideKernels(code)
    for (const threads of [1, 2]) {
      configure({ threads })
      for (let i = 0; i < 3; i++) expect(compute()).toEqual(expected)
      expect(bytesOf((await gemm.async(x as never, y as never, c as never)) as Tensor)).toBe(expected[0])
    }
    expect([...asked].some((name) => name.startsWith('multiply float32 sums'))).toBe(true)
  })
})

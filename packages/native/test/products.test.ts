// Products of matrices by machine code have the bits of WebAssembly: random sizes and types, operands that are transposed,
// strided, turned round and begin anywhere, the caller's arrays, factors and a C that goes onto the product, results into
// parts of others, one thread and two.
import * as bcast from 'bcast'
import { configure, type DType, gemm, matmul, type Tensor, tensor, tensordot } from 'bcast'
import { type MachineCode, provideKernels } from 'bcast/kernels'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { CodeMemory } from '../src/code.ts'
import { koffiFfi, koffiText } from '../src/ffi/koffi.ts'
import type { Level } from '../src/levels.ts'
import { machineCode } from '../src/maker.ts'
import { Threads } from '../src/threads.ts'
import { foundOnX86 } from './found.ts'

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

const bytesOf = ({ data }: Tensor): string => {
  const { buffer, byteOffset, byteLength } = data as Float32Array
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('hex')
}

const TYPES: readonly DType[] = ['float32', 'float64', 'float16', 'bfloat16', 'int32', 'uint32', 'int64', 'uint64']

const SCALES = [1e-3, 1, 1 / 3, 1e-5]

/** Elements of a type: magnitudes far apart, so that the order of sums shows, and integers whose products wrap. */
function elements(dtype: DType, shape: readonly number[], seed: number): Tensor {
  const count = shape.reduce((product, size) => product * size, 1)
  const isFloat = dtype.includes('float')
  const numbers = Float64Array.from({ length: count }, (_, i) => {
    const x = ((i * 2_654_435 + seed * 7919) % 65_537) - 32_768
    return isFloat ? x * SCALES[(i * 7 + seed) % 4]! : x * (i % 3 === 0 ? 65_536 : 1)
  })
  const cast = bcast.cast(tensor(numbers, { shape: [...shape] }) as Tensor, dtype as 'float32') as Tensor
  return cast
}

/** The caller's own array of the same elements. */
function foreign(x: Tensor): Tensor {
  const data = (x.data as Float32Array).slice()
  return tensor(data, { shape: [...x.shape], dtype: x.dtype as 'float32' }) as Tensor
}

const lies = fc.record({
  isTurned: fc.boolean(),
  step: fc.constantFrom(1, 1, 1, 2, -1),
  skipped: fc.integer({ min: 0, max: 3 }),
  isForeign: fc.boolean(),
})
type Lies = { isTurned: boolean; step: number; skipped: number; isForeign: boolean }

/** A matrix that lies as told. */
function matrix(dtype: DType, rows: number, columns: number, lying: Lies, seed: number): Tensor {
  const { isTurned, step, skipped, isForeign } = lying
  const [m, n] = isTurned ? [columns, rows] : [rows, columns]
  const whole = elements(dtype, [m + skipped, n * Math.abs(step) + skipped], seed)
  const own = isForeign ? foreign(whole) : whole
  const stop = skipped + n * Math.abs(step)
  const part = own.slice(
    [skipped, m + skipped],
    step > 0 ? [skipped, stop, step] : [stop - 1, skipped === 0 ? null : skipped - 1, step],
  ) as Tensor
  return (isTurned ? part.transpose(1, 0) : part) as Tensor
}

const size = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 40 }), fc.constantFrom(16, 24, 48, 97))
const cases = fc.record({
  dtype: fc.constantFrom(...TYPES),
  m: size,
  n: fc.oneof(size, size, size, fc.constant(500)),
  k: fc.oneof(size, size, size, fc.constant(700)),
  a: lies,
  b: lies,
  c: fc.constantFrom('none', 'scalar', 'row', 'column', 'whole', 'turned', 'result'),
  alpha: fc.constantFrom(1, 1, 2, -3),
  beta: fc.constantFrom(1, -2),
  out: fc.constantFrom('fresh', 'own', 'turned', 'strided', 'foreign'),
  threads: fc.constantFrom(1, 1, 1, 2),
  seed: fc.nat(1000),
})

describe.each(foundOnX86)('products of %s', (level) => {
  it('have the bits of WebAssembly', () => {
    const { code, asked } = listening(level)
    fc.assert(
      fc.property(cases, ({ dtype, m, n, k, a, b, c, alpha, beta, out, threads, seed }) => {
        fc.pre(m * n * k > 512 && m * n * k < 2 ** 21)
        configure({ threads })
        const [x, y] = [matrix(dtype, m, k, a, seed), matrix(dtype, k, n, b, seed + 1)]
        const compute = (): string => {
          const whole =
            out === 'strided'
              ? elements(dtype, [m, 2 * n + 1], 3)
              : elements(dtype, out === 'turned' ? [n, m] : [m, n], 3)
          const result =
            out === 'fresh' && c !== 'result'
              ? undefined
              : out === 'turned'
                ? (whole.transpose(1, 0) as Tensor)
                : out === 'strided'
                  ? (whole.slice([0, m], [1, 2 * n + 1, 2]) as Tensor)
                  : out === 'foreign'
                    ? foreign(whole)
                    : whole
          const shape = {
            none: undefined,
            scalar: [],
            row: [n],
            column: [m, 1],
            whole: [m, n],
            turned: [n, m],
            result: undefined,
          }[c]
          const addend = c === 'result' ? result : shape && elements(dtype, shape, seed + 2)
          const given = c === 'turned' ? (addend!.transpose(1, 0) as Tensor) : addend
          const options = { alpha, beta, ...(result === undefined ? {} : { out: result }) }
          const args = given === undefined ? [x, y, options] : [x, y, given, options]
          const made = (gemm as (...args: unknown[]) => Tensor)(...args)
          return bytesOf(out === 'strided' ? whole : made)
        }
        provideKernels(undefined)
        const expected = compute()
        provideKernels(code)
        expect(compute()).toBe(expected)
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
    const shapes = fc.record({
      dtype: fc.constantFrom(...TYPES),
      m: fc.integer({ min: 1, max: 20 }),
      channels: fc.integer({ min: 1, max: 6 }),
      height: fc.integer({ min: 1, max: 9 }),
      width: fc.integer({ min: 1, max: 70 }),
      seed: fc.nat(100),
    })
    fc.assert(
      fc.property(shapes, ({ dtype, m, channels, height, width, seed }) => {
        fc.pre(m * channels * height * width > 512)
        const x = elements(dtype, [m, channels, 2], seed)
        // Part of an image, so that neither rows nor columns can be taken as one axis.
        const image = elements(dtype, [channels + 1, 3, height + 2, width + 5], seed + 1)
        const y = image.slice([1, null], [0, 3, 2], [1, height + 1], [2, width + 2]) as Tensor
        const compute = (): string => bytesOf(tensordot(x as never, y as never) as Tensor)
        provideKernels(undefined)
        const expected = compute()
        provideKernels(code)
        expect(compute()).toBe(expected)
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

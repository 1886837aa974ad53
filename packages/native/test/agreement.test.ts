// Machine code gives what WebAssembly gives, to the bit: random functions of random types over random shapes, rows that
// begin anywhere, results that go past the caches or not, for each kind of code that the processor has.
import * as bcast from 'bcast'
import { configure, type DType, fuse, type Tensor, tensor } from 'bcast'
import { type MachineCode, provideKernels } from 'bcast/kernels'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { elementsOf, show } from '../../../testing/elements.ts'
import { needs } from '../../../testing/needs.ts'
import { CodeMemory } from '../src/code.ts'
import { koffiFfi, koffiText } from '../src/ffi/koffi.ts'
import { type Level, levels } from '../src/levels.ts'
import { machineCode } from '../src/maker.ts'
import { Threads } from '../src/threads.ts'

const found = ((): readonly Level[] => {
  try {
    return levels()
  } catch {
    return []
  }
})()

afterEach(() => {
  provideKernels(undefined)
  configure({ threads: 1 })
})

/** A maker that counts what it makes. */
function counting(level: Level, streamFrom: number): { readonly code: MachineCode; readonly made: () => number } {
  const memory = new CodeMemory(koffiFfi())
  const threads = new Threads(memory, level)
  const own = machineCode({ level, memory, threads, textFor: koffiText, least: 0, streamFrom })
  let made = 0
  const code: MachineCode = {
    ...own,
    kernel(...given) {
      const kernel = own.kernel(...given)
      if (kernel !== undefined) made++
      return kernel
    },
  }
  return { code, made: () => made }
}

const bytesOf = ({ data }: Tensor): string => {
  const { buffer, byteOffset, byteLength } = data as Float32Array
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('hex')
}

/** What has to be equal: NEON's own extremes give another NaN than WebAssembly, which NaNs may be. */
const told = (tensor: Tensor, level: Level): string =>
  level === 'neon' ? elementsOf(tensor).map(show).join() : bytesOf(tensor)

type Step = (x: Traced, y: Traced) => Traced
// biome-ignore lint/suspicious/noExplicitAny: random functions have no types that are known before
type Traced = any

const FLOATS: readonly Step[] = [
  (x, y) => x.add(y),
  (x, y) => x.sub(y).mul(x),
  (x, y) => x.div(y),
  (x, y) => x.max(y),
  (x, y) => x.min(y),
  (x, y) => x.less(y).where(x, y),
  (x, y) => x.equal(y).or(x.lessOrEqual(y)).where(y, x),
  (x) => x.abs().sqrt(),
  (x) => x.neg().exp(),
  (x) => x.tanh(),
  (x) => x.sign(),
  (x) => x.round().floor().ceil(),
  (x) => x.mul(0.1).add(1e-40),
]
const INTEGERS: readonly Step[] = [
  (x, y) => x.add(y),
  (x, y) => x.sub(y),
  (x, y) => x.mul(y),
  (x, y) => x.max(y),
  (x, y) => x.min(y),
  (x, y) => x.less(y).where(x, y),
  (x, y) => x.greaterOrEqual(y).where(y, x),
  (x, y) => x.bitwiseXor(y),
  (x) => x.bitwiseNot(),
  (x) => x.add(3),
]
const FLOAT_TYPES: readonly DType[] = ['float16', 'bfloat16', 'float32', 'float64']
const TYPES: readonly DType[] = [
  ...FLOAT_TYPES,
  ...(['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'] as const),
]
const CASTS: readonly DType[] = ['float16', 'bfloat16', 'float32', 'float64', 'int8', 'uint8', 'int16', 'int32', 'bool']

const special = [
  0,
  -0,
  1,
  -1,
  0.5,
  1e-40,
  1e38,
  65504,
  65520,
  -7.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -1e300,
  2 ** 31,
]

/** Elements of a type, from numbers; each is brought into its range. */
function elements(dtype: DType, count: number, seed: number): Tensor {
  const numbers = Float64Array.from({ length: count }, (_, i) =>
    (i * 7 + seed) % 5 === 0 ? special[(i + seed) % special.length]! : Math.sin(i + seed) * 10 ** ((i + seed) % 7),
  )
  return bcast.cast(tensor(numbers) as Tensor, dtype as 'float32') as Tensor
}

const cases = fc.record({
  dtype: fc.constantFrom(...TYPES),
  to: fc.option(fc.constantFrom(...CASTS), { nil: undefined }),
  steps: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
  rows: fc.integer({ min: 1, max: 9 }),
  columns: fc.integer({ min: 1, max: 150 }),
  skipped: fc.integer({ min: 0, max: 5 }),
  shape: fc.constantFrom('same', 'row', 'column', 'scalar'),
  seed: fc.nat(100),
  streams: fc.boolean(),
})

describe.each(found)('machine code of %s', (level) => {
  it('has the bits of WebAssembly', () => {
    let made = 0
    fc.assert(
      fc.property(cases, ({ dtype, to, steps, rows, columns, skipped, shape, seed, streams }) => {
        const table = FLOAT_TYPES.includes(dtype) ? FLOATS : INTEGERS
        const whole = elements(dtype, rows * (columns + skipped), seed).reshape([rows, columns + skipped]) as Tensor
        // Rows that begin anywhere.
        const x = whole.slice([0, rows], [skipped, columns + skipped]) as Tensor
        const other = { same: [rows, columns], row: [columns], column: [rows, 1], scalar: [] }[shape]!
        const count = other.reduce((product, size) => product * size, 1)
        const y = elements(dtype, count, seed + 13).reshape(other) as Tensor
        const f = fuse((a: Traced, b: Traced) => {
          const value = steps.reduce((v, step) => table[step % table.length]!(v, b), a)
          return to === undefined ? value : value.cast(to)
        }) as unknown as (...given: Tensor[]) => Tensor
        configure({ threads: 1 })
        provideKernels(undefined)
        const wanted = told(f(x, y), level)
        const { code, made: count2 } = counting(level, streams ? 1 : Number.POSITIVE_INFINITY)
        provideKernels(code)
        expect(told(f(x, y), level)).toBe(wanted)
        made += count2()
      }),
      { numRuns: 150 },
    )
    expect(made).toBeGreaterThan(100)
  })

  it('runs on other threads, too', () => {
    const x = elements('float32', 300_001, 3)
    // A function of its own: calls that were made ready stay with the code that they were made ready for.
    const exp = fuse((a: Traced) => a.exp()) as unknown as (x: Tensor) => Tensor
    provideKernels(undefined)
    const wanted = bytesOf(exp(x))
    const { code, made } = counting(level, Number.POSITIVE_INFINITY)
    provideKernels(code)
    configure({ threads: 3 })
    for (let i = 0; i < 20; i++) expect(bytesOf(exp(x)) === wanted).toBe(true)
    expect(made()).toBeGreaterThan(0)
  })
})

it('is there where the processor has what it takes', needs('linux', process.platform === 'linux'), () => {
  expect(process.arch === 'arm64' ? found : []).toEqual(process.arch === 'arm64' ? ['neon'] : [])
  expect(process.arch === 'x64' ? found.length : 0).toBeLessThanOrEqual(2)
})

// Machine code gives what WebAssembly gives, to the bit: random functions of random types over random shapes, rows that
// begin anywhere, results that go past the caches or not, for each kind of code that the processor has.
import * as bcast from 'bcast'
import { configure, type DType, fuse, type Range, type Tensor, tensor } from 'bcast'
import { type MachineCode, provideKernels } from 'bcast/kernels'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { elementsOf, show } from '../../../testing/elements.ts'
import { CodeMemory } from '../src/code.ts'
import { koffiFfi, koffiText } from '../src/ffi/koffi.ts'
import type { Level } from '../src/levels.ts'
import { machineCode } from '../src/maker.ts'
import { Threads } from '../src/threads.ts'
import { found } from './found.ts'

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

/**
 * What has to be equal: NEON's own extremes and the platform's own remainder, which WebAssembly asks, give other NaNs, which
 * NaNs may be.
 */
const told = (tensor: Tensor, anyNaN: boolean): string =>
  anyNaN ? elementsOf(tensor).map(show).join() : bytesOf(tensor)

type Step = (x: Traced, y: Traced) => Traced
// biome-ignore lint/suspicious/noExplicitAny: random functions have no types that are known before
type Traced = any

const REST_STEPS: readonly Step[] = [(x, y) => x.mod(y, { fmod: true }), (x, y) => x.floorMod(y)]
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
  ...REST_STEPS,
]
const RESTS: ReadonlySet<Step> = new Set(REST_STEPS)
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
  (x, y) => x.div(y.bitwiseOr(1)),
  (x, y) => x.mod(y.bitwiseOr(1)),
  (x, y) => x.mod(y.bitwiseOr(1), { fmod: true }),
  (x, y) => x.pow(y.bitwiseAnd(7)),
  (x, y) => x.leftShift(y),
  (x, y) => x.rightShift(y.bitwiseAnd(7)),
  (x) => x.abs().neg(),
  (x) => x.sign(),
]
const FLOAT_TYPES: readonly DType[] = ['float16', 'bfloat16', 'float32', 'float64']
const TYPES: readonly DType[] = [
  ...FLOAT_TYPES,
  ...(['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'] as const),
]
const CASTS: readonly DType[] = [...TYPES, 'bool']

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

/** A tensor of a shape, seen as a view of its elements. */
function viewed(seen: string, shape: readonly number[], make: (count: number) => Tensor): Tensor {
  const last = shape.length - 1
  const isOther = last >= 0 && seen === 'every other'
  const across = last === 1 && seen === 'transposed'
  const held = isOther ? shape.with(last, 2 * shape[last]!) : across ? shape.toReversed() : [...shape]
  const whole = make(held.reduce((product, size) => product * size, 1)).reshape(held) as Tensor
  if (across) return whole.transpose() as Tensor
  const along = (axis: number, step: number): Tensor =>
    whole.slice(...shape.map((_, i): Range => (i === axis ? [null, null, step] : null))) as Tensor
  if (isOther) return along(last, 2)
  if (last >= 0 && seen === 'backwards') return along(last, -1)
  return last === 1 && seen === 'upside down' ? along(0, -1) : whole
}

const cases = fc.record({
  dtype: fc.constantFrom(...TYPES),
  to: fc.option(fc.constantFrom(...CASTS), { nil: undefined }),
  steps: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
  rows: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 40 })),
  columns: fc.integer({ min: 1, max: 150 }),
  skipped: fc.integer({ min: 0, max: 5 }),
  shape: fc.constantFrom('same', 'row', 'column', 'scalar'),
  seen: fc.constantFrom('as it is', 'transposed', 'backwards', 'every other', 'upside down'),
  seed: fc.nat(100),
  streams: fc.boolean(),
})

describe.each(found)('machine code of %s', (level) => {
  it('has the bits of WebAssembly', () => {
    let made = 0
    fc.assert(
      fc.property(cases, ({ dtype, to, steps, rows, columns, skipped, shape, seen, seed, streams }) => {
        const table = FLOAT_TYPES.includes(dtype) ? FLOATS : INTEGERS
        const whole = elements(dtype, rows * (columns + skipped), seed).reshape([rows, columns + skipped]) as Tensor
        // Rows that begin anywhere.
        const x = whole.slice([0, rows], [skipped, columns + skipped]) as Tensor
        const other = { same: [rows, columns], row: [columns], column: [rows, 1], scalar: [] }[shape]!
        const y = viewed(seen, other, (count) => elements(dtype, count, seed + 13))
        const f = fuse((a: Traced, b: Traced) => {
          const value = steps.reduce((v, step) => table[step % table.length]!(v, b), a)
          return to === undefined ? value : value.cast(to)
        }) as unknown as (...given: Tensor[]) => Tensor
        configure({ threads: 1 })
        provideKernels(undefined)
        const anyNaN = level === 'neon' || steps.some((step) => RESTS.has(table[step % table.length]!))
        const wanted = told(f(x, y), anyNaN)
        const { code, made: count2 } = counting(level, streams ? 1 : Number.POSITIVE_INFINITY)
        provideKernels(code)
        // Calls that repeat are made ready after some, and then run another way.
        for (let call = 0; call < 4; call++) expect(told(f(x, y), anyNaN)).toBe(wanted)
        made += count2()
      }),
      { numRuns: 300 },
    )
    expect(made).toBeGreaterThan(250)
  })

  it('says where an element has no value', () => {
    const x = tensor(Int32Array.from({ length: 5000 }, (_, i) => i)) as Tensor
    const zeroAt = (at: number): Tensor =>
      tensor(Int32Array.from({ length: 5000 }, (_, i) => (i === at ? 0 : -1))) as Tensor
    const { code, made } = counting(level, 1)
    provideKernels(code)
    for (const at of [0, 17, 4096, 4999]) expect(() => bcast.div(x, zeroAt(at))).toThrow(`[${at}]`)
    expect((bcast.div(x, zeroAt(-1)) as Tensor).get(4999)).toBe(-4999)
    expect(made()).toBeGreaterThan(0)
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

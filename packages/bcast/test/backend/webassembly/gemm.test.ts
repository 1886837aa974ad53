// Gemm on the engine against the interpreter and the specification, to the bit: every type, sizes around strips and
// blocks, any strides, operands inside the arena and outside it, one thread and several, memory plentiful and short.
import { gemm as specGemm } from '@bcast/spec'
import { configure, type DType, gemm as publicGemm, type Tensor, tensor } from 'bcast'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { elementsOf, sameElement, show } from '../../../../../testing/elements.ts'
import { allocate, compiling } from '../../../src/backend/backends.ts'
import { gemm } from '../../../src/backend/gemm.ts'
import type { GemmJob } from '../../../src/backend/gemm-job.ts'
import { gemm as interpret } from '../../../src/backend/interpreter/gemm.ts'
import { wasm } from '../../../src/backend/platform.ts'
import { WebAssemblyBackend } from '../../../src/backend/webassembly/backend.ts'
import { computeOn } from '../../../src/backend/webassembly/gemm/gemm.ts'
import { stripsOf } from '../../../src/backend/webassembly/gemm/multiply.ts'
import { Arena } from '../../../src/backend/webassembly/memory/arena.ts'
import { bitsOf, makeStorage, type Storage, type TypedArray } from '../../../src/dtype/dtype.ts'
import { OperandError } from '../../../src/errors/index.ts'
import { type GemmSizes, planGemm } from '../../../src/plan/gemm.ts'
import type { Placed } from '../../../src/tensor/placed.ts'
import { sample } from '../../support/layouts.ts'
import { settings } from '../../support/oracle.ts'
import { randomBits } from '../../support/random.ts'

const FLOATS: readonly DType[] = ['float16', 'bfloat16', 'float32', 'float64']
const TYPES: readonly DType[] = [...FLOATS, 'int32', 'int64', 'uint32', 'uint64']

const KINDS = ['rows', 'columns', 'gaps', 'backwards', 'one row', 'one column', 'one element'] as const
type Kind = (typeof KINDS)[number]
const WRITABLE: readonly Kind[] = ['rows', 'columns', 'gaps', 'backwards']

/** Where the elements of a matrix lie. */
function layout(kind: Kind, rows: number, columns: number): { length: number; offset: number; strides: number[] } {
  const count = Math.max(1, rows * columns)
  if (kind === 'rows') return { length: count + 3, offset: 3, strides: [columns, 1] }
  if (kind === 'columns') return { length: count, offset: 0, strides: [1, rows] }
  if (kind === 'gaps') return { length: rows * (2 * columns + 1) + 2, offset: 1, strides: [2 * columns + 1, 2] }
  if (kind === 'backwards') return { length: count, offset: count - 1, strides: [-columns, -1] }
  if (kind === 'one row') return { length: columns + 1, offset: 1, strides: [0, 1] }
  if (kind === 'one column') return { length: rows + 1, offset: 1, strides: [1, 0] }
  return { length: 2, offset: 1, strides: [0, 0] }
}

/** Numbers whose sums are rounded, with `special` percent of zeros, infinities and NaN; any bits for integers. */
function fill(dtype: DType, array: TypedArray, stream: number, special: number): void {
  const next = randomBits(stream)
  const odd: Readonly<Record<string, readonly number[]>> = {
    float16: [0, 0x8000, 0x7c00, 0xfc00, 0x7e00, 1, 0x7bff],
    bfloat16: [0, 0x8000, 0x7f80, 0xff80, 0x7fc0, 1, 0x7f7f],
    float32: [0, -0, Infinity, -Infinity, Number.NaN, 1e-45, 3.4e38],
    float64: [0, -0, Infinity, -Infinity, Number.NaN, 5e-324, 1.7e308],
  }
  const [isFloat, isWide] = [FLOATS.includes(dtype), bitsOf(dtype) === 64]
  for (let i = 0; i < array.length; i++) {
    if (isFloat && next() % 100 < special) array[i] = odd[dtype]![next() % 7]!
    // 16-bit floats between 2^-6 and 2^6 or so, of either sign.
    else if (dtype === 'float16') array[i] = (next() & 0x83ff) | ((9 + (next() % 12)) << 10)
    else if (dtype === 'bfloat16') array[i] = (next() & 0x807f) | ((121 + (next() % 12)) << 7)
    else if (isFloat) array[i] = (next() - 2 ** 31) / 2 ** (25 + (next() % 12)) + next() * 2 ** -50
    else array[i] = (isWide ? (BigInt(next()) << 32n) | BigInt(next()) : next()) as never
  }
}

interface Place {
  readonly kind: Kind
  readonly inArena: boolean
}

/** Arrays whose memory must not be collected while a part of it is used. */
const kept: Storage[] = []

function operand(dtype: DType, rows: number, columns: number, { kind, inArena }: Place): Placed {
  const { length, offset, strides } = layout(kind, rows, columns)
  if (!inArena) return { storage: makeStorage(dtype, length), offset, strides }
  const room = allocate(dtype, length)
  kept.push(room.storage)
  return { storage: (room.storage as TypedArray).subarray(room.offset, room.offset + length), offset, strides }
}

const copyOf = ({ storage, offset, strides }: Placed): Placed => ({
  storage: (storage as TypedArray).slice() as Storage,
  offset,
  strides,
})

const isNaN16 = (dtype: DType, bits: number): boolean =>
  (dtype === 'float16' && (bits & 0x7fff) > 0x7c00) || (dtype === 'bfloat16' && (bits & 0x7fff) > 0x7f80)

/** The first element in which two storages differ, NaNs being equal. */
function difference(dtype: DType, got: Storage, wanted: Storage): string | undefined {
  const [x, y] = [got as TypedArray, wanted as TypedArray]
  for (let i = 0; i < y.length; i++) {
    if (Object.is(x[i], y[i])) continue
    if (bitsOf(dtype) === 16 && isNaN16(dtype, x[i] as number) && isNaN16(dtype, y[i] as number)) continue
    return `element ${i}: ${y[i]}, got ${x[i]}`
  }
  return undefined
}

interface Case {
  readonly sizes: GemmSizes
  readonly places: readonly [Place, Place, Place, Place]
  readonly withC: boolean
  readonly alpha: number
  readonly beta: number
  readonly special: number
  readonly stream: number
}

const EDGES = [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 17, 33, 100, 127, 128, 129, 257, 513]

const casesOf = (dtype: DType, most: number): fc.Arbitrary<Case> => {
  const size = fc.constantFrom(...EDGES)
  const place = (kinds: readonly Kind[]) => fc.record({ kind: fc.constantFrom(...kinds), inArena: fc.boolean() })
  const factors = FLOATS.includes(dtype)
    ? [1, 1, 0, -1, 0.1, 3.5, -0, 1e30, Infinity, Number.NaN]
    : [1, 1, 0, -1, 3, 2 ** 33 + 1]
  const factor = fc.constantFrom(...factors)
  return fc.record({
    sizes: fc.record({ m: size, n: size, k: size }).filter(({ m, n, k }) => m * n * Math.max(1, k) <= most),
    places: fc.tuple(place(KINDS), place(KINDS), place(KINDS), place(WRITABLE)),
    withC: fc.boolean(),
    alpha: factor,
    beta: factor,
    special: fc.constantFrom(0, 0, 1, 20),
    stream: fc.nat(),
  })
}

/** The engine also for products that are too small to be worth it. */
const onEngine: typeof gemm = (job) => {
  if (job.sizes.m === 0 || job.sizes.n === 0) gemm(job)
  else expect(computeOn(compiling()!, job)).toBe(true)
}

/** Computes a case both ways; `compute` is what is tested. */
function expectSame(dtype: DType, given: Case, compute: typeof gemm): void {
  const { m, n, k } = given.sizes
  const [placeA, placeB, placeC, placeOut] = given.places
  const a = operand(dtype, m, k, placeA)
  const b = operand(dtype, k, n, placeB)
  const c = given.withC ? operand(dtype, m, n, placeC) : undefined
  const out = operand(dtype, m, n, placeOut)
  for (const [i, some] of [a, b, c, out].entries())
    if (some !== undefined) fill(dtype, some.storage as TypedArray, given.stream + i, given.special)
  const wanted = copyOf(out)
  const { sizes, alpha, beta } = given
  interpret({ dtype, sizes, a, b, c, alpha, beta, out: wanted })
  const before = [a, b].map(copyOf)
  compute({ dtype, sizes, a, b, c, alpha, beta, out })
  // The whole storage: nothing between or around the elements may change.
  expect(difference(dtype, out.storage, wanted.storage)).toBeUndefined()
  expect([a, b].map(({ storage }, i) => difference(dtype, storage, before[i]!.storage))).toEqual([undefined, undefined])
}

afterEach(() => {
  kept.length = 0
  configure({ backend: 'auto', threads: 1 })
})

describe('Gemm on the engine', () => {
  it.each(TYPES)('%s: the same as the interpreter', (dtype) => {
    configure({ threads: 1 })
    // The interpreter takes its time over 64-bit integers.
    const most = dtype.endsWith('int64') ? 20_000 : 60_000
    fc.assert(
      fc.property(casesOf(dtype, most), (given) => expectSame(dtype, given, onEngine)),
      settings(24),
    )
  })

  it.each(TYPES)('%s: few rows or columns are the same as the interpreter', (dtype) => {
    configure({ threads: 1 })
    const size = fc.constantFrom(...EDGES, 1030)
    const few = fc.record({ m: fc.constantFrom(1, 1, 2, 3), n: size, k: size })
    const sizes = fc.oneof(
      few,
      few.map(({ m, n, k }) => ({ m: n, n: m, k })),
    )
    const cases = fc
      .record({ given: casesOf(dtype, 1), sizes })
      .map(({ given, sizes: own }) => ({ ...given, sizes: own }))
    fc.assert(
      fc.property(
        cases.filter(({ sizes: { m, n, k } }) => m * n * k <= 60_000),
        (given) => expectSame(dtype, given, onEngine),
      ),
      settings(16),
    )
  })

  // Sums of 16,384 columns are in scratch at a time, and parts have at least 2^18 products.
  it.each([
    ['float32', { m: 1, n: 17_003, k: 21 }],
    ['float64', { m: 17_003, n: 1, k: 33 }],
    ['int32', { m: 2, n: 2_100, k: 250 }],
  ] as const)('%s %o: few rows or columns in parts, on several threads', async (dtype, sizes) => {
    for (const kind of ['rows', 'columns'] as const) {
      const place = { kind, inArena: true }
      const given = { sizes, alpha: 1, beta: 3, special: 0, stream: 5 }
      configure({ threads: 2 })
      expectSame(dtype, { ...given, places: [place, place, place, place], withC: false }, gemm)
      await new Promise((resolve) => setTimeout(resolve, 100))
      expectSame(dtype, { ...given, places: [place, place, place, place], withC: false }, gemm)
      expectSame(dtype, { ...given, places: [place, place, place, place], withC: true }, gemm)
    }
  })

  // Blocks are 256 by 512 elements of 4 bytes and 128 by 256 of 8 for one thread, and take 128 products at once.
  it.each([
    ['float32', { m: 259, n: 523, k: 3 }],
    ['float32', { m: 260, n: 9, k: 270 }],
    ['float16', { m: 3, n: 1030, k: 260 }],
    ['float64', { m: 131, n: 262, k: 7 }],
    ['int32', { m: 300, n: 5, k: 400 }],
    ['uint64', { m: 130, n: 260, k: 2 }],
  ] as const)('%s %o: across several blocks', (dtype, sizes) => {
    configure({ threads: 1 })
    for (const inArena of [true, false]) {
      const place = (kind: Kind) => ({ kind, inArena })
      const places = [place('rows'), place('columns'), place('one row'), place('rows')] as const
      const given = { sizes, places, withC: true, alpha: 3, beta: -2, special: 0, stream: 5 }
      expectSame(dtype, given, gemm)
      expectSame(dtype, { ...given, places: [place('columns'), place('gaps'), place('rows'), place('columns')] }, gemm)
    }
  })

  it.each<DType>(['float32', 'float16', 'int64'])('%s: the same on several threads', async (dtype) => {
    const sizes = { m: 515, n: 130, k: 300 }
    const result = (threads: number): Storage => {
      configure({ threads })
      const a = operand(dtype, sizes.m, sizes.k, { kind: 'rows', inArena: true })
      const b = operand(dtype, sizes.k, sizes.n, { kind: 'gaps', inArena: false })
      const c = operand(dtype, sizes.m, sizes.n, { kind: 'one column', inArena: true })
      const out = operand(dtype, sizes.m, sizes.n, { kind: 'rows', inArena: true })
      for (const [i, some] of [a, b, c, out].entries()) fill(dtype, some.storage as TypedArray, 77 + i, 0)
      gemm({ dtype, sizes, a, b, c, alpha: 2, beta: 3, out })
      return copyOf(out).storage
    }
    const wanted = result(1)
    for (const threads of [2, 5]) {
      expect(difference(dtype, result(threads), wanted)).toBeUndefined()
      // By now the threads have started and take parts of their own.
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(difference(dtype, result(threads), wanted)).toBeUndefined()
    }
  })

  it.each(TYPES)('%s: the same as the specification', (dtype) => {
    const size = fc.constantFrom(8, 9, 11, 13)
    const cases = fc
      .record({ m: size, n: size, k: size })
      .chain(({ m, n, k }) => fc.record({ a: sample(dtype, [m, k]), b: sample(dtype, [k, n]), c: sample(dtype, [n]) }))
    const attributes = { alpha: 3, beta: -1 }
    fc.assert(
      fc.property(cases, ({ a, b, c }) => {
        const wanted = specGemm(dtype, a.spec, b.spec, c.spec, attributes)
        const result = (publicGemm as (...args: unknown[]) => Tensor)(a.tensor, b.tensor, c.tensor, attributes)
        const columns = result.shape[1]!
        const complaints = elementsOf(result).flatMap((got, i) => {
          const value = wanted.at([Math.floor(i / columns), i % columns])
          return sameElement(got, value) ? [] : [`element ${i}: ${show(value)}, got ${show(got)}`]
        })
        expect(complaints).toEqual([])
      }),
      settings(8),
    )
  })

  it('without products gives beta * C, or zeros', () => {
    const call = publicGemm as (...args: unknown[]) => Tensor<'float32'>
    const empty = tensor(new Float32Array(0), { share: true, shape: [30, 0] }) as Tensor
    const turned = empty.transpose() as Tensor
    const every = (result: Tensor<'float32'>, wanted: number): boolean =>
      result.size === 900 && result.data.every((value) => Object.is(value, wanted))
    expect(every(call(empty, turned), 0)).toBe(true)
    expect(every(call(empty, turned, tensor([2]), { beta: 3 }), 6)).toBe(true)
    expect(every(call(empty, turned, undefined, { alpha: Infinity }), Number.NaN)).toBe(true)
  })

  it('is the interpreter where the engine is switched off', () => {
    configure({ backend: 'interpreter' })
    expect(compiling()).toBeUndefined()
    const place = { kind: 'rows', inArena: false } as const
    const places = [place, place, place, place] as const
    expectSame(
      'float32',
      { sizes: { m: 9, n: 9, k: 17 }, places, withC: true, alpha: 2, beta: 3, special: 0, stream: 1 },
      gemm,
    )
  })
})

describe('out', () => {
  const call = publicGemm as (...args: unknown[]) => Tensor
  const values = (count: number, from: number): Float32Array =>
    Float32Array.from({ length: count }, (_, i) => ((from + i * 37) % 101) / 7 - 7)

  it.each(['auto', 'interpreter'] as const)('may overlap an operand in any way: %s', (backend) => {
    configure({ backend })
    const size = 20
    const parts = (): ((begin: number) => Tensor) => {
      const x = tensor(values(2000, 0), { share: true }) as Tensor
      return (begin) => (x.slice([begin, begin + size * size]) as Tensor).reshape(size, size) as Tensor
    }
    for (const shift of [0, 1, 20, 399, 400]) {
      const apart = parts()
      const wanted = call(apart(0), apart(shift), apart(900)).toArray()
      for (const target of [0, 3, 390, shift, shift + 395, 890, 900, 905]) {
        const part = parts()
        const out = part(target)
        expect(call(part(0), part(shift), part(900), { out })).toBe(out)
        expect(out.toArray()).toEqual(wanted)
      }
    }
  })

  it('may overlap rows that later blocks need', () => {
    configure({ threads: 1 })
    const a = () => tensor(values(300 * 300, 4), { share: true, shape: [300, 300] }) as Tensor
    const b = tensor(values(300 * 9, 5), { share: true, shape: [300, 9] }) as Tensor
    const wanted = call(a(), b).toArray()
    const over = a()
    const last = (over.slice([256, 300]) as Tensor).reshape(44 * 300) as Tensor
    const out = (last.slice([0, 300 * 9]) as Tensor).reshape(300, 9)
    expect(call(over, b, undefined, { out }).toArray()).toEqual(wanted)
  })

  it('may be C itself', () => {
    const a = tensor(values(600 * 200, 1), { share: true, shape: [600, 200] }) as Tensor
    const b = tensor(values(200 * 60, 2), { share: true, shape: [200, 60] }) as Tensor
    const c = () => tensor(values(600 * 60, 3), { share: true, shape: [600, 60] }) as Tensor
    const wanted = call(a, b, c(), { beta: 0.5 }).toArray()
    const out = c()
    expect(call(a, b, out, { beta: 0.5, out }).toArray()).toEqual(wanted)
  })

  it('is written in place where it lies apart', () => {
    configure({ threads: 1 })
    const a = tensor(values(64 * 64, 1), { share: true, shape: [64, 64] }) as Tensor
    const whole = call(a, a)
    const { arena } = compiling()!
    const before = arena.freeBytes
    const out = tensor(new Float32Array(64 * 130), { share: true, shape: [64, 130] }) as Tensor<'float32'>
    const every = out.slice(null, [1, 129, 2]) as Tensor
    call(a, a, undefined, { out: every })
    expect(every.toArray()).toEqual(whole.toArray())
    expect(arena.freeBytes).toBe(before)
    // Columns between those of `out` are not touched.
    expect((out.slice(null, [0, 130, 2]) as Tensor<'float32'>).data.every((value) => value === 0)).toBe(true)
  })
})

describe('memory', () => {
  const MIB = 2 ** 20
  const sizes = { m: 40, n: 70, k: 200 }
  const place = { kind: 'rows', inArena: false } as const
  const coefficients = { alpha: 2, beta: 3 }

  /** An engine whose arena has `bytes` left. */
  function engineWith(bytes: number): WebAssemblyBackend {
    const arena = new Arena(wasm!, { limit: 4 * MIB, shared: false })
    const engine = new WebAssemblyBackend(wasm!, arena)
    const hole = arena.allocate(bytes)!
    while (arena.allocate(4096) !== undefined);
    while (arena.allocate(64) !== undefined);
    arena.free(hole, bytes)
    return engine
  }

  it('is at most 1 MiB for each thread, however large the product', () => {
    const huge = { m: 1e6, n: 1e6, k: 1e6 }
    for (const dtype of TYPES) {
      for (const threads of [1, 2, 3, 8, 64])
        expect(planGemm(huge, stripsOf(dtype), threads, 1).bytes).toBeLessThanOrEqual(threads * MIB)
    }
    expect(planGemm({ m: 8, n: 8, k: 8 }, stripsOf('float32'), 2, 1).bytes).toBeLessThan(2048)
  })

  it.each([1 << 18, 100_000])('smaller blocks do when %d bytes are left', (bytes) => {
    const engine = engineWith(bytes)
    const before = engine.arena.freeBytes
    const given: Case = {
      sizes,
      places: [place, place, place, place],
      withC: true,
      ...coefficients,
      special: 0,
      stream: 9,
    }
    for (const dtype of TYPES) {
      expectSame(dtype, given, (job) => expect(computeOn(engine, job)).toBe(true))
    }
    expect(engine.arena.freeBytes).toBe(before)
  })

  it('nothing is done when there is no room at all', () => {
    const engine = engineWith(4096)
    const a = operand('float32', sizes.m, sizes.k, place)
    const b = operand('float32', sizes.k, sizes.n, place)
    const out = operand('float32', sizes.m, sizes.n, place)
    fill('float32', out.storage as TypedArray, 3, 0)
    const before = copyOf(out).storage
    const job: GemmJob = { dtype: 'float32', sizes, a, b, c: undefined, ...coefficients, out }
    expect(computeOn(engine, job)).toBe(false)
    expect(difference('float32', out.storage, before)).toBeUndefined()
  })

  it('is given back, also after an error', () => {
    configure({ threads: 1 })
    const { arena } = compiling()!
    const a = operand('float32', sizes.m, sizes.k, place)
    const b = operand('float32', sizes.k, sizes.n, place)
    const out = operand('float32', sizes.m, sizes.n, place)
    const compute = () => gemm({ dtype: 'float32', sizes, a, b, c: undefined, ...coefficients, out })
    // The first one may make the arena grow.
    compute()
    const before = arena.freeBytes
    compute()
    expect(arena.freeBytes).toBe(before)
    const { buffer } = b.storage as Float32Array<ArrayBuffer>
    structuredClone(buffer, { transfer: [buffer] })
    expect(compute).toThrow(OperandError)
    expect(arena.freeBytes).toBe(before)
  })
})

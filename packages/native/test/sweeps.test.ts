// Functions that go over rows in one task of machine code, some rows at a time, give what WebAssembly gives, to the bit:
// random functions of rows, sizes that leave rows over, layouts, types, rows that all share, with one thread and several,
// again over other arrays.
import {
  arrayEqual,
  cast,
  concat,
  configure,
  empty,
  flip,
  fromData,
  full,
  fuse,
  identity,
  OperandError,
  type Tensor,
  tensor,
  vjp,
} from 'bcast'
import { type MachineCode, provideKernels } from 'bcast/kernels'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { makeRandom } from '../../../testing/random.ts'
import { onDefaultSeed, seed } from '../../../testing/seed.ts'
import { compiling } from '../../bcast/src/backend/backends.ts'
import { install } from '../src/install.ts'
import type { Level } from '../src/levels.ts'
import { found } from './found.ts'

afterEach(() => {
  provideKernels(undefined)
  configure({ threads: 1 })
})

/** How often kernels that run others were run. */
let sequences = 0
/** How many bytes ahead kernels ask for the elements of the rows of the next time. */
let ahead: number[] = []

/** Has machine code run, and counts. */
function start(level: Level): void {
  const provide = (code: MachineCode | undefined): void =>
    provideKernels(
      code && {
        ...code,
        // So small that few rows do not fit.
        caches: { first: 2 ** 12, second: 2 ** 14 },
        kernel(program, signature, memory, call) {
          ahead.push(...(call.ahead ?? []).filter((bytes) => bytes !== 0))
          return code.kernel(program, signature, memory, call)
        },
        sequence(memory) {
          const kernel = code.sequence(memory)
          if (kernel === undefined) return undefined
          const run = (at: number): number => {
            sequences++
            return kernel.run(at)
          }
          return { ...kernel, run }
        },
      },
    )
  install(provide, { level, least: 0 })
}

const SPECIALS = [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e-42, 3e38]

/** Numbers of many sizes, and some that are special. */
function randomTensor(dtype: Type, shape: readonly number[], stream: number): Tensor {
  const random = makeRandom(seed + stream)
  const count = shape.reduce((product, size) => product * size, 1)
  const one = (): number =>
    random.chance(0.002) ? random.pick(SPECIALS) : (random.unit() - 0.5) * 2 ** (random.below(12) - 6)
  const elements = Float64Array.from({ length: count }, one)
  return cast(tensor(elements, { shape: [...shape] }), dtype) as Tensor
}

type Value = Record<string, (...args: unknown[]) => Value>
type Loose = (...args: unknown[]) => Tensor
const fusing = fuse as unknown as (fn: (...operands: Value[]) => Value) => Loose

const LAST = { axes: -1, keepdims: true }

/** Functions of rows `a`, a row for all `r` and a number for each row `c`. */
const FUNCTIONS: Readonly<Record<string, (a: Value, r: Value, c: Value) => Value>> = {
  softmax: (a, r, c) => {
    const e = a['sub']!(a['max']!(LAST))['exp']!()
    return e['div']!(e['sum']!(LAST))['add']!(r)['mul']!(c)
  },
  layerNorm: (a, r, c) => {
    const centred = a['sub']!(a['mean']!(LAST))
    const variance = centred['mul']!(centred)['mean']!(LAST)
    return centred['div']!(variance['add']!(1)['sqrt']!())['mul']!(r)['add']!(c)
  },
  logSumExp: (a, r, c) => a['add']!(r)['logSumExp']!(LAST)['mul']!(c),
  largest: (a, r, c) => {
    const x = a['mul']!(r)
    return x['max']!(LAST)['sub']!(x['min']!(LAST))['add']!(c)
  },
  twice: (a, r, c) => {
    const x = a['div']!(a['norm']!(LAST)['add']!(1))['mul']!(c)
    return x['sub']!(x['mean']!(LAST))['add']!(r)
  },
}

type Type = 'float32' | 'float64' | 'float16' | 'bfloat16'

const cases = fc.record({
  name: fc.constantFrom(...Object.keys(FUNCTIONS)),
  dtype: fc.constantFrom('float32' as const, 'float64' as const, 'float16' as const, 'bfloat16' as const),
  rows: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 100, max: 900 })),
  columns: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(64, 257, 1000)),
  layout: fc.constantFrom('rows', 'turned', 'backward', 'gaps'),
  stream: fc.nat(1000),
  threads: fc.constantFrom(1, 2, 3),
})

/** Other strides with the same elements, seen the same way. */
const LAYOUTS: Readonly<Record<string, (x: Tensor) => Tensor>> = {
  rows: (x) => x,
  turned: (x) => identity(x.T as Tensor).T as Tensor,
  backward: (x) => flip(identity(flip(x, [0])) as Tensor, [0]) as Tensor,
  gaps: (x) => (concat([x, x], { axis: 1 }) as Tensor).slice([], [0, x.shape[1]!]) as Tensor,
}

const same = (a: Tensor, b: Tensor): void => expect(arrayEqual(a, b, { equalNan: true })).toBe(true)

describe.each(found)('rows in one go on %s', (level) => {
  it('have the bits of WebAssembly', () => {
    const counted = new Set<string>()
    fc.assert(
      fc.property(cases, ({ name, dtype, rows, columns, layout, stream, threads }) => {
        const make = (shape: number[], i: number): Tensor => randomTensor(dtype, shape, stream + i)
        const a = LAYOUTS[layout]!(make([rows, columns], 0))
        const others = [make([columns], 1), make([rows, 1], 2)]
        const f = fusing(FUNCTIONS[name]!)
        configure({ threads })
        provideKernels(undefined)
        const wanted = f(a, ...others)
        const again = LAYOUTS[layout]!(make([rows, columns], 3))
        const wantedAgain = f(again, ...others)
        const before = sequences
        start(level)
        const g = fusing(FUNCTIONS[name]!)
        same(g(a, ...others), wanted)
        // What is kept of it runs over other arrays.
        const out = empty(wanted.shape, { dtype }) as Tensor
        expect(g(again, ...others, { out })).toBe(out)
        same(out, wantedAgain)
        if (sequences > before) counted.add(name)
      }),
      { numRuns: 60 },
    )
    onDefaultSeed(() => expect([...counted].toSorted()).toEqual(Object.keys(FUNCTIONS).toSorted()))
  })

  it('reduce nothing of every row', () => {
    start(level)
    // What the backward reads is a result of its own.
    const f = vjp((x, y) => y.mul(x.prod({ axes: 1, keepdims: true })).mul(y.max({ axes: 1, keepdims: true }))) as (
      ...operands: readonly Tensor[]
    ) => { readonly value: Tensor }
    for (let time = 0; time < 3; time++) {
      const nothing = (full([2000, 5], 7) as Tensor).slice([0, 2000], [2, 2]) as Tensor
      same(f(nothing, full([2000, 40], 3)).value, full([2000, 40], 9))
    }
  })

  it('have memory come while they compute: of the next rows, where these were read before', () => {
    start(level)
    const f = fusing(FUNCTIONS['softmax']!)
    ahead = []
    const others = [randomTensor('float32', [4096], 1), randomTensor('float32', [512, 1], 2)]
    f(randomTensor('float32', [512, 4096], 0), ...others)
    const rows = ahead.map((bytes) => bytes / (4 * 4096))
    expect(rows.length).toBeGreaterThan(0)
    for (const each of rows) expect(Number.isInteger(each) && each > 0 && each < 512).toBe(true)
  })

  it('look at the whole of an array before they begin', () => {
    start(level)
    const f = fusing(FUNCTIONS['softmax']!)
    const others = [randomTensor('float32', [64], 1), randomTensor('float32', [500, 1], 2)]
    const array = new Float32Array(500 * 64)
    const x = fromData('float32', array, [500, 64]) as Tensor
    f(x, ...others)
    expect(sequences).toBeGreaterThan(0)
    structuredClone(array.buffer, { transfer: [array.buffer] })
    expect(() => f(x, ...others)).toThrow(OperandError)
  })

  it('give back what they take', () => {
    start(level)
    const f = fusing(FUNCTIONS['layerNorm']!)
    const given = [
      randomTensor('float32', [900, 257], 0),
      randomTensor('float32', [257], 1),
      randomTensor('float32', [900, 1], 2),
    ]
    const out = empty([900, 257], { dtype: 'float32' }) as Tensor
    f(...given, { out })
    const free = compiling()!.arena.freeBytes
    for (let time = 0; time < 20; time++) f(...given, { out })
    expect(compiling()!.arena.freeBytes).toBe(free)
  })
})

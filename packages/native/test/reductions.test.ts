// Reductions by machine code give what WebAssembly gives, to the bit: random shapes, axes, layouts, types and functions in
// front, for each kind of code that the processor has, with one thread and several.
import * as bcast from 'bcast'
import { configure, type DType, fuse, type Tensor, tensor } from 'bcast'
import { type MachineCode, provideKernels } from 'bcast/kernels'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
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

/** Machine code, and how many kernels of each way it made. */
function counting(level: Level): { readonly code: MachineCode; readonly made: Map<string, number> } {
  const memory = new CodeMemory(koffiFfi())
  const streamFrom = Number.POSITIVE_INFINITY
  const own = machineCode({
    level,
    memory,
    threads: new Threads(memory, level),
    textFor: koffiText,
    least: 0,
    streamFrom,
  })
  const made = new Map<string, number>()
  const code: MachineCode = {
    ...own,
    reduction(...given) {
      const kernel = own.reduction(...given)
      const { way, open } = given[2]
      const key = open ? `${way}, open` : way
      if (kernel !== undefined) made.set(key, (made.get(key) ?? 0) + 1)
      return kernel
    },
  }
  return { code, made }
}

/** The bits of all elements, those of NaN alike. */
const bitsOf = (x: Tensor): string => {
  const { buffer, byteOffset, byteLength } = x.data as Float32Array
  if (FLOATS.includes(x.dtype)) {
    const values = [...(bcast.cast(x, 'float64').data as Float64Array)]
    if (values.some(Number.isNaN)) return values.map((value) => (Object.is(value, -0) ? '-0' : String(value))).join()
  }
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('hex')
}

// biome-ignore lint/suspicious/noExplicitAny: random functions have no types that are known before
type Any = any

const SPECIAL = [0, -0, 1, -1, 0.5, 1e-40, -7.5, 3e38, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

function elements(dtype: DType, count: number, seed: number, special: boolean): Tensor {
  const numbers = Float64Array.from({ length: count }, (_, i) =>
    special && (i * 7919 + seed) % 997 === 0
      ? SPECIAL[(i + seed) % SPECIAL.length]!
      : Math.sin(i * 1.7 + seed) * 10 ** ((i + seed) % 3),
  )
  return bcast.cast(tensor(numbers) as Tensor, dtype as 'float32') as Tensor
}

const NUMBERS: readonly DType[] = [
  'float16',
  'bfloat16',
  'float32',
  'float64',
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
]
const FLOATS: readonly DType[] = ['float16', 'bfloat16', 'float32', 'float64']
const REDUCTIONS: Readonly<Record<string, readonly DType[]>> = {
  sum: NUMBERS,
  prod: NUMBERS,
  max: NUMBERS,
  min: NUMBERS,
  mean: FLOATS,
  sumSquare: NUMBERS,
  norm: FLOATS,
  any: ['bool'],
  all: ['bool'],
}

const shapes = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 9, max: 700 })),
  fc.tuple(fc.integer({ min: 9, max: 700 }), fc.integer({ min: 1, max: 40 })),
  fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 60 })),
  fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1000, max: 3000 }), fc.integer({ min: 1, max: 9 })),
  fc.tuple(fc.integer({ min: 2, max: 3 }), fc.integer({ min: 100, max: 300 }), fc.integer({ min: 60, max: 130 })),
  fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 9, max: 400 }), fc.constantFrom(16, 32, 48, 64, 128)),
  fc.tuple(fc.integer({ min: 9000, max: 30_000 })),
  fc.tuple(fc.integer({ min: 9, max: 20 }), fc.integer({ min: 4000, max: 9000 })),
)

const cases = fc.record({
  name: fc.constantFrom(...Object.keys(REDUCTIONS)),
  type: fc.nat(100),
  shape: shapes,
  axes: fc.nat(7),
  layout: fc.constantFrom('whole', 'part', 'transposed', 'reversed', 'every second'),
  before: fc.constantFrom('nothing', 'nothing', 'shifted', 'with a row', 'with a column', 'exp', 'cast'),
  seed: fc.nat(1000),
  special: fc.boolean(),
  threads: fc.constantFrom(1, 1, 1, 3),
})

describe.each(found)('reductions of %s', (level) => {
  it('have the bits of WebAssembly', () => {
    const { code, made } = counting(level)
    fc.assert(
      fc.property(cases, ({ name, type, shape, axes, layout, before, seed, special, threads }) => {
        const types = REDUCTIONS[name]!
        const dtype = types[type % types.length]!
        const rank = shape.length
        const gap = layout === 'part' ? 3 : 0
        const own = shape.map((size) => (layout === 'every second' ? 2 * size : size + gap))
        const count = own.reduce((product, size) => product * size, 1)
        let x = elements(dtype, count, seed, special && FLOATS.includes(dtype)).reshape(own) as Any
        if (layout === 'part') x = x.slice(...shape.map((size) => [gap, size + gap]))
        if (layout === 'transposed') x = x.transpose()
        if (layout === 'reversed') x = x.slice([null, null, -1])
        if (layout === 'every second') x = x.slice(...shape.map(() => [null, null, 2]))
        const reduced = x.shape.flatMap((_: number, axis: number) => ((axes >> axis) & 1 ? [axis] : []))
        const options = reduced.length === 0 ? {} : { axes: reduced }
        const row = elements(dtype, x.shape[rank - 1], seed + 1, false)
        const column = elements(dtype, x.shape[0], seed + 2, false).reshape([
          x.shape[0],
          ...x.shape.slice(1).map(() => 1),
        ])
        const isBool = dtype === 'bool'
        const f = fuse((a: Any, b: Any, c: Any) => {
          const given =
            isBool || before === 'nothing'
              ? a
              : before === 'shifted'
                ? a.add(a)
                : before === 'with a row'
                  ? a.sub(b)
                  : before === 'with a column'
                    ? a.sub(c).mul(b)
                    : before === 'exp' && FLOATS.includes(dtype)
                      ? a.exp()
                      : before === 'cast' && !FLOATS.includes(dtype)
                        ? a.cast('float32')
                        : a
          return (bcast as Any)[name](given, options)
        }) as Any
        configure({ threads: 1 })
        provideKernels(undefined)
        const wanted = bitsOf(f(x, row, column))
        provideKernels(code)
        configure({ threads })
        expect(bitsOf(f(x, row, column))).toBe(wanted)
      }),
      { numRuns: 600 },
    )
    expect([...made.keys()].sort()).toEqual(['across', 'along', 'along, open', 'flat'])
    for (const [way, count] of made) expect(`${way} ${count > 10}`).toBe(`${way} true`)
  })
})

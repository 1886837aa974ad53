// Evaluation in tiles gives the bits of bcast's own operators over whole tensors: under every rule, for any shapes, types
// and orders, however little memory there is.
import * as bcast from 'bcast'
import {
  DivisionByZeroError,
  explicit,
  none,
  numpy,
  pdpd,
  type Rule,
  type Shape,
  type Tensor,
  tensor,
  unidirectional,
} from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bitsOf, MemorySink, type MemorySource, sourceOf } from '../../../../testing/files/memory-arrays.ts'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import { EvaluationError } from '../../src/expression/expression-error.ts'
import { parseExpression } from '../../src/expression/parse.ts'
import type { StoredDType, TypedArray } from '../../src/files/element.ts'
import type { Order } from '../../src/files/source.ts'
import { Evaluation } from '../../src/stream/evaluate.ts'

type Operator = (...args: unknown[]) => Tensor
const ops = bcast as unknown as Readonly<
  Record<
    | 'add'
    | 'bitwiseAnd'
    | 'bitwiseNot'
    | 'bitwiseXor'
    | 'div'
    | 'greater'
    | 'less'
    | 'max'
    | 'mul'
    | 'neg'
    | 'sub'
    | 'where',
    Operator
  >
>

interface Given {
  readonly expression: string
  readonly sources: Readonly<Record<string, MemorySource>>
  readonly rule?: Rule
  readonly dtype?: StoredDType
  readonly memory?: number
  /** Of the result as it is written. */
  readonly order?: Order
}

async function evaluate({ expression, sources, rule, dtype, memory = 2 ** 20, order }: Given) {
  const evaluation = new Evaluation({
    expression,
    root: parseExpression(expression),
    sources: new Map(Object.entries(sources)),
    rule,
    dtype,
  })
  const sink = new MemorySink()
  await evaluation.run(sink, memory, () => {}, order)
  return { shape: evaluation.shape, dtype: evaluation.dtype, sink, elements: sink.elements(evaluation.dtype) }
}

async function refusal(given: Given): Promise<EvaluationError> {
  try {
    await evaluate(given)
  } catch (error) {
    if (error instanceof EvaluationError) return error
    throw error
  }
  throw new Error('it was computed')
}

/** Expressions, and the same by the library's functions under a rule. */
const floats: Readonly<Record<string, (a: Tensor, b: Tensor, c: Tensor, options: object) => Tensor>> = {
  'a + b * c': (a, b, c, o) => ops.add(a, ops.mul(b, c, o), o),
  '(a - b) / c': (a, b, c, o) => ops.div(ops.sub(a, b, o), c, o),
  'max(a, b, c)': (a, b, c, o) => ops.max(a, b, c, o),
  'a * 2 + c * b - 1': (a, b, c, o) => ops.sub(ops.add(ops.mul(a, 2), ops.mul(c, b, o), o), 1),
  'where(a < b, -c, a)': (a, b, c, o) => ops.where(ops.less(a, b, o), ops.neg(c), a, o),
}
const integers: typeof floats = {
  ...floats,
  'a // b + c': (a, b, c, o) => ops.add(ops.div(a, b, { ...o, pythondiv: true }), c, o),
  'a & b ^ ~c': (a, b, c, o) => ops.bitwiseXor(ops.bitwiseAnd(a, b, o), ops.bitwiseNot(c), o),
}

const types: readonly StoredDType[] = [
  'float32',
  'float64',
  'float16',
  'bfloat16',
  'int8',
  'int32',
  'int64',
  'uint8',
  'uint64',
]

const elementsOf = (dtype: StoredDType, shape: Shape, seed: number): Tensor => {
  const count = shape.reduce((total, size) => total * size, 1)
  const values = Array.from({ length: count }, (_, i) => ((i * 7919 + seed * 104729) % 23) + 1)
  const signed = dtype.startsWith('u') ? values : values.map((value, i) => (i % 3 === 0 ? -value : value))
  return tensor(signed, { dtype, shape }) as Tensor
}

/** Shapes of three operands that meet under a rule: A's, and what is left of it for the others. */
const rules: readonly { readonly rule: Rule | undefined; fit(shape: Shape, drop: number, ones: number): Shape }[] = [
  { rule: undefined, fit: (shape, drop, ones) => shape.slice(drop).map((size, i) => ((ones >> i) & 1 ? 1 : size)) },
  { rule: numpy, fit: (shape, drop, ones) => shape.slice(drop).map((size, i) => ((ones >> i) & 1 ? 1 : size)) },
  {
    rule: unidirectional,
    fit: (shape, drop, ones) => shape.slice(drop).map((size, i) => ((ones >> i) & 1 ? 1 : size)),
  },
  {
    rule: pdpd({ axis: 0 }),
    fit: (shape, drop, ones) => shape.slice(0, shape.length - drop).map((size, i) => ((ones >> i) & 1 ? 1 : size)),
  },
  { rule: pdpd(), fit: (shape, drop, ones) => shape.slice(drop).map((size, i) => ((ones >> i) & 1 ? 1 : size)) },
  { rule: none, fit: (shape) => shape },
]

const scenario = fc.record({
  rule: fc.constantFrom(...rules),
  shape: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 4 }),
  drops: fc.tuple(fc.nat(2), fc.nat(2)),
  ones: fc.tuple(fc.nat(15), fc.nat(15)),
  dtype: fc.constantFrom(...types),
  pick: fc.nat(),
  orders: fc.array(fc.constantFrom('row-major' as const, 'column-major' as const), { minLength: 3, maxLength: 3 }),
  seekable: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  order: fc.constantFrom('row-major' as const, 'column-major' as const),
  memory: fc.constantFrom(1, 40, 200, 1000, 5000, 1_000_000),
})

describe('tiles', () => {
  it('give the bits of the operators over whole tensors', async () => {
    const seen = { tiles: 0, several: 0, columns: 0 }
    await fc.assert(
      fc.asyncProperty(
        scenario,
        async ({ rule: { rule, fit }, shape, drops, ones, dtype, pick, orders, seekable, order, memory }) => {
          const table = dtype.includes('float') ? floats : integers
          const expression = Object.keys(table)[pick % Object.keys(table).length]!
          const shapes = [
            shape,
            fit(shape, Math.min(drops[0], shape.length), ones[0]),
            fit(shape, Math.min(drops[1], shape.length), ones[1]),
          ]
          const [a, b, c] = shapes.map((own, i) => elementsOf(dtype, own, i + 1)) as [Tensor, Tensor, Tensor]
          const options = rule === undefined ? {} : { broadcast: rule }
          let expected: Tensor
          try {
            expected = table[expression]!(a, b, c, options)
          } catch (error) {
            // Intermediate results may not go onto one another under one-way rules; then neither does the expression.
            if (!(error instanceof bcast.BroadcastError)) throw error
            const sources = { a: sourceOf(a), b: sourceOf(b), c: sourceOf(c) }
            expect(await refusal({ expression, sources, ...(rule === undefined ? {} : { rule }) })).toBeInstanceOf(
              EvaluationError,
            )
            return
          }
          const sources = Object.fromEntries(
            [a, b, c].map((one, i) => ['abc'[i]!, sourceOf(one, orders[i], seekable[i])]),
          )
          const made = await evaluate({ expression, sources, memory, order, ...(rule === undefined ? {} : { rule }) })
          expect({ shape: made.shape, dtype: made.dtype }).toEqual({ shape: expected.shape, dtype: expected.dtype })
          const { data } = order === 'row-major' ? expected : expected.transpose()
          expect(bitsOf(made.elements)).toEqual(bitsOf((data as TypedArray).slice() as TypedArray))
          seen.tiles += made.sink.parts.length
          if (made.sink.parts.length > 1) seen.several++
          if (orders.includes('column-major') && shape.length > 1) seen.columns++
        },
      ),
      { numRuns: 150 },
    )
    onDefaultSeed(() => {
      expect(seen.several).toBeGreaterThan(30)
      expect(seen.columns).toBeGreaterThan(30)
    })
  })

  it('are written in the order of most bytes, which are then read once and front to back', async () => {
    const x = elementsOf('float32', [30, 20, 10], 1)
    const plane = elementsOf('float32', [20, 10], 2)
    const sources = { x: sourceOf(x, 'column-major', false), plane: sourceOf(plane) }
    const question = { expression: 'x + plane', root: parseExpression('x + plane'), rule: undefined, dtype: undefined }
    const evaluation = new Evaluation({ ...question, sources: new Map(Object.entries(sources)) })
    expect(evaluation.order).toBe('column-major')
    const { sink, elements } = await evaluate({ expression: 'x + plane', sources, memory: 4000, order: 'column-major' })
    expect(sink.parts.length).toBeGreaterThan(5)
    expect([sources.x.taken(), sources.plane.taken()]).toEqual([x.size, plane.size])
    expect(bitsOf(elements)).toEqual(bitsOf(ops.add(x, plane).transpose().data as TypedArray))
    const other = { x: sourceOf(x), plane: sourceOf(plane, 'column-major') }
    expect(new Evaluation({ ...question, sources: new Map(Object.entries(other)) }).order).toBe('row-major')
  })

  it('place axes that a rule names', async () => {
    const [x, y] = [elementsOf('float32', [2, 3, 4, 5], 1), elementsOf('float32', [3, 5], 2)]
    const rule = explicit({ axesMapping: [1, 3] })
    const { elements } = await evaluate({
      expression: 'x * y',
      sources: { x: sourceOf(x), y: sourceOf(y, 'column-major') },
      rule,
      memory: 100,
    })
    expect(bitsOf(elements)).toEqual(bitsOf(ops.mul(x, y, { broadcast: rule }).data as TypedArray))
  })

  it('read a stretched array once where it fits, and again and again where it does not', async () => {
    const x = elementsOf('float32', [50, 300], 1)
    const row = elementsOf('float32', [300], 2)
    for (const [memory, times] of [
      [20_000, 1],
      [4000, 1],
      [600, 50],
    ] as const) {
      const sources = { x: sourceOf(x), row: sourceOf(row) }
      const { elements, sink } = await evaluate({ expression: 'x + row', sources, memory })
      expect(bitsOf(elements)).toEqual(bitsOf(ops.add(x, row).data as TypedArray))
      expect(sink.parts.length).toBeGreaterThan(1)
      expect([sources.x.taken(), sources.row.taken()]).toEqual([x.size, times * row.size])
    }
  })

  it('read an array once that has two names for one placement, and a column along with the rows', async () => {
    const x = elementsOf('float64', [100, 20], 1)
    const column = elementsOf('float64', [100, 1], 2)
    const sources = { x: sourceOf(x, 'row-major', false), column: sourceOf(column, 'row-major', false) }
    const { elements } = await evaluate({ expression: '(x - column) * x + x', sources, memory: 3000 })
    expect([sources.x.taken(), sources.column.taken()]).toEqual([x.size, column.size])
    const expected = ops.add(ops.mul(ops.sub(x, column), x), x)
    expect(bitsOf(elements)).toEqual(bitsOf(expected.data as TypedArray))
  })

  it('stop at the first read or write that fails, with its error', async () => {
    const x = elementsOf('float32', [1000], 1)
    const broken = { ...sourceOf(x), read: () => Promise.reject(new Error('the disk is gone')) }
    await expect(evaluate({ expression: 'x + 1', sources: { x: broken }, memory: 100 })).rejects.toThrow(
      'the disk is gone',
    )
    const evaluation = new Evaluation({
      expression: 'x + 1',
      root: parseExpression('x + 1'),
      sources: new Map([['x', sourceOf(x)]]),
      rule: undefined,
      dtype: undefined,
    })
    const full = new MemorySink()
    let writes = 0
    full.write = async () => {
      if (++writes === 3) throw new Error('the disk is full')
    }
    await expect(evaluation.run(full, 1000, () => {})).rejects.toThrow('the disk is full')
    expect(writes).toBe(3)
  })
})

describe('a division by zero', () => {
  const shape = [7, 5, 11]
  const numerator = elementsOf('int32', shape, 1)
  const place = (...indices: readonly (readonly number[])[]): Tensor => {
    const values = new Int32Array(7 * 5 * 11).fill(3)
    for (const index of indices) values[(index[0]! * 5 + index[1]!) * 11 + index[2]!] = 0
    values[values.length - 1] = 0
    return tensor(values, { shape }) as Tensor
  }

  it('is found at its index of the whole result, whatever the tiles, under the operator that has no value', async () => {
    const cases = [1, 300, 2000, 1_000_000].flatMap((memory) =>
      (['row-major', 'column-major'] as const).map((order) => ({ memory, order })),
    )
    for (const { memory, order } of cases) {
      const divisor = place([4, 2, 9], [5, 0, 0])
      const expression = 'x // 2 + (x + 1) / y'
      const sources = { x: sourceOf(numerator), y: sourceOf(divisor, order) }
      const error = await refusal({ expression, sources, memory, order })
      expect(error.problem).toContain('division by zero at index [4, 2, 9] of the result')
      expect(expression.slice(error.span.start, error.span.end)).toBe('/')
      expect(() => ops.div(numerator, divisor)).toThrow(DivisionByZeroError)
    }
  })

  it('may be a zero to a negative power', async () => {
    const base = place([0, 0, 3])
    const sources = { x: sourceOf(base), n: sourceOf(tensor(-1, { dtype: 'int32' }) as Tensor) }
    const error = await refusal({ expression: '1 + x ** n', sources, memory: 100 })
    expect(error.problem).toContain('zero to a negative power at index [0, 0, 3]')
  })
})

describe('types and shapes', () => {
  const f32 = (...shape: number[]): MemorySource => sourceOf(elementsOf('float32', shape, 1))
  const i8 = (...shape: number[]): MemorySource => sourceOf(elementsOf('int8', shape, 1))
  const typeOf = async (expression: string, sources: Readonly<Record<string, MemorySource>>, dtype?: StoredDType) =>
    (await evaluate({ expression, sources, ...(dtype === undefined ? {} : { dtype }) })).dtype

  it('numbers take the type of the array beside them', async () => {
    expect(await typeOf('2 * x + 1 / 3', { x: f32(3) })).toBe('float32')
    expect(await typeOf('x + 1', { x: i8(3) })).toBe('int8')
    expect(await typeOf('2 ** x', { x: f32(3) })).toBe('float32')
    expect(await typeOf('where(x > 0, 1, 0) + y', { x: f32(3), y: i8(3) })).toBe('int8')
    expect(await typeOf('where(x > 0, 1, 0)', { x: f32(3) })).toBe('float64')
    expect(await typeOf('x & ~0xF', { x: sourceOf(elementsOf('uint8', [3], 1)) })).toBe('uint8')
    expect(await typeOf('x < 1', { x: i8(3) })).toBe('bool')
    expect(await typeOf('int64(x) + int64(2)', { x: i8(3) })).toBe('int64')
    expect(await typeOf('1 + 2', {})).toBe('float64')
    expect(await typeOf('1 << 3', {})).toBe('int64')
    expect(await typeOf('1 < 2', {})).toBe('bool')
    expect(await typeOf('x * 2', { x: f32(3) }, 'float16')).toBe('float16')
    expect(await typeOf('where(x > 0, 1, 0)', { x: f32(3) }, 'uint8')).toBe('uint8')
  })

  it('numbers among themselves are computed in float64', async () => {
    const { elements } = await evaluate({ expression: '(1 / 3) ** 2 + exp(0) - min(4, 2.5)', sources: {} })
    expect([...elements]).toEqual([(1 / 3) ** 2 + 1 - 2.5])
    const { elements: shifted } = await evaluate({ expression: '1 << 40 | 0xF', sources: {} })
    expect([...shifted]).toEqual([(1n << 40n) | 0xfn])
  })

  it.each([
    ['9007199254740993 + 0', 2n ** 53n + 1n],
    ['9007199254740992 + 1', 2n ** 53n + 1n],
    ['9223372036854775807 - 9223372036854775806', 1n],
    ['-9223372036854775807 - 1', -(2n ** 63n)],
    ['-3037000500 * 3037000499', -(3037000500n * 3037000499n)],
    ['abs(-9007199254740993)', 2n ** 53n + 1n],
    ['sum(9007199254740993, 1, 1)', 2n ** 53n + 3n],
    ['max(9007199254740993, 5) - min(9007199254740992, 9007199254740993)', 1n],
  ])('integers are not rounded: %s', async (expression, expected) => {
    const { elements } = await evaluate({ expression, sources: {}, dtype: 'int64' })
    expect([...elements]).toEqual([expected])
  })

  it.each([
    ['9007199254740993 == 9007199254740992', 0],
    ['9007199254740993 != 9007199254740992', 1],
    ['9007199254740992 < 9007199254740993', 1],
    ['9007199254740993 <= 9007199254740992', 0],
    ['9007199254740993 > 9007199254740992', 1],
    ['9007199254740992 >= 9007199254740993', 0],
  ])('integers are compared exactly: %s', async (expression, expected) => {
    expect([...(await evaluate({ expression, sources: {} })).elements].map(Number)).toEqual([expected])
  })

  it('zero has a sign', async () => {
    const { elements } = await evaluate({ expression: '1 / -0', sources: {} })
    expect([...elements]).toEqual([Number.NEGATIVE_INFINITY])
  })

  it.each([
    ['x + y', { x: f32(2, 3), y: i8(3) }, '+', 'element types differ: A is float32, B is int8'],
    ['x and y', { x: f32(3), y: f32(3) }, 'and', 'And does not take float32'],
    ['x + 1.5', { x: i8(3) }, '1.5', '1.5 cannot be an element of type int8'],
    ['x * 300', { x: i8(3) }, '300', '300 cannot be an element of type int8'],
    ['x + 1 / 3', { x: i8(3) }, '1 / 3', 'it is not an integer'],
    ['x * 1e39', { x: f32(3) }, '1e39', '1e+39 is beyond the numbers of float32; infinity is written inf.'],
    ['float16(-70000)', {}, '-70000', '-70000 is beyond the numbers of float16'],
    ['sqrt(9007199254740993)', {}, '9007199254740993', 'int64(9007199254740993), or float64(9007199254740993)'],
    ['9223372036854775808 - 1', {}, '9223372036854775808 - 1', '9223372036854775807 is no float64'],
    ['int64(2) + 9223372036854775808', {}, '9223372036854775808', '9223372036854775808 cannot be an element'],
    ['int8(2.5) + x', { x: i8(3) }, '2.5', '2.5 cannot be an element of type int8'],
    ['mod(x, 2)', { x: f32(3) }, 'mod', "fmod(x, y) has the dividend's sign"],
    ['x ^ 2', { x: f32(3) }, '^', 'A power is written **.'],
    ['sqrt(x)', { x: i8(3) }, 'sqrt', 'Sqrt does not take int8'],
    ['~1.5 + 0', {}, '1.5', 'it is not an integer'],
    ['(1 << 3) + 0.5', {}, '0.5', 'it is not an integer'],
    ['not 1', {}, 'not', 'Not does not take float64'],
  ])('%s is refused at its place', async (expression, sources, place, reason) => {
    const error = await refusal({ expression, sources })
    expect(error.problem).toContain(reason)
    expect(expression.slice(error.span.start, error.span.end)).toBe(place)
  })

  it('shows shapes that do not meet under the operator, with what the letters mean and the fix', async () => {
    const error = await refusal({
      expression: '2 * (x - y) / s',
      sources: { x: f32(2, 3, 4), y: f32(3, 1), s: f32(2, 4) },
    })
    expect(error.message).toBe(`cannot broadcast axis -2: 3 vs 2 (shapes [2,3,4] and [2,4]).
  2 * (x - y) / s
              ^
(A is 2 * (x - y), B is s)

  axis    -3  -2  -1
  A        2   3!  4
  B            2!  4
  (! conflict)

rule numpy: sizes on an axis must be equal or 1 [ONNX Broadcasting, multidirectional, condition 2]
fix: reshape B from (2,4) to (2,1,4) → (2,3,4)   b.reshape(2, 1, 4)`)
  })

  it('says fixes in the words of an expression and its options', async () => {
    const shapes = await refusal({ expression: 'x + c', sources: { x: f32(2, 3), c: f32(2) } })
    expect(shapes.message).toContain('fix: use rule pdpd(axis=0) → (2,3)   --rule pdpd --axis 0')
    const rule = await refusal({ expression: 'x + c', sources: { x: f32(2, 3), c: f32(3) }, rule: none })
    expect(rule.message).toContain('fix: use rule numpy → (2,3)   --rule numpy')
    const types = await refusal({ expression: '2 * x + i', sources: { x: f32(2), i: i8(2) } })
    expect(types.problem).toContain('use cast(i, float32) or cast(2 * x, int8).')
    const long = `x${' * x'.repeat(20)}`
    const cut = await refusal({ expression: `${long} + i`, sources: { x: f32(2), i: i8(2) } })
    expect(cut.problem).toContain('use cast(i, float32) or cast(a, int8).')
  })

  it('refuses a result that no file could hold before it computes', async () => {
    const n = 2 ** 17
    const sources = { a: i8(n, 1, 1), b: i8(n, 1), c: i8(n) }
    const error = await refusal({ expression: 'a + b + c', sources })
    expect(error.problem).toBe('the result would have shape (131072,131072,131072), which is larger than any file.')
  })

  it('applies a rule to every operator, and numbers go with any shape', async () => {
    const x = elementsOf('float32', [2, 3, 4], 1)
    const [b, c] = [elementsOf('float32', [3], 2), elementsOf('float32', [3, 4], 3)]
    const rule = pdpd({ axis: 1 })
    const sources = { x: sourceOf(x), b: sourceOf(b), c: sourceOf(c) }
    const { elements } = await evaluate({ expression: 'where(c > 0, 2 * x + b / 2, 0)', sources, rule })
    const sum = ops.add(ops.mul(x, 2), ops.div(b, 2), { broadcast: rule })
    const expected = ops.where(ops.greater(c, 0), sum, tensor(0), { broadcast: rule })
    expect([...elements].map(Number)).toEqual([...(expected.data as Float32Array)])
  })

  it("keeps prelu's own rule unless one is asked for", async () => {
    const sources = () => ({ x: f32(3), slope: f32(2, 3) })
    expect((await refusal({ expression: 'prelu(x, slope)', sources: sources() })).problem).toContain('rank')
    expect((await evaluate({ expression: 'prelu(x, slope)', sources: sources(), rule: numpy })).shape).toEqual([2, 3])
  })

  it('takes expressions as deep and as wide as they may be', async () => {
    const deep = await evaluate({ expression: `x${' + x'.repeat(499)}`, sources: { x: i8(2) } })
    expect([...deep.elements].map(Number)).toEqual(
      [...(elementsOf('int8', [2], 1).data as Int8Array)].map((one) => ((one * 500) << 24) >> 24),
    )
    const wide = await evaluate({ expression: `max(${'x, '.repeat(2000)}7)`, sources: { x: i8(2) } })
    expect(wide.shape).toEqual([2])
  })

  it('has results without elements', async () => {
    const { shape, elements } = await evaluate({ expression: 'x + y', sources: { x: f32(0, 3), y: f32(3) } })
    expect({ shape, count: elements.length }).toEqual({ shape: [0, 3], count: 0 })
  })
})

// Reductions inside `fuse`: the bits of calls one by one, however many stages there are, wherever operands and results
// lie; what is stored on the way is given back; what is refused names the reduction.
import {
  configure,
  DivisionByZeroError,
  DTypeError,
  exp,
  fromData,
  fuse,
  logSumExp,
  max,
  mean,
  norm,
  OperandError,
  prod,
  sequence,
  sub,
  sum,
  type Tensor,
  tensor,
} from 'bcast'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { compiling } from '../../src/backend/backends.ts'
import { randomTensor } from '../support/random.ts'

afterEach(() => configure({ backend: 'auto', threads: 2 }))

type Value = Record<string, (...args: unknown[]) => Value> & { readonly dtype: string }
type Loose = (...args: unknown[]) => Tensor
type Fusing = (fn: (...operands: Value[]) => Value) => Loose & { async: (...args: unknown[]) => Promise<Tensor> }
const fusing = fuse as unknown as Fusing

const eager: Readonly<Record<string, Loose>> = { ...(await import('bcast')) } as never

/** A step of an expression: what is done to values that are there already. */
type Step =
  | {
      readonly kind: 'reduce'
      readonly name: string
      readonly of: number
      readonly axes: readonly number[] | undefined
    }
  | { readonly kind: 'apply'; readonly name: string; readonly of: readonly number[] }

const step = (rank: number): fc.Arbitrary<Step> =>
  fc.oneof(
    fc.record({
      kind: fc.constant('reduce' as const),
      name: fc.constantFrom('sum', 'mean', 'max', 'min', 'prod', 'sumSquare', 'norm', 'logSumExp'),
      of: fc.nat(20),
      axes: fc.option(fc.uniqueArray(fc.integer({ min: -rank, max: rank - 1 }), { maxLength: rank }), {
        nil: undefined,
      }),
    }),
    fc.record({
      kind: fc.constant('apply' as const),
      name: fc.constantFrom('add', 'sub', 'mul', 'max', 'exp', 'neg', 'tanh', 'div'),
      of: fc.tuple(fc.nat(20), fc.nat(20)),
    }),
  )

/** The steps applied to values of either kind; sizes of reduced axes stay as 1, so that everything meets. */
function applied<T>(
  steps: readonly Step[],
  given: readonly T[],
  rank: number,
  call: (name: string, ...args: unknown[]) => T,
): T {
  const values = [...given]
  for (const each of steps) {
    if (each.kind === 'reduce') {
      const { axes } = each
      // Each axis once, from whichever end it is counted.
      const own = axes && [...new Set(axes.map((axis) => (axis + rank) % rank))]
      const options = { keepdims: true, ...(own === undefined ? {} : { axes: own }) }
      values.push(call(each.name, values[each.of % values.length], options))
    } else {
      const [a, b] = each.of.map((i) => values[i % values.length]!)
      const isUnary = ['exp', 'neg', 'tanh'].includes(each.name)
      values.push(isUnary ? call(each.name, a) : call(each.name, a, b))
    }
  }
  return values.at(-1)!
}

const cases = fc
  .record({
    shape: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
    dtype: fc.constantFrom('float32' as const, 'float64' as const, 'float16' as const, 'bfloat16' as const),
    stream: fc.nat(1000),
    turned: fc.boolean(),
    threads: fc.constantFrom(1, 2),
  })
  .chain((each) =>
    fc.record({
      ...Object.fromEntries(Object.entries(each).map(([key, value]) => [key, fc.constant(value)])),
      steps: fc.array(step(each.shape.length), { minLength: 1, maxLength: 7 }),
    } as never),
  ) as fc.Arbitrary<{
  shape: number[]
  dtype: 'float32'
  stream: number
  turned: boolean
  threads: number
  steps: Step[]
}>

describe('expressions with reductions', () => {
  it('have the bits of calls one by one', async () => {
    const property = fc.asyncProperty(cases, async ({ shape, dtype, stream, turned, threads, steps }) => {
      const [x, y] = [0, 1].map((i) => {
        const own = randomTensor(dtype, turned ? shape.toReversed() : shape, stream + i)
        return (turned ? own.transpose() : own) as Tensor
      }) as [Tensor, Tensor]
      const rank = shape.length
      const fused = fusing((a, b) =>
        applied(steps, [a, b], rank, (name, first, ...rest) => (first as Value)[name]!(...rest)),
      )
      configure({ backend: 'interpreter' })
      const wanted = applied<Tensor>(steps, [x, y], rank, (name, ...args) => eager[name]!(...args))
      expect(fused(x, y)).toEqual(wanted)
      configure({ backend: 'auto', threads })
      expect(fused(x, y)).toEqual(wanted)
      expect(await fused.async(x, y)).toEqual(wanted)
      const out = eager['empty']!(wanted.shape, { dtype })
      expect(fused(x, y, { out })).toBe(out)
      expect(out).toEqual(wanted)
      const settled = sequence(({ call }) => call(fused as never, x, y))
      settled.run()
      expect(eager['identity']!(settled.tensors)).toEqual(wanted)
      settled.dispose()
    })
    await fc.assert(property, { numRuns: 30 })
  })

  it('are one function each: softmax, layer normalisation, a mean squared error', () => {
    const x = randomTensor('float32', [33, 70], 5)
    const finite = eager['tanh']!(x)
    const softmax = fuse((a) => {
      const e = a.sub(a.max({ axes: -1, keepdims: true })).exp()
      return e.div(e.sum({ axes: -1, keepdims: true }))
    })
    const e = exp(sub(finite, max(finite, { axes: -1, keepdims: true })))
    expect(softmax(finite)).toEqual(eager['div']!(e, sum(e, { axes: -1, keepdims: true })))
    const error = fuse((a, b) => a.squaredDifference(b).mean())
    expect(error(finite, tensor(0.5))).toEqual(mean(eager['squaredDifference']!(finite, 0.5)))
    expect(fuse((a) => logSumExp(a, { axes: 0 }))(finite)).toEqual(logSumExp(finite, { axes: 0 }))
    expect(fuse((a) => norm(a, { axes: 0, ord: 1 }))(finite)).toEqual(norm(finite, { axes: 0, ord: 1 }))
    expect(fuse((a) => a.less(0).any({ axes: 1 }).not())(finite).dtype).toBe('bool')
  })

  it('of many rows go some rows at a time, with the same bits, and say how often memory is passed over', async () => {
    // Assertions would look at every element by itself.
    const same = (a: Tensor, b: Tensor): void => expect(eager['arrayEqual']!(a, b, { equalNan: true })).toBe(true)
    const x = eager['tanh']!(randomTensor('float32', [4000, 900], 5))
    const turned = eager['identity']!(x.transpose()).transpose() as Tensor
    // The caller's array, which lies outside the memory of kernels.
    const own = fromData('float32', (x.data as Float32Array).slice(), [4000, 900]) as Tensor
    const softmax = fusing((a) => {
      const e = a!['sub']!(a!['max']!({ axes: -1, keepdims: true }))['exp']!()
      return e['div']!(e['sum']!({ axes: -1, keepdims: true }))
    })
    const centred = fusing((a) => a!['sub']!(a!['mean']!({ axes: 1 })['sum']!()))
    const columns = fusing((a) => a!['sub']!(a!['mean']!({ axes: 0, keepdims: true })))
    const e = exp(sub(x, max(x, { axes: -1, keepdims: true })))
    const wanted = eager['div']!(e, sum(e, { axes: -1, keepdims: true }))
    for (const threads of [1, 2]) {
      configure({ threads })
      for (const each of [x, turned, own]) {
        same(softmax(each), wanted)
        same(await softmax.async(each), wanted)
      }
    }
    const settled = sequence(({ call }) => call(softmax as never, x))
    settled.run()
    same(settled.tensors as Tensor, wanted)
    settled.dispose()
    same(centred(x), sub(x, sum(mean(x, { axes: 1 }))))
    const rowsCentred = fusing((a) => a!['sub']!(a!['mean']!({ axes: 1, keepdims: true })))
    same(rowsCentred(own), sub(x, mean(x, { axes: 1, keepdims: true })))
    const plan = (fused: unknown) => (fused as { plan: (x: Tensor) => { passes: number; text: string } }).plan(x)
    expect(plan(softmax)).toMatchInlineSnapshot(`
      {
        "passes": 1,
        "text": "pass 1, 776 of 4000 rows at a time
        step 0: max over axes [1] of elements, 0 instructions, from operand 0 -> float32 (4000,1)
        step 1: elements, 31 instructions, from operand 0, step 0 -> float32 (4000,900)
        step 2: sum over axes [1] of elements, 0 instructions, from step 1 -> float32 (4000,1)
        step 3: elements, 1 instruction, from step 1, step 2 -> float32 (4000,900), the result",
      }
    `)
    expect([softmax, centred, columns].map((fused) => plan(fused).passes)).toEqual([1, 3, 2])
    expect(plan(fusing((a) => a!['exp']!())).passes).toBe(1)
  })

  it('over everything meet row by row where rows are whole parts of the tree, with the same bits', async () => {
    // Rows of a power of two of blocks and others, beside a row or a column, which no operand of one stride is.
    const shapes = [[17, 1024], [4096, 1024], [5, 7, 2048], [257, 1024], [33, 4096], [20, 1152], [2, 3, 4, 1024]] // biome-ignore format: one line
    const bodies: readonly (readonly [string, (x: Value, y: Value) => Value])[] = [
      ['sum', (x, y) => x['sub']!(y)['sum']!()],
      ['sumSquare', (x, y) => x['sub']!(y)['sumSquare']!()],
      ['max', (x, y) => x['add']!(y)['max']!()],
      ['prod', (x, y) => x['mul']!(y)['prod']!()],
    ]
    for (const [i, shape] of shapes.entries()) {
      const dtype = (['float32', 'float64', 'float16', 'int32', 'int8'] as const)[i % 5]!
      const x = tensor(randomTensor(dtype, shape, 10 + i)) as Tensor
      for (const other of [[shape.at(-1)!], [shape[0]!, ...shape.slice(1).map(() => 1)]]) {
        const y = tensor(randomTensor(dtype, other, 20 + i)) as Tensor
        for (const [name, body] of bodies) {
          configure({ backend: 'interpreter' })
          const wanted = fusing(body)(x, y).toArray()
          configure({ backend: 'auto', threads: 1 + (i % 3) })
          const fused = fusing(body)
          const settled = sequence(({ call }) => call(fused as never, x, y))
          const found = Array.from({ length: 4 }, () => fused(x, y).toArray())
          found.push((await fused.async(x, y)).toArray())
          for (let run = 0; run < 2; run++) {
            settled.run()
            found.push(settled.tensors.toArray())
          }
          settled.dispose()
          expect({ shape, name, found }).toEqual({ shape, name, found: found.map(() => wanted) })
        }
      }
    }
  })

  it('may write over what they read', () => {
    const x = randomTensor('float32', [5, 7], 9)
    const centred = fuse((a) => a.sub(a.sum({ axes: 0, keepdims: true })))
    const wanted = centred(x)
    expect(centred(x, { out: x })).toEqual(wanted)
  })

  it('of nothing are what reductions of nothing are', () => {
    const x = tensor([], { dtype: 'float32', shape: [0, 3] })
    expect(fuse((a) => a.mul(2).sum({ axes: 0 }))(x as Tensor).toArray()).toEqual([0, 0, 0])
    expect(fuse((a) => a.sub(a.sum({ axes: 0, keepdims: true })))(x as Tensor).shape).toEqual([0, 3])
    expect(fuse((a) => a.logSumExp())(x as Tensor).item()).toBe(-Infinity)
    const ints = tensor([], { dtype: 'int32', shape: [0] })
    expect(fuse((a) => a.add(1).max())(ints as Tensor).item()).toBe(-(2 ** 31))
  })

  it('name the operator where an element has no value, and give everything back', () => {
    const divided = fuse((a, b) => a.div(b).sum())
    const [a, b] = [tensor([4, 6], { dtype: 'int32' }), tensor([2, 3], { dtype: 'int32' })]
    expect(divided(a, b).item()).toBe(4)
    const zero = tensor([2, 0], { dtype: 'int32' })
    // A call that repeats has memory of its own from here on.
    for (let time = 0; time < 3; time++) expect(() => divided(a, zero)).toThrow(DivisionByZeroError)
    const free = compiling()!.arena.freeBytes
    expect(() => divided(a, zero)).toThrow(DivisionByZeroError)
    expect(() => divided(a, zero)).toThrow(/Div/)
    expect(compiling()!.arena.freeBytes).toBeGreaterThanOrEqual(free)
  })

  it('of many operators and operands are split', () => {
    const operands = Array.from({ length: 40 }, (_, i) => randomTensor('int32', [50], i))
    const total = (given: readonly Value[]): Value =>
      given.slice(1).reduce((sofar, each) => sofar['add']!(each), given[0]!)
    const all = (fuse as unknown as (fn: (...given: Value[]) => Value, options: object) => Loose)(
      (...given) => total(given)['sum']!(),
      { operands: 40 },
    )
    const wanted = operands.slice(1).reduce((total, each) => eager['add']!(total, each), operands[0]!)
    expect(all(...operands)).toEqual(sum(wanted))
  })

  it('may ask for shapes, and turn axes, for operands of any shapes', () => {
    const x = randomTensor('int32', [2, 3], 1)
    const sized = fusing((a) => a!['mul']!((a!['shape'] as unknown as number[])[0]!)['add']!(a!['rank'] as never))
    const times = (n: number, of: Tensor) => eager['add']!(eager['mul']!(of, n), of.rank)
    for (const each of [x, randomTensor('int32', [5], 2), x]) expect(sized(each)).toEqual(times(each.shape[0]!, each))
    expect(fusing((a) => a!['mul']!(2)['transpose']!())(x)).toEqual(eager['identity']!(eager['mul']!(x, 2).transpose()))
    const turned = fusing((a) => (a!['T'] as unknown as Value)['sum']!({ axes: 0 }))
    expect(turned(x)).toEqual(sum(x, { axes: 1 }))
    expect(fusing((a) => a!['transpose']!(1, 0, 2)['neg']!())(randomTensor('float32', [2, 3, 4], 3)).shape).toEqual([
      3, 2, 4,
    ])
    expect(() => fusing((a) => a!['transpose']!(0, 0))(x)).toThrow('name each of the 2 axes once')
    expect(() => fusing((a) => a!['reshape']!([6]))(x)).toThrow(OperandError)
    expect(() => fusing((a) => a!['data'] as never)(x)).toThrow('so it has no data')
  })

  it('say what is wrong', () => {
    const x = tensor([[1, 2]])
    const wrong =
      (fn: (a: Value) => Value): (() => unknown) =>
      () =>
        fusing(fn)(x)
    expect(wrong((a) => a['sum']!({ axes: 2 }))).toThrow(/^sum: .*axis/i)
    expect(wrong((a) => a['sum']!({ axis: 0 }))).toThrow(OperandError)
    expect(wrong((a) => a['prod']!({ out: x }))).toThrow(
      'prod: inside fuse there is no out; pass it to the fused function.',
    )
    expect(wrong((a) => a['any']!())).toThrow(DTypeError)
    expect(wrong((a) => a['sum']!(0))).toThrow(/is n an axis or an operand/)
    expect(wrong((a) => (prod as unknown as (...all: unknown[]) => Value)(a, 0))).toThrow(OperandError)
    expect(wrong((a) => (eager['argMax'] as unknown as (x: Value) => Value)(a))).toThrow(/argMax.*outside/)
    let leaked: Value | undefined
    fusing((a) => (leaked = a)['neg']!())(x)
    expect(() => leaked!['sum']!()).toThrow(/has left the function/)
  })
})

describe('memory', () => {
  const inUse = (): number => {
    const { arena } = compiling()!
    return arena.pages * 65_536 - arena.freeBytes
  }

  it('of what is computed on the way is given back at once', () => {
    const x = eager['tanh']!(randomTensor('float32', [4000, 900], 5))
    const softmax = fusing((a) => {
      const e = a!['sub']!(a!['max']!({ axes: -1, keepdims: true }))['exp']!()
      return e['div']!(e['sum']!({ axes: -1, keepdims: true }))
    })
    softmax(x).dispose()
    const before = inUse()
    for (let i = 0; i < 4; i++) softmax(x).dispose()
    expect(inUse() - before).toBeLessThan(65_536)
  })
})

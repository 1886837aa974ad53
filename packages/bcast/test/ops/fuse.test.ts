// Fusing changes nothing but speed: any expression gives the same bits fused as operator by operator, on the engine
// with any number of threads and on the interpreter.

import * as bcast from 'bcast'
import {
  add,
  BroadcastError,
  configure,
  DivisionByZeroError,
  type DType,
  DTypeError,
  exp,
  explicit,
  fuse,
  max,
  OperandError,
  pdpd,
  type Tensor,
  tensor,
  where,
} from 'bcast'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'

afterEach(() => configure({ backend: 'auto', threads: 2 }))

type AnyFunction = (...args: unknown[]) => never
const operators = bcast as unknown as Record<string, AnyFunction>

const FLOATS: readonly DType[] = ['float16', 'bfloat16', 'float32', 'float64']
const INTEGERS: readonly DType[] = ['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64']

const unaryFloat = ['neg', 'abs', 'sqrt', 'exp', 'tanh', 'sigmoid', 'relu', 'floor', 'round', 'sign', 'reciprocal']
const unaryInteger = ['neg', 'abs', 'sign', 'bitwiseNot']
const binaryFloat = ['add', 'sub', 'mul', 'div', 'max', 'min', 'squaredDifference', 'floorMod']
const binaryInteger = ['add', 'sub', 'mul', 'max', 'min', 'bitwiseAnd', 'bitwiseXor', 'squaredDifference']

type Tree =
  | { readonly leaf: number }
  | { readonly op: string; readonly args: readonly Tree[] }
  | { readonly compare: string; readonly args: readonly Tree[] }

const trees = (float: boolean): fc.Arbitrary<Tree> => {
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.record({ leaf: fc.integer({ min: 0, max: 2 }) }),
      fc.record({ op: fc.constantFrom(...(float ? unaryFloat : unaryInteger)), args: fc.tuple(tie('tree')) }),
      fc.record({
        op: fc.constantFrom(...(float ? binaryFloat : binaryInteger)),
        args: fc.tuple(tie('tree'), tie('tree')),
      }),
      fc.record({
        compare: fc.constantFrom('less', 'equal', 'greaterOrEqual'),
        args: fc.tuple(tie('tree'), tie('tree'), tie('tree'), tie('tree')),
      }),
    ),
  }))
  return tree
}

/** Evaluates with the public functions, on tensors or on operands of fuse alike. */
function evaluate(tree: Tree, leaves: readonly unknown[]): unknown {
  if ('leaf' in tree) return leaves[tree.leaf]
  const args = tree.args.map((arg) => evaluate(arg, leaves))
  if ('op' in tree) return operators[tree.op]!(...args)
  return where(operators[tree.compare]!(args[0], args[1]), args[2] as never, args[3] as never)
}

const specials = [0, -0, 1, -1, 0.1, 2.5, -3.5, 65504, 1e-7, 1e-40, Number.NaN, Infinity, -Infinity]
const shapes: readonly (readonly number[])[] = [
  [],
  [1],
  [3],
  [2, 3],
  [2, 1],
  [4, 1, 1],
  [1, 3],
  [5, 2, 3],
  [37],
  [2, 37],
]

function leaf(dtype: DType, shape: readonly number[], seed: number): Tensor {
  const count = shape.reduce((n, size) => n * size, 1)
  const wide = dtype.endsWith('64') && !dtype.startsWith('float')
  const element = (i: number): number | bigint => {
    const k = (seed * 31 + i * 17) % 97
    if (FLOATS.includes(dtype)) return k < 40 ? specials[k % specials.length]! : (k - 60) / 7
    const small = k % 11
    return wide ? BigInt(small) : small
  }
  return tensor(
    Array.from({ length: count }, (_, i) => element(i)),
    { dtype, shape: [...shape] },
  )
}

const compatible = fc
  .tuple(fc.constantFrom(...shapes), fc.constantFrom(...shapes), fc.constantFrom(...shapes))
  .filter(([a, b, c]) => bcast.explain([a, b, c]).verdict === 'ok')

const bits = (t: Tensor): unknown[] => [t.dtype, ...t.shape, ...(Array.from(t.data as ArrayLike<unknown>) as unknown[])]

function expectSameBits(fused: Tensor, eager: Tensor): void {
  const [a, b] = [bits(fused), bits(eager)]
  expect(a.length).toBe(b.length)
  const half = eager.dtype === 'float16' ? 0x7c00 : eager.dtype === 'bfloat16' ? 0x7f80 : undefined
  const isNaNElement = (x: unknown): boolean =>
    half === undefined ? Number.isNaN(x as number) : typeof x === 'number' && (x & 0x7fff) > half
  a.forEach((x, i) => {
    if (!Object.is(x, b[i]) && !(isNaNElement(x) && isNaNElement(b[i]))) expect({ i, x }).toEqual({ i, x: b[i] })
  })
}

describe('any expression', () => {
  for (const [kind, types] of [
    ['floats', FLOATS],
    ['integers', INTEGERS],
  ] as const) {
    it(`of ${kind} gives the same bits fused, with 1 and 3 threads, and interpreted`, () => {
      const property = fc.property(
        trees(kind === 'floats'),
        fc.constantFrom(...types),
        compatible,
        fc.nat(1000),
        (tree, dtype, dims, seed) => {
          const leaves = dims.map((shape, i) => leaf(dtype, shape, seed + i))
          const fused = fuse((a, b, c) => evaluate({ op: 'identity', args: [tree] }, [a, b, c]) as never)
          configure({ backend: 'interpreter' })
          const eager = evaluate(tree, leaves) as Tensor
          expectSameBits((fused as unknown as AnyFunction)(...leaves), eager)
          for (const threads of [1, 3]) {
            configure({ backend: 'auto', threads })
            expectSameBits((fused as unknown as AnyFunction)(...leaves), eager)
            expectSameBits(evaluate(tree, leaves) as Tensor, eager)
          }
        },
      )
      fc.assert(property, { numRuns: 75 })
    })
  }
})

describe('fuse', () => {
  const x = tensor([
    [1, 2, 3],
    [4, 5, 6],
  ])
  const row = tensor([1, 2, 3])

  it('takes methods and functions alike', () => {
    const f = fuse((a, b) => where(a.greater(b), exp(a).sub(1), max(a, b, 0.5)))
    expect(f(x, row).toArray()).toEqual(where(bcast.greater(x, row), bcast.sub(exp(x), 1), max(x, row, 0.5)).toArray())
  })

  it('captures tensors and numbers around it', () => {
    const bias = tensor([10, 20, 30])
    expect(fuse((a) => a.add(bias).mul(2))(x).toArray()).toEqual([
      [22, 44, 66],
      [28, 50, 72],
    ])
  })

  it('rounds numbers to the type beside them, as tensors hold them', () => {
    for (const dtype of ['float16', 'bfloat16', 'float32', 'float64'] as const) {
      const zero = tensor([0], { dtype })
      for (const number of [0.1, 1e-7, 1e300, -0]) {
        const fused = fuse((a) => a.add(number)) as unknown as AnyFunction
        expect((fused(zero) as Tensor).toArray()).toEqual(add(zero, number as never).toArray())
      }
    }
  })

  it('takes in a function that gives back an operand of the one around it', () => {
    const other = tensor([7, 8, 9])
    expect(fuse((a) => fuse((_) => a as never)(other) as never)(tensor([1, 2, 3])).toArray()).toEqual([1, 2, 3])
    const both = fuse((a, b) => add(a, fuse((_) => b as never)(other) as never) as never)
    expect(both(tensor([1]), tensor([10])).toArray()).toEqual([11])
    const second = fuse((_, b) => fuse((_) => b as never)(other) as never)
    expect(second(tensor([1]), tensor([10])).toArray()).toEqual([10])
  })

  it('is recorded once for each signature of types, whatever the shapes', () => {
    let calls = 0
    const f = fuse((a, b) => {
      calls++
      return a.add(b)
    })
    f(x, row)
    f(x, tensor(1))
    f(tensor([1], { dtype: 'float64' }), tensor([1], { dtype: 'float64' }))
    expect(calls).toBe(2)
  })

  it('takes rules, and places one operand in two ways', () => {
    const f = fuse((a, b) =>
      a.add(b, { broadcast: pdpd({ axis: 0 }) }).add(b, { broadcast: explicit({ axesMapping: [1] }) }),
    )
    const [square, b] = [
      tensor([
        [0, 0],
        [0, 0],
      ]),
      tensor([1, 10]),
    ]
    expect(f(square, b).toArray()).toEqual([
      [2, 11],
      [11, 20],
    ])
  })

  it('writes into out, also over an operand', () => {
    const a = tensor(
      Float32Array.from({ length: 5000 }, (_, i) => i),
      { share: true },
    )
    const f = fuse((p, q) => p.mul(q).add(p))
    const expected = f(a, tensor(3)).toArray()
    expect(f(a, tensor(3), { out: a })).toBe(a)
    expect(a.toArray()).toEqual(expected)
  })

  it('casts inside', () => {
    const f = fuse((a) => a.cast('int32').div(2).cast('float64'))
    const y = f(tensor([5.7, -5.7]))
    expect([y.dtype, y.toArray()]).toEqual(['float64', [2, -2]])
  })

  it('computes a shared subexpression once and hoists what does not depend on the row', () => {
    const f = fuse((a, b) => a.add(b).mul(a.add(b)))
    expect(f(x, row).toArray()).toEqual([
      [4, 16, 36],
      [25, 49, 81],
    ])
  })

  it('fails as the operators would', () => {
    const f = fuse((a, b) => a.add(b))
    const narrow: Tensor<'float32', number[]> = tensor([1, 2], { shape: [2] as number[] })
    expect(() => f(x, narrow)).toThrow(BroadcastError)
    expect(() => (f as unknown as AnyFunction)(x, tensor([1n]))).toThrow(DTypeError)
    expect(() => (f as unknown as AnyFunction)(x)).toThrow('takes 2 operands, not 1')
    expect(() => (f as unknown as AnyFunction)(x, 2)).toThrow(OperandError)
    expect(() => (fuse as unknown as AnyFunction)(3)).toThrow(OperandError)
    expect(() => (fuse((() => 1) as never) as unknown as AnyFunction)()).toThrow('one expression')
    expect(() => fuse((a) => add(a, row, { out: row }) as never)(x)).toThrow('inside fuse there is no out')
    const ints = (values: number[]) => tensor(values, { dtype: 'int32' })
    const divide = fuse((a, b) => a.add(1).div(b))
    try {
      divide(ints([1, 2, 3]), ints([1, 0, 0]))
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(DivisionByZeroError)
      expect((error as DivisionByZeroError).index).toEqual([1])
    }
  })
})

// Arguments of the wrong kind: each is an error of the library, and says what was given and what is expected.
import {
  arange,
  argMax,
  BcastError,
  concat,
  conditionsHold,
  DTypeError,
  explain,
  flip,
  formatConditions,
  fromNumpy,
  fuse,
  gemm,
  grad,
  IndexError,
  numpy,
  OperandError,
  pdpd,
  RuleError,
  ShapeError,
  split,
  stack,
  sum,
  take,
  tensor,
  toNumpy,
  uniform,
  ValueError,
  zeros,
} from 'bcast'
import { readNpy, writeNpy, writeNpz } from 'bcast/npy'
import { describe, expect, it } from 'vitest'
import { thrownBy } from '../support/thrown.ts'

type Loose = (...args: unknown[]) => unknown
const loosely = (fn: unknown): Loose => fn as Loose
// Everything is an operand to one who writes without a type checker.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Any = any

type Case = readonly [call: () => unknown, error: new (...args: never[]) => BcastError, words: string]

const refuses = (cases: readonly Case[]): void =>
  it.each(cases.map(([call, error, words]) => [words, call, error] as const))('%s', (words, call, error) => {
    const thrown = thrownBy(call)
    expect(thrown).toBeInstanceOf(error)
    expect(thrown).toBeInstanceOf(BcastError)
    expect(thrown.message).toContain(words)
  })

const x = tensor([
  [1, 2, 3],
  [6, 5, 4],
])
const { conditions } = explain([
  ['N', 3],
  [4, 3],
])
const ints = tensor([1], { dtype: 'int32' })

describe('rules and shapes', () => {
  refuses([
    [() => loosely(toNumpy)('pdpd', [[2], [2]]), RuleError, 'toNumpy: "pdpd" is no rule; rules are such as numpy'],
    [() => loosely(toNumpy)(pdpd, [[2], [2]]), RuleError, 'toNumpy: a function is no rule'],
    [() => loosely(toNumpy)(null, [[2], [2]]), RuleError, 'toNumpy: null is no rule'],
    [() => loosely(toNumpy)(numpy), ShapeError, 'toNumpy takes an array of shapes'],
    [() => toNumpy(numpy, [[2], [-1]]), ShapeError, 'shape of B [-1]: size -1 at position 0 is negative.'],
    [() => toNumpy(numpy, [[2], [1]], 7), OperandError, 'onto is 7'],
    [() => loosely(fromNumpy)(null), ShapeError, 'fromNumpy takes the shapes of A and B, such as [[2, 3], [3]].'],
    [() => loosely(fromNumpy)([[2], [2], [2]], 'pdpd'), ShapeError, 'fromNumpy takes the shapes of A and B'],
    [() => loosely(fromNumpy)([[2], ['N']], 'pdpd'), ShapeError, 'size "N" at position 0 is not a number'],
    [() => loosely(fromNumpy)([[2], [1]], 'numpy'), RuleError, 'fromNumpy: "numpy" is no target; targets are uni'],
    [() => loosely(conditionsHold)(null), OperandError, 'conditionsHold takes an array of conditions'],
    [() => loosely(conditionsHold)([1], () => 1), OperandError, 'conditionsHold takes an array of conditions'],
    [() => loosely(conditionsHold)(conditions), OperandError, 'and a function that gives the size'],
    [() => loosely(formatConditions)(null), OperandError, 'formatConditions takes an array of conditions.'],
  ])

  it('of no known rank have no translation', () => {
    expect(loosely(toNumpy)(numpy, [[2], null])).toMatchObject({
      sentence: 'the rank of B is not known',
      operands: [1],
    })
  })

  it('are taken as before', () => {
    expect(formatConditions(conditions)).toBe('N = 1 or N = 4')
    expect(formatConditions([...conditions, ...conditions], 1)).toBe('(N = 1 or N = 4) and 1 more conditions hold')
    expect(conditionsHold(conditions, () => 4)).toBe(true)
  })
})

describe('numbers to count with', () => {
  refuses([
    [() => loosely(arange)(1n, () => 1), ValueError, 'arange: a function is not a number to count with.'],
    [() => loosely(arange)(0, Symbol('end')), ValueError, 'arange: Symbol(end) is not a number to count with.'],
    [() => loosely(arange)(tensor(3)), ValueError, 'arange: a tensor is not a number to count with.'],
    [() => loosely(arange)([3]), ValueError, 'arange: an array is not a number to count with.'],
    [() => loosely(arange)(0, undefined, 2), ValueError, 'arange: undefined is not a number to count with.'],
  ])

  it('are taken without a step', () => {
    expect(arange(1, 3, undefined as never, { dtype: 'int8' }).toArray()).toEqual([1, 2])
  })
})

describe('inside fuse and grad', () => {
  const missing = ['broadcastTo', 'cumSum', 'argMax', 'argMin', 'take', 'squeeze', 'view', 'toJSON'] as const

  refuses([
    ...missing.map((name): Case => {
      const call = loosely(fuse((a: Any) => a[name]([0])))
      return [() => call(x), OperandError, `${name}: an operand of fuse stands for a tensor that is not there yet`]
    }),
    [() => loosely(fuse((a: Any) => [...a][0]))(x), OperandError, 'iteration: an operand of fuse stands for a tensor'],
    [() => loosely(grad((a: Any) => a.broadcastTo([2, 3]).sum()))(x), OperandError, 'it has no broadcastTo'],
    [() => loosely(fuse((a: Any) => loosely(tensor)(a) as Any))(x), ValueError, 'give its elements and shape'],
  ])

  it('an operand has its number of elements', () => {
    expect((loosely(fuse((a: Any) => a.mul(a.size)))(x) as typeof x).toArray()).toEqual([
      [6, 12, 18],
      [36, 30, 24],
    ])
    const [gradient] = loosely(grad((a: Any) => a.mul(a.size).sum()))(x) as [typeof x]
    expect(new Set(gradient.data)).toEqual(new Set([6]))
  })
})

describe('indices and axes', () => {
  refuses([
    [
      () => loosely(take)(x, ['0']),
      IndexError,
      'index "0" on axis 0 of size 2: its type is string, not number; indices are -2 to 1.',
    ],
    // biome-ignore lint/suspicious/noSparseArray: it is what is wrong
    [() => loosely(take)(x, [0, , 1]), IndexError, 'index undefined on axis 0 of size 2: its type is undefined'],
    [() => loosely(take)(x, [2n]), IndexError, 'index 2 on axis 0 of size 2: indices are -2 to 1.'],
    [() => (x as Any).get('0', '0'), IndexError, 'index "0" on axis 0 of size 2: its type is string, not number'],
    [() => (x as Any).get(0n, 0n), IndexError, 'index 0n on axis 0 of size 2: its type is bigint, not number'],
    [() => (x as Any).at('0'), IndexError, 'its type is string, not number; indices are -2 to 1.'],
    [() => (x as Any).slice(['0']), IndexError, 'slice: "0" on axis 0 is not an integer.'],
    [
      () => loosely(concat)([x, x], { axis: '1' }),
      IndexError,
      'concat: axis "1" does not exist in rank 2; its type is string, not number; axes are -2 to 1.',
    ],
    [() => loosely(concat)([x, x], { axis: null }), IndexError, 'concat: axis null does not exist in rank 2'],
    [() => loosely(stack)([x, x], { axis: null }), IndexError, 'stack: axis null does not exist in rank 3'],
    [() => loosely(split)(x, 2, { axis: null }), IndexError, 'split: axis null does not exist in rank 2'],
    [() => loosely(flip)(x, [1n]), IndexError, 'flip: axis 1n does not exist in rank 2; its type is bigint'],
    [() => (x as Any).transpose('0', '1'), IndexError, 'transpose: axis "0" does not exist in rank 2; its type is str'],
    [
      () => loosely(concat)([tensor(1), tensor(2)]),
      IndexError,
      'concat: axis 0 does not exist in rank 0; a scalar has no axes.',
    ],
    [() => loosely(take)(tensor(1), [0]), IndexError, 'take: axis 0 does not exist in rank 0; a scalar has no axes.'],
    [() => loosely(sum)(tensor(1), { axes: 0 }), IndexError, 'a scalar has no axes.'],
  ])

  it('may be what argMax gives', () => {
    expect(take(x, [1n, -2n]).toArray()).toEqual([
      [6, 5, 4],
      [1, 2, 3],
    ])
    const found = argMax(x, { axis: 1, keepdims: false }).toArray() as bigint[]
    expect(found).toEqual([2n, 0n])
    expect(take(x, found, { axis: 1 }).toArray()).toEqual([
      [3, 1],
      [4, 6],
    ])
  })
})

describe('what is differentiated', () => {
  refuses([
    [
      () => loosely(grad((a) => a.sum()))(ints),
      DTypeError,
      'grad: operand 0 is int32, which has no gradient; cast it to a float.',
    ],
    [
      () => loosely(grad((a, b, c) => a.sum().add(b.sum()).add(c.sum())))(tensor([1]), ints, tensor([1])),
      DTypeError,
      'grad: operand 1 is int32, which has no gradient; name the operands that have one, such as { wrt: [0, 2] }, or cast',
    ],
    [
      () => loosely(grad)(grad((a) => a.sum())),
      OperandError,
      'grad: the function names no operands. Rest parameters, and those with a default, are not counted',
    ],
    [() => loosely(grad)((...all: Any[]) => all[0].sum()), OperandError, 'as in grad(f, { operands: 2 }).'],
    [() => loosely(grad)((a: Any) => a.sum(), { operands: 0 }), OperandError, 'grad: operands is 0; it is how many'],
  ])
})

describe('texts', () => {
  const two = zeros([2, 2])

  refuses([
    [() => loosely(gemm)(two, two, { alpha: '2' }), OperandError, 'Gemm: alpha is "2"; for float32 it must be'],
    [() => loosely(gemm)(two, two, { beta: two }), OperandError, 'Gemm: beta is a tensor; for float32 it must be'],
    [() => loosely(tensor)([1, null]), ValueError, 'mixed elements at [1]: null among numbers; give'],
    // biome-ignore lint/suspicious/noSparseArray: it is what is wrong
    [() => loosely(tensor)([1, , 2]), ValueError, 'mixed elements at [1]: undefined among numbers; give'],
    [() => loosely(writeNpz)(x), OperandError, 'writeNpz takes tensors by name: writeNpz({ x, y }); it was given a te'],
    [() => loosely(writeNpy)({ x }), OperandError, 'writeNpy takes a tensor; it was given an object.'],
    [() => loosely(readNpy)(x), OperandError, 'it was given a tensor.'],
    [() => loosely(uniform)(x, [2]), OperandError, 'it was given a tensor.'],
  ])
})

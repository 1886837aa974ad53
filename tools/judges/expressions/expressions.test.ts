// The judge of expressions without PyTorch: its cases are repeatable and hold everything that it is for, a wrong number
// is excused by nothing, and ours are the same bits whichever way they are asked for.
import { describe, expect, it } from 'vitest'
import { seed } from '../../../testing/seed.ts'
import { tensorOf } from '../values.ts'
import { judgeParts, type Part, unitOf, verdictOf } from './difference.ts'
import { type ExpressionCase, expressionText } from './expression.ts'
import { expressionCases } from './generate.ts'
import { ourExpression } from './ours.ts'
import { meet, multiply } from './shapes.ts'

const cases = expressionCases(400, seed)
const steps = cases.flatMap((question) => question.steps)
const sum: ExpressionCase = {
  id: 0,
  inputs: [tensorOf('float64', [2, 1], [1, 2]), tensorOf('float64', [3], [1, 2, 3])],
  steps: [
    { kind: 'apply', op: 'Mul', args: [0, 1], attrs: {} },
    { kind: 'reduce', op: 'sum', args: [2], keepdims: false },
  ],
  delta: tensorOf('float64', [], [2]),
  documented: false,
}

describe('the expressions', () => {
  it('depend on the seed alone', () => {
    expect(expressionCases(20, seed)).toEqual(cases.slice(0, 20))
    expect(expressionCases(20, seed + 1)).not.toEqual(cases.slice(0, 20))
  })

  it('have 1 to 4 operands of ranks 0 to 4, with sizes 0 and 1, in every type of floats', () => {
    const inputs = cases.flatMap((question) => question.inputs)
    expect(new Set(cases.map((question) => question.inputs.length))).toEqual(new Set([1, 2, 3, 4]))
    expect(new Set(inputs.map(({ shape }) => shape.length))).toEqual(new Set([0, 1, 2, 3, 4]))
    expect(new Set(inputs.map(({ dtype }) => dtype))).toEqual(new Set(['float64', 'float32', 'float16', 'bfloat16']))
    expect(inputs.some(({ shape }) => shape.includes(0))).toBe(true)
    expect(inputs.some(({ shape }) => shape.includes(1))).toBe(true)
  })

  it('hold reductions with and without the axes they are over, products, choices, bounds and conversions', () => {
    const kinds = new Set(steps.map(({ kind }) => kind))
    expect(kinds).toEqual(new Set(['apply', 'compare', 'reduce', 'matmul', 'cast']))
    const operators = new Set(steps.flatMap((step) => ('op' in step ? [step.op] : [])))
    const reductions = ['sum', 'mean', 'max', 'min', 'prod', 'norm', 'logSumExp', 'sumSquare']
    for (const op of ['Where', 'Clip', 'PRelu', 'Pow', 'Max', ...reductions]) expect(operators).toContain(op)
    const reduced = steps.flatMap((step) => (step.kind === 'reduce' ? [step] : []))
    expect(new Set(reduced.map(({ keepdims }) => keepdims))).toEqual(new Set([true, false]))
    expect(reduced.some(({ axes }) => axes === undefined)).toBe(true)
    expect(reduced.some(({ axes }) => axes?.length === 0)).toBe(true)
  })

  it('are made of steps that the last one needs', () => {
    for (const { inputs, steps: own } of cases) {
      const read = new Set(own.flatMap(({ args }) => args))
      const last = inputs.length + own.length - 1
      for (let place = inputs.length; place < last; place++) expect(read).toContain(place)
    }
  })

  it('can be read', () => {
    expect(expressionText(sum)).toBe('sum(Mul(x, y), {"keepdims":false}) of x float64 (2,1), y float64 (3)')
  })
})

it('shapes meet as broadcasting and products have it', () => {
  expect(meet([2, 1], [3])).toEqual([2, 3])
  expect(meet([0], [1])).toEqual([0])
  expect(meet([0], [2])).toBeUndefined()
  expect(multiply([5, 2, 3], [3])).toBe(true)
  expect(multiply([2, 3], [2, 3])).toBe(false)
  expect(multiply([5, 2, 3], [4, 3, 2])).toBe(false)
  expect(multiply([], [])).toBe(false)
})

it('ours are the same whichever way they are asked for', () => {
  for (const question of cases.slice(0, 25))
    expect(ourExpression(question).defects, expressionText(question)).toEqual([])
})

describe('an answer', () => {
  const parts = (value: number, first: readonly number[], second: readonly number[]): Part[] => {
    const whole = [
      tensorOf('float64', [], [value]),
      tensorOf('float64', [2, 1], first),
      tensorOf('float64', [3], second),
    ]
    const zeros = whole.map(({ shape }) => tensorOf('float64', shape, [0, 0, 0].slice(0, shape[0] ?? 1)))
    return whole.map((given, i) => ({ given, exact: given, spread: zeros[i]! }))
  }
  const verdicts = (theirs: readonly Part[]): string[] => {
    const judged = judgeParts(sum, ourExpression(sum).parts, theirs)
    return typeof judged === 'string' ? [judged] : judged.map(({ verdict }) => verdict)
  }

  it('that is ours is alike, and one wrong element is seen', () => {
    expect(new Set(verdicts(parts(18, [12, 12], [6, 6, 6])))).toEqual(new Set(['alike']))
    expect(verdicts(parts(18, [12, 12.0001], [6, 6, 6]))).toContain('different')
    expect(verdicts(parts(18.0001, [12, 12], [6, 6, 6]))).toContain('different')
  })

  const double = unitOf(sum)
  const single = [2 ** -24, 2 ** -149] as const

  it('may be off by roundings, by more where they grow, and never by what is not finite', () => {
    const element = { ours: 1, theirs: 1 + 1e-12, exact: 1, spread: 0 }
    expect(verdictOf(element, double)).toBe('different')
    expect(verdictOf({ ...element, spread: 1e4 }, double)).toBe('alike')
    expect(verdictOf({ ...element, theirs: 1.5, spread: 1e15 }, double)).toBe('undecided')
    expect(verdictOf({ ...element, theirs: Number.NaN }, double)).toBe('different')
    expect(verdictOf({ ...element, theirs: Number.POSITIVE_INFINITY }, double)).toBe('different')
    expect(verdictOf({ ...element, ours: Number.NaN, theirs: Number.NaN }, double)).toBe('alike')
  })

  it('is worse than ours where float64 is with us, and never where it is not', () => {
    expect(verdictOf({ ours: 1, theirs: 1.1, exact: 1.001, spread: 0 }, single)).toBe('nearer')
    expect(verdictOf({ ours: 1.1, theirs: 1, exact: 1.001, spread: 0 }, single)).toBe('different')
    expect(verdictOf({ ours: Number.NaN, theirs: 1, exact: 1, spread: 0 }, single)).toBe('different')
    expect(verdictOf({ ours: 1, theirs: 1.1, exact: 1, spread: 0 }, double)).toBe('different')
  })
})

// The judge of derivatives without PyTorch: its cases are repeatable and ask about every operator, and a wrong gradient
// of ours is excused by no cause.
import { describe, expect, it } from 'vitest'
import { kinks } from '../../../testing/kinks.ts'
import { seed } from '../../../testing/seed.ts'
import { elementsOf } from '../elements.ts'
import { gradientCases, rows } from './case.ts'
import { gradientCauses } from './causes.ts'
import { alike, type Difference, oursIsRight } from './difference.ts'
import { ourGradient } from './ours.ts'

const cases = gradientCases(2 * rows.size, seed)
const random = cases.filter(({ known }) => known === undefined)

describe('the cases', () => {
  it('depend on the seed alone, and ask about every operator that has a derivative', () => {
    expect(gradientCases(2 * rows.size, seed)).toEqual(cases)
    expect(new Set(random.map(({ op }) => op))).toEqual(new Set(rows.keys()))
  })

  it('begin with the table of kinks, which has the values of PyTorch', () => {
    const [first] = cases
    expect(first).toMatchObject({ op: 'Abs', by: 0, known: kinks[0]!.gradients[0] })
    expect(cases.length - random.length).toBe(kinks.flatMap(({ gradients }) => gradients.filter((each) => each)).length)
  })

  it('have gradients of ours in the type and shape of the operand', () => {
    for (const question of cases) {
      const { dtype, shape } = question.inputs[question.by]!
      expect(ourGradient(question)).toMatchObject({ dtype, shape })
    }
  })
})

describe('a difference', () => {
  const question = (op: string, dtype: 'float16' | 'float32', attrs = {}): Difference['question'] => {
    const one = { dtype, shape: [1], data: '' }
    return { id: 0, op, attrs, inputs: [one, one], delta: one, by: 0 }
  }
  const given = (op: string, operands: number[], ours: number, theirs: number): Difference => ({
    question: question(op, 'float16'),
    operands,
    delta: 1,
    ours,
    theirs,
  })
  const isExplained = (difference: Difference): boolean => gradientCauses.some(({ explains }) => explains(difference))

  it('is none within roundings', () => {
    expect(alike(given('Exp', [0], 1, 1.001))).toBe(true)
    expect(alike(given('Exp', [0], 1, 1.1))).toBe(false)
    expect(alike(given('Exp', [0], 0, -0))).toBe(true)
    expect(alike(given('Exp', [0], Number.NaN, Number.NaN))).toBe(true)
    expect(alike(given('Exp', [0], Number.NaN, 1))).toBe(false)
  })

  it('is explained where the specification is with us, and never where it is not', () => {
    expect(oursIsRight(given('Reciprocal', [2], -0.25, 0))).toBe(true)
    expect(isExplained(given('Reciprocal', [2], -0.25, 0))).toBe(true)
    expect(isExplained(given('Reciprocal', [2], 0, -0.25))).toBe(false)
    expect(isExplained(given('Mul', [2, 3], 2, 3))).toBe(false)
  })
})

it('every element of ours is what the specification says', () => {
  const wrong = random.flatMap((question) => {
    const lists = question.inputs.map((input) => elementsOf(input) as number[])
    const deltas = elementsOf(question.delta) as number[]
    const ours = elementsOf(ourGradient(question)) as number[]
    return ours.flatMap((value, at) => {
      const operands = lists.map((list) => list[at]!)
      const ordinary = [...operands, deltas[at]!].every((x) => Math.abs(x) < 1e3 && (x === 0 || Math.abs(x) > 1e-3))
      const pole = ['Div', 'Mod', 'FloorMod', 'Reciprocal', 'Log', 'Sqrt', 'Pow'].includes(question.op)
      const difference = { question, operands, delta: deltas[at]!, ours: value, theirs: value }
      return !ordinary || (pole && operands.some((x) => x <= 0)) || oursIsRight(difference)
        ? []
        : [`${question.op} of ${operands}: ${value}`]
    })
  })
  expect(wrong).toEqual([])
})

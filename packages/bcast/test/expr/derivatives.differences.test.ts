// The derivative of every operator against how its results move, in float64, and the derivative of every derivative
// against how that moves: what a derivative is made of has derivatives itself.
import { fromData } from 'bcast'
import { describe, expect, it } from 'vitest'
import { elementsOf } from '../../../../testing/elements.ts'
import type { Term } from '../../src/expr/derivative.ts'
import { type Differentiable, differentiable } from '../support/differentiable.ts'
import { applied, chained, fused, gradientTerms, haveGradients } from '../support/gradients.ts'
import { randomBits } from '../support/random.ts'

const SIZE = 64
const STEP = 2 ** -14

/** Elements where operators are smooth, most of the time: no two are near each other, and none is near a whole. */
function elements({ count, within }: Differentiable): number[][] {
  const next = randomBits(count)
  return Array.from({ length: count }, (_, operand) =>
    Array.from({ length: SIZE }, () => {
      const value = within(((next() >>> 8) % 65) - 32, operand)
      return typeof value === 'boolean' ? Number(value) : value + (value < 0 ? -1 : 1) * (0.03 + operand * 0.02)
    }),
  )
}

/** How far gradients are from differences of `f`, where its slopes agree on both sides. */
function expectSlopes(
  f: (...lists: number[][]) => number[],
  lists: number[][],
  operand: number,
  gradient: readonly number[],
): void {
  const moved = (step: number): number[] =>
    f(...lists.map((list, i) => (i === operand ? list.map((x) => x + step) : list)))
  const [low, middle, high] = [moved(-STEP), moved(0), moved(STEP)]
  let met = 0
  gradient.forEach((slope, at) => {
    const [left, right] = [(middle[at]! - low[at]!) / STEP, (high[at]! - middle[at]!) / STEP]
    const size = Math.max(1, Math.abs(left), Math.abs(slope))
    if (!(Math.abs(left - right) <= 0.02 * size && Math.abs(left) < 1e3)) return
    met++
    expect(Math.abs(slope - (left + right) / 2)).toBeLessThan(2e-5 * size)
  })
  expect(met).toBeGreaterThan(SIZE / 4)
}

const f64 = (list: readonly number[]) => fromData('float64', Float64Array.from(list), [list.length])

/** Conditions are given as numbers, so that all operands are alike. */
const read = ({ row }: Differentiable, terms: readonly Term[]): Term[] =>
  terms.map((term, i) => (row.call === 'where' && i === 0 ? term.notEqual(0) : term))

describe.each(differentiable.filter(({ types }) => types.includes('float64')))('$title', (operator) => {
  const { row, attributes, count } = operator
  const lists = elements(operator)
  const numbers =
    (f: ReturnType<typeof fused>) =>
    (...given: number[][]) =>
      elementsOf(f(...given.map(f64))) as number[]
  const present = haveGradients(
    row,
    Array.from({ length: count }, (_, i) => (row.call === 'where' && i === 0 ? 'bool' : 'float64')),
    attributes,
  )
  const indices = present.flatMap((has, i) => (has ? [i] : []))
  /** The gradient of an operand for a gradient of the result that is not the same everywhere. */
  const gradient = (terms: readonly Term[], i: number): Term =>
    gradientTerms(row, read(operator, terms), terms[indices[0]!]!.mul(0).add(1.25), attributes)[i]!

  it('first order', () => {
    const value = numbers(fused(count, (...terms) => applied(row, read(operator, terms), attributes).mul(1.25)))
    for (const i of indices) {
      expectSlopes(value, lists, i, numbers(fused(count, (...terms) => gradient(terms, i)))(...lists))
    }
  })

  it('second order', () => {
    for (const i of indices) {
      const first = numbers(fused(count, (...terms) => gradient(terms, i)))
      for (const j of indices) {
        const second = fused(count, (...terms) => {
          const from = gradient(terms, i)
          const one = from.mul(0).add(1)
          // What does not depend on an operand has no gradient there: it is the same wherever that is.
          return chained(from, one, [terms[j]!])[0] ?? terms[j]!.mul(0)
        })
        expectSlopes(first, lists, j, numbers(second)(...lists))
      }
    }
  })
})

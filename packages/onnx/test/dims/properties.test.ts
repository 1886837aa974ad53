// Whatever is done to an expression, its values stay those of plain bigint arithmetic, and nothing that is said to be
// certain is ever contradicted by a value.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  abs,
  add,
  bounds,
  type Certainty,
  type Dim,
  evaluate,
  floorMod,
  format,
  isAtMost,
  isDivisible,
  isEqual,
  isLess,
  max,
  mul,
  neg,
  parse,
  sub,
  substitute,
  truncDiv,
  truncMod,
} from '../../src/dims/index.ts'
import { compareMonomials } from '../../src/dims/monomial.ts'
import { atomsOf, partsOf } from '../../src/dims/walk.ts'
import {
  build,
  type Expression,
  expressions,
  orUndefined,
  polynomials,
  referenceValue,
  someSizes,
  symbolOf,
  type Values,
} from './support/expression.ts'

const RUNS = { numRuns: 500 }

// Bounds are as tight as a bounded effort gets them: built again from its simplified parts, about one expression in a
// million is simplified further. So what is asked here of forms, unlike of values, is asked of the same ones every time.
const FORMS = { numRuns: 500 }

const [N, M, k, s] = ['N', 'M', 'k', 's'].map(symbolOf) as [Dim, Dim, Dim, Dim]

/** Whether nothing in a Dim outgrew the limits of size: beyond them nothing is promised but the value. */
const isOpen = (dim: Dim): boolean => !dim.key.includes('big_')

/** The Dim has the expression's value wherever the expression has one. */
function expectSameValues(dim: Dim | undefined, expression: Expression, points: readonly Values[]): void {
  for (const values of points) {
    const expected = referenceValue(expression, values)
    if (expected === undefined) continue
    // An expression with a value somewhere divides by nothing that is always 0.
    expect(dim).toBeDefined()
    expect(evaluate(dim!, values)).toBe(expected)
  }
}

describe('values', () => {
  it('are those of direct evaluation', () => {
    fc.assert(
      fc.property(expressions, someSizes, (expression, points) => {
        expectSameValues(build(expression), expression, points)
      }),
      RUNS,
    )
  })

  it('stay the same after printing and parsing', () => {
    fc.assert(
      fc.property(expressions, someSizes, (expression, points) => {
        const dim = build(expression)
        if (dim !== undefined && isOpen(dim)) expectSameValues(parse(format(dim), symbolOf), expression, points)
      }),
      RUNS,
    )
  })

  it('are those of the replaced expression after substitution', () => {
    fc.assert(
      fc.property(expressions, expressions, someSizes, (outer, inner, points) => {
        const [dim, by] = [build(outer), build(inner)]
        if (dim === undefined || by === undefined) return
        const replaced = orUndefined(() => substitute(dim, new Map([['k', by]])))
        for (const values of points) {
          const k = referenceValue(inner, values)
          if (k === undefined) continue
          const expected = referenceValue(outer, { ...values, k })
          if (expected !== undefined) expect(evaluate(replaced!, values)).toBe(expected)
        }
      }),
      RUNS,
    )
  })

  it('are constants after substitution of all symbols', () => {
    fc.assert(
      fc.property(expressions, someSizes, (expression, [values]) => {
        const expected = referenceValue(expression, values!)
        if (expected === undefined) return
        expect(substitute(build(expression)!, new Map(Object.entries(values!))).key).toBe(String(expected))
      }),
      RUNS,
    )
  })
})

/** An answer holds for every value; undefined claims nothing. */
function expectTrue(
  answer: Certainty,
  holds: (values: Values) => boolean | undefined,
  points: readonly Values[],
): void {
  if (answer === undefined) return
  for (const values of points) {
    const actual = holds(values)
    if (actual !== undefined) expect(actual).toBe(answer)
  }
}

describe('what is certain', () => {
  it('is never contradicted: bounds', () => {
    fc.assert(
      fc.property(expressions, someSizes, (expression, points) => {
        const dim = build(expression)
        if (dim === undefined) return
        const { min, max } = bounds(dim)
        for (const values of points) {
          const value = referenceValue(expression, values)
          if (value === undefined) continue
          expect(value >= min && value <= max).toBe(true)
        }
      }),
      RUNS,
    )
  })

  it('is never contradicted: comparisons, divisibility, equal forms', () => {
    fc.assert(
      fc.property(expressions, expressions, someSizes, (left, right, points) => {
        const [a, b] = [build(left), build(right)]
        if (a === undefined || b === undefined) return
        const both = (compare: (x: bigint, y: bigint) => boolean) => (values: Values) => {
          const [x, y] = [referenceValue(left, values), referenceValue(right, values)]
          return x === undefined || y === undefined ? undefined : compare(x, y)
        }
        expectTrue(
          isEqual(a, b),
          both((x, y) => x === y),
          points,
        )
        expectTrue(
          isLess(a, b),
          both((x, y) => x < y),
          points,
        )
        expectTrue(
          isAtMost(a, b),
          both((x, y) => x <= y),
          points,
        )
        if (a.key === b.key)
          expectTrue(
            true,
            both((x, y) => x === y),
            points,
          )
        const divides = both((x, y) => y === 0n || x % y === 0n)
        expectTrue(
          orUndefined(() => isDivisible(a, b)),
          (values) => (referenceValue(right, values) === 0n ? undefined : divides(values)),
          points,
        )
      }),
      RUNS,
    )
  })

  it('is never contradicted: an expression against itself in other words', () => {
    fc.assert(
      fc.property(expressions, fc.bigInt({ min: -3n, max: 3n }), (expression, offset) => {
        const dim = build(expression)
        if (dim === undefined) return
        const other = add(dim, offset)
        expect(isEqual(dim, other)).toBe(offset === 0n)
        expect(isLess(dim, other)).toBe(offset > 0n)
        expect(isAtMost(dim, other)).toBe(offset >= 0n)
      }),
      RUNS,
    )
  })
})

describe('the canonical form', () => {
  it('does not depend on the order of sums and products, nor on where they are expanded', () => {
    fc.assert(
      fc.property(expressions, expressions, expressions, (...all) => {
        const [a, b, c] = all.map(build)
        if (a === undefined || b === undefined || c === undefined) return
        if (!isOpen(mul(a, add(b, c))) || !isOpen(mul(mul(a, b), c))) return
        expect(add(a, b).key).toBe(add(b, a).key)
        expect(mul(a, b).key).toBe(mul(b, a).key)
        expect(add(add(a, b), c).key).toBe(add(a, add(b, c)).key)
        expect(mul(mul(a, b), c).key).toBe(mul(a, mul(b, c)).key)
        expect(mul(a, add(b, c)).key).toBe(add(mul(a, b), mul(a, c)).key)
        expect(sub(add(a, b), b).key).toBe(a.key)
      }),
      RUNS,
    )
  })

  it('has no term twice, none that is 0, and all in order', () => {
    const expectOrder = ({ terms }: Dim): void => {
      for (const [i, { coefficient, monomial }] of terms.entries()) {
        expect(coefficient).not.toBe(0n)
        if (i > 0) expect(compareMonomials(terms[i - 1]!.monomial, monomial)).toBeLessThan(0)
        const keys = monomial.factors.map(({ atom }) => atom.key)
        expect(keys).toEqual([...new Set(keys)].sort())
      }
    }
    fc.assert(
      fc.property(expressions, (expression) => {
        const dim = build(expression)
        if (dim === undefined) return
        expectOrder(dim)
        for (const atom of atomsOf(dim)) for (const part of partsOf(atom)) expectOrder(part)
      }),
      RUNS,
    )
  })

  it('is the same after printing and parsing', () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        const dim = build(expression)
        if (dim === undefined || !isOpen(dim)) return
        const text = format(dim)
        const back = parse(text, symbolOf)
        expect(back.key).toBe(dim.key)
        expect(format(back)).toBe(text)
      }),
      FORMS,
    )
  })

  it.each([
    ['without what it never joins', truncMod(floorMod(truncDiv(1, k), 2), 1)],
    ['with a product multiplied into an extreme later', max(add(truncMod(M, neg(N)), N), neg(k))],
    ['with an extreme among what all members share', abs(mul(max(N, k), add(N, s)))],
  ])('is printed %s', (_, dim) => {
    expect(parse(format(dim), symbolOf).key).toBe(dim.key)
  })

  it('decides equality of polynomials', () => {
    fc.assert(
      fc.property(polynomials, polynomials, (left, right) => {
        const [a, b] = [build(left)!, build(right)!]
        // Values far apart tell any two different polynomials of this size apart.
        const values = { N: 10n ** 9n + 7n, M: 10n ** 60n + 3n, C: 10n ** 300n, k: 10n ** 1500n + 1n, s: 10n ** 6000n }
        expect(a.key === b.key).toBe(referenceValue(left, values) === referenceValue(right, values))
      }),
      { numRuns: 250 },
    )
  })

  it('is what building it again from its own parts gives', () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        const dim = build(expression)
        if (dim === undefined) return
        const again = substitute(dim, new Map(['N', 'M', 'C', 'k', 's'].map((name) => [name, symbolOf(name)])))
        if (isOpen(dim)) expect(again.key).toBe(dim.key)
      }),
      FORMS,
    )
  })
})

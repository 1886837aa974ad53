// Equations against trying every value, and what facts make of Dims that hold the symbols they are about.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bounds,
  constant,
  evaluate,
  Facts,
  format,
  type Learned,
  max,
  parse,
  type Solution,
  solve,
  sub,
  substitute,
  symbol,
} from '../../src/dims/index.ts'
import { build, expressions, orUndefined, referenceValue, sizes, someSizes } from './support/expression.ts'

const text = (solution: Solution | undefined): string => {
  if (solution === undefined) return 'open'
  if (solution.kind === 'is') return `${format(solution.symbol)} = ${format(solution.value)}`
  if (solution.kind !== 'within') return solution.kind
  return `${format(solution.symbol)} in ${solution.ranges.map(({ min, max }) => `${min}..${max}`).join(' ')}`
}

describe('equations', () => {
  it.each([
    ['2*N + 1', '1', 'N in 0..0'],
    ['2*N + 1', '2', 'never'],
    ['2*N', '2*M', 'N = M'],
    ['2*N + M', '4*K', 'M = 4*K - 2*N'],
    ['2*N', '4*K', 'N = 2*K'],
    ['floor((H + 1)/2)', '4', 'H in 7..8'],
    ['floor((H + 15)/16)', '14', 'H in 209..224'],
    ['max(N, 3)', '3', 'N in 0..3'],
    ['min(N, 3)', '3', 'N in 3..Infinity'],
    ['5 - N', '2', 'N in 3..3'],
    ['N*N', '49', 'N in 7..7'],
    ['N*N', '50', 'never'],
    ['N*M', '4', 'open'],
    ['mod(N, 4)', '1', 'open'],
    ['N', 'floor(N/2) + floor((N + 1)/2)', 'always'],
    ['N', 'N + 1', 'never'],
  ])('%s = %s: %s', (left, right, expected) => {
    expect(text(solve(parse(left), parse(right)))).toBe(expected)
  })

  it('symbols of few values are tried one by one', () => {
    const s = symbol('s', { min: -3, max: 20 })
    expect(
      text(
        solve(
          parse('mod(s, 4)', () => s),
          1,
        ),
      ),
    ).toBe('s in -3..-3 1..1 5..5 9..9 13..13 17..17')
    expect(
      text(
        solve(
          parse('s*s', () => s),
          4,
        ),
      ),
    ).toBe('s in -2..-2 2..2')
    expect(
      text(
        solve(
          parse('floor(8/s)', () => s),
          8,
        ),
      ),
    ).toBe('s in 1..1')
  })

  it('a symbol without lower bound is found on both sides of 0', () => {
    const k = symbol('k', { min: null })
    expect(
      text(
        solve(
          parse('floor(k/3)', () => k),
          -5,
        ),
      ),
    ).toBe('k in -15..-13')
    expect(
      text(
        solve(
          parse('3 - 2*k', () => k),
          1001,
        ),
      ),
    ).toBe('k in -499..-499')
    expect(text(solve(max(symbol('k', { min: null, max: 5 }), 2), 2))).toBe('k in -Infinity..2')
  })

  it('hold for exactly the values that solve them', () => {
    fc.assert(
      fc.property(expressions, expressions, someSizes, (left, right, points) => {
        const [a, b] = [build(left), build(right)]
        const solution = a && b && solve(a, b)
        if (solution === undefined) return
        for (const values of points) {
          const [x, y] = [referenceValue(left, values), referenceValue(right, values)]
          if (x === undefined || y === undefined) continue
          expect(holds(solution, values)).toBe(x === y)
        }
      }),
      { numRuns: 500 },
    )
  })

  const holds = (solution: Solution, values: Readonly<Record<string, bigint>>): boolean | undefined => {
    if (solution.kind === 'always' || solution.kind === 'never') return solution.kind === 'always'
    const symbolValue = evaluate(solution.symbol, values)
    if (solution.kind === 'is') return orUndefined(() => evaluate(solution.value, values)) === symbolValue
    return solution.ranges.some(({ min, max }) => symbolValue >= min && symbolValue <= max)
  }
})

describe('facts', () => {
  it('symbols have the usual bounds unless declared otherwise', () => {
    const facts = new Facts({ min: 1 })
    expect(max(facts.symbol('N'), 1).key).toBe('N')
    expect(bounds(facts.symbol('k', { min: -2, max: 7 }))).toEqual({ min: -2n, max: 7n })
    expect(facts.symbol('k')).toBe(facts.symbol('k'))
    expect(() => facts.symbol('k', { min: 0 })).toThrow(expect.objectContaining({ code: 'DIM_VALUE' }))
  })

  it('fresh symbols are unlike all others', () => {
    const facts = new Facts()
    facts.symbol('nonzero_2')
    expect(['nonzero', 'nonzero', 'nonzero'].map((name) => facts.fresh(name).key)).toEqual([
      'nonzero',
      'nonzero_3',
      'nonzero_4',
    ])
    expect(bounds(facts.fresh('count', { max: 9 }))).toEqual({ min: 0n, max: 9n })
  })

  it('equations take effect wherever their symbols stand', () => {
    const facts = new Facts()
    const dim = parse('floor(N*M/4) + max(N, K)')
    expect(facts.equate(symbol('N'), 4)).toBe('learned')
    expect(format(facts.apply(dim))).toBe('M + max(K, 4)')
    expect(facts.equate(symbol('K'), symbol('M'))).toBe('learned')
    expect(format(facts.apply(dim))).toBe('M + max(M, 4)')
    expect(facts.equate(parse('2*M'), parse('N + 6'))).toBe('learned')
    expect(format(facts.apply(dim))).toBe('10')
    expect(facts.equate(parse('K'), 5)).toBe('known')
    expect(facts.equate(parse('K'), 6)).toBe('contradiction')
    expect(facts.equate(parse('A*B'), 6)).toBe('open')
    expect(format(facts.apply(dim))).toBe('10')
  })

  it('symbols that are one have the bounds of both', () => {
    const facts = new Facts()
    const [N, M] = [facts.symbol('N', { min: 2 }), facts.symbol('M', { max: 9 })]
    expect(facts.equate(N, M)).toBe('learned')
    expect(bounds(facts.apply(N))).toEqual({ min: 2n, max: 9n })
    expect(bounds(facts.apply(M))).toEqual({ min: 2n, max: 9n })
    expect(facts.apply(sub(N, M)).key).toBe('0')
    expect(facts.atLeast(N, 9n)).toBe('learned')
    expect(facts.apply(M).key).toBe('9')
  })

  it('tighter bounds take effect, others contradict or are known', () => {
    const facts = new Facts()
    const N = facts.symbol('N')
    const dim = max(N, 4)
    expect(facts.atLeast(sub(100, N), 0n)).toBe('learned')
    expect(format(facts.apply(dim))).toBe('max(N, 4)')
    expect(facts.atLeast(N, 4n)).toBe('learned')
    expect(facts.apply(dim).key).toBe('N')
    expect(facts.atLeast(N, 2n)).toBe('known')
    expect(facts.atLeast(sub(3, N), 0n)).toBe('contradiction')
    expect(facts.equate(parse('floor(N/10)'), 7)).toBe('learned')
    expect(bounds(facts.apply(facts.symbol('N')))).toEqual({ min: 70n, max: 79n })
  })

  it.each<[string, number, Learned, Record<string, bigint | number>]>([
    ['floor((N - 3)/4) + 1', 1, 'learned', { min: 3n, max: 40n }],
    ['7 - 2*floor(N/3)', 1, 'learned', { min: 0n, max: 11n }],
    ['max(N - 8, 2*N - 30)', 5, 'learned', { min: 13n, max: 40n }],
    ['N^2 + floor(N/2)', 5, 'learned', { min: 2n, max: 40n }],
    ['N - floor(N/2)', 0, 'known', { min: 0n, max: 40n }],
    ['floor(N/2) - 21', 0, 'contradiction', { min: 0n, max: 40n }],
    ['N - 3*floor(N/2)', 0, 'open', { min: 0n, max: 40n }],
    ['N - M', 0, 'open', { min: 0n, max: 40n }],
  ])('%s is at least %s: %s', (text, least, told, range) => {
    const facts = new Facts()
    const N = facts.symbol('N', { max: 40 })
    expect(facts.atLeast(substitute(parse(text), new Map([['N', N]])), BigInt(least))).toBe(told)
    expect(bounds(facts.apply(N))).toEqual(range)
  })

  it('agree with every size that satisfies what was learned', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(expressions, sizes), { minLength: 1, maxLength: 3 }),
        expressions,
        sizes,
        (told, of, values) => {
          const facts = new Facts()
          const dim = build(of)
          const expected = referenceValue(of, values)
          if (dim === undefined || expected === undefined) return
          for (const [expression] of told) {
            // Everything learned is true of these values.
            const [left, right] = [build(expression), referenceValue(expression, values)]
            if (left === undefined || right === undefined) continue
            expect(facts.atLeast(left, right - 1n)).not.toBe('contradiction')
            expect(facts.equate(left, right)).not.toBe('contradiction')
          }
          expect(evaluate(facts.apply(dim), values)).toBe(expected)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('substitution replaces all symbols at once', () => {
    const swapped = substitute(
      parse('N - 2*M'),
      new Map([
        ['N', symbol('M')],
        ['M', symbol('N')],
      ]),
    )
    expect(format(swapped)).toBe('M - 2*N')
    expect(
      substitute(
        parse('floor(N/M)'),
        new Map([
          ['N', constant(7)],
          ['M', constant(2)],
        ]),
      ).key,
    ).toBe('3')
  })
})

// Chains of operations that would explode: they end in time, stay within the limits, and keep their values.
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../../testing/processor-time.ts'
import { MAX_DEGREE, MAX_TERMS, MAX_WEIGHT } from '../../src/dims/dim.ts'
import {
  add,
  bounds,
  clamp,
  constant,
  type Dim,
  evaluate,
  floorDiv,
  format,
  isAtMost,
  isEqual,
  max,
  min,
  mul,
  parse,
  product,
  sub,
  substitute,
  sum,
  symbol,
  symbolsOf,
  truncDiv,
} from '../../src/dims/index.ts'
import { FAR } from '../../src/dims/interval.ts'

const symbols = (count: number, name = 'x'): Dim[] => Array.from({ length: count }, (_, i) => symbol(`${name}${i}`))
const valuesFor = (dim: Dim, value: bigint): Record<string, bigint> =>
  Object.fromEntries(symbolsOf(dim).map((name) => [name, value]))

function expectWithinLimits(dim: Dim): void {
  expect(dim.terms.length).toBeLessThanOrEqual(MAX_TERMS)
  expect(dim.weight).toBeLessThanOrEqual(MAX_WEIGHT)
}

/** Applies a step again and again, checking every result against the same step over bigint. */
function chain(length: number, step: (dim: Dim) => Dim, meaning: (value: bigint) => bigint): Dim {
  let dim: Dim = symbol('N')
  let value = 5n
  for (let i = 0; i < length; i++) {
    dim = step(dim)
    value = meaning(value)
    expectWithinLimits(dim)
  }
  expect(evaluate(dim, { N: 5 })).toBe(value)
  return dim
}

describe('growth', () => {
  it('of floors over squares', () => {
    // The value has a cycle, so that it stays small.
    const dim = chain(
      300,
      (x) => sub(floorDiv(add(mul(x, x), add(x, 1)), 3), mul(17, floorDiv(floorDiv(add(mul(x, x), add(x, 1)), 3), 17))),
      (x) => ((x * x + x + 1n) / 3n) % 17n,
    )
    expect(format(dim).length).toBeLessThan(20_000)
    expect(symbolsOf(dim)).toEqual(['N'])
  })

  it('of nested extremes', () => {
    let [low, high] = [symbol('a') as Dim, symbol('b') as Dim]
    for (let i = 0; i < 60; i++) [low, high] = [min(add(low, high), mul(high, 2)), max(sub(high, low), mul(low, 2))]
    expectWithinLimits(low)
    expectWithinLimits(high)
    let [a, b] = [3n, 10n]
    const least = (x: bigint, y: bigint): bigint => (x < y ? x : y)
    const most = (x: bigint, y: bigint): bigint => (x > y ? x : y)
    for (let i = 0; i < 60; i++) [a, b] = [least(a + b, b * 2n), most(b - a, a * 2n)]
    expect(evaluate(low, { a: 3, b: 10 })).toBe(a)
    expect(evaluate(high, { a: 3, b: 10 })).toBe(b)
  })

  it('of products of sums', () => {
    const dim = product(Array.from({ length: 20 }, (_, i) => sum(symbols(4, `s${i}_`))))
    expectWithinLimits(dim)
    expect(evaluate(dim, valuesFor(dim, 1n))).toBe(4n ** 20n)
  })

  it('of divisions by divisions', () => {
    chain(
      200,
      (x) => add(floorDiv(mul(x, 7), add(floorDiv(x, 3), 1)), 1),
      (x) => (x * 7n) / (x / 3n + 1n) + 1n,
    )
    chain(
      200,
      (x) => truncDiv(sub(mul(x, 3), 20), 2),
      (x) => (x * 3n - 20n) / 2n,
    )
  })

  it('of long sums is linear, and the sum is still exact', () => {
    const dim = sum(symbols(1000))
    expectWithinLimits(dim)
    expect(bounds(dim).min).toBe(0n)
    expect(evaluate(dim, valuesFor(dim, 3n))).toBe(3000n)
    expect(sub(dim, dim).key).toBe('0')
    expect(sum(symbols(1000).reverse()).key).toBe(dim.key)
  })

  it('of powers', () => {
    const [A, B, C] = ['A', 'B', 'C'].map((name) => symbol(name, { min: 1 })) as [Dim, Dim, Dim]
    let power = add(A, 0)
    for (let i = 0; i < 60; i++) power = mul(power, power)
    expect(power.terms[0]!.monomial.degree).toBeLessThanOrEqual(MAX_DEGREE)
    // A division of so many steps is given up.
    const high = parse('A^60', () => A)
    expect(format(floorDiv(high, sum([A, B, C])))).toBe('floor(A^60/(A + B + C))')
    expect(floorDiv(mul(high, sum([A, B, C])), sum([A, B, C])).key).toBe(high.key)
  })

  it('of the digits in bounds and coefficients', () => {
    const isShort = (bound: bigint | number): boolean => typeof bound === 'number' || (bound <= FAR && bound >= -FAR)
    const N: Dim = symbol('N', { min: 2, max: 9 })
    let [square, twice] = [N, N]
    for (let i = 0; i < 500; i++) {
      square = add(mul(square, square), square)
      twice = add(twice, twice)
      for (const dim of [square, twice, sub(0, square), floorDiv(square, 3), max(square, twice)]) {
        const { min: least, max: most } = bounds(dim)
        expect([dim.terms.every(({ coefficient }) => isShort(coefficient)), isShort(least), isShort(most)]).toEqual([
          ...[true, true, true],
        ])
      }
    }
    // What is cut off is still true.
    expect(bounds(square)).toEqual({ min: FAR, max: Number.POSITIVE_INFINITY })
    expect(bounds(sub(0, square))).toEqual({ min: Number.NEGATIVE_INFINITY, max: -FAR })
    expect(evaluate(twice, { N: 3 })).toBe(3n * 2n ** 500n)
    expect([isAtMost(3, square), isEqual(square, 5), isEqual(2n ** 100n, 2n ** 101n)]).toEqual([true, false, false])
    expect(bounds(constant(2n ** 100n)).min).toBe(FAR)
  })

  it('of many members', () => {
    const dim = max(...symbols(150))
    expect(evaluate(dim, { ...valuesFor(dim, 3n), x77: 9n })).toBe(9n)
    expectWithinLimits(max(...symbols(500)))
  })

  it('closed expressions are still open to substitution', () => {
    const dim = sum(symbols(1000))
    const known = substitute(dim, new Map(symbols(999).map(({ key }) => [key, 1])))
    expect(format(known)).toBe('x999 + 999')
  })
})

describe('speed', () => {
  it('a hundred thousand typical operations take no seconds', () => {
    const [N, C, H, W] = ['N', 'C', 'H', 'W'].map((name) => symbol(name, { min: 1 })) as [Dim, Dim, Dim, Dim]
    const half = (size: Dim): Dim => add(floorDiv(sub(add(size, 2), 3), 2), 1)
    // One stage of a network: 27 operations.
    const stage = (h: Dim, w: Dim): readonly [Dim, Dim] => {
      const [down, across] = [half(h), half(w)]
      truncDiv(mul(mul(N, C), mul(down, across)), mul(down, across))
      const start = clamp(floorDiv(down, 2), 0, down)
      sub(clamp(down, 0, down), start)
      max(add(down, across), 1)
      isEqual(down, across)
      isAtMost(start, down)
      return [down, across]
    }
    const stages = (count: number): void => {
      for (let i = 0, size: readonly [Dim, Dim] = [H, W]; i < count; i++)
        size = i % 5 === 0 ? stage(H, W) : stage(...size)
    }
    stages(500)
    expect(processorTime(() => stages(Math.ceil(100_000 / 27)))).toBeLessThan(4000)
  })

  it('comparisons that cannot be decided end soon', () => {
    const deep = parse('max(min(floor(a/2), max(b, floor(c/3))), min(max(floor(b/5), c), floor(a*b/7)))')
    const other = parse('min(max(floor(c/2), min(a, floor(b/3))), max(min(floor(c/5), b), floor(a*c/7)))')
    const spent = processorTime(() => {
      for (let i = 0; i < 100; i++) expect(isAtMost(add(deep, i), other)).toBeUndefined()
    })
    expect(spent).toBeLessThan(4000)
  })
})

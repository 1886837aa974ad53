// Derivatives against what they mean: how much a result moves when an operand moves a little. Rational operators are
// asked exactly, functions in float64. Kinks are passed over: slopes differ on their two sides, or the result jumps.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Attributes, partials, type Rational, rational, SpecError, scalar, type Value } from '../src/index.ts'
import { compare, minus, over, plus } from '../src/rational.ts'

const RATIONAL = {
  ...{ Add: 2, Sub: 2, Mul: 2, Div: 2, SquaredDifference: 2, PRelu: 2, Max: 3, Min: 3, Sum: 3, Mean: 3 },
  ...{ Neg: 1, Abs: 1, Relu: 1, Reciprocal: 1, Floor: 1, Ceil: 1, Round: 1, Sign: 1, Identity: 1 },
}

const number = (value: Value | undefined): number => Number((value as Rational).n) / Number((value as Rational).d)

describe('rational operators', () => {
  const element = fc
    .tuple(fc.integer({ min: -30, max: 30 }), fc.integer({ min: 1, max: 7 }))
    .map(([n, d]) => rational(BigInt(n), BigInt(d)))
  const step = rational(1n, 1n << 40n)

  it.each(Object.entries(RATIONAL))('%s', (operator, count) => {
    const apply = scalar(operator, 'real')
    let met = 0
    fc.assert(
      fc.property(fc.array(element, { minLength: count, maxLength: count }), (args) => {
        if (/Div|Reciprocal/.test(operator)) fc.pre(args.at(-1)!.n !== 0n)
        const slopes = partials(operator, 'real')(...args)
        expect(slopes).toHaveLength(count)
        args.forEach((x, i) => {
          const at = (value: Rational): Rational => apply(...args.with(i, value)) as Rational
          const right = over(minus(at(plus(x, step)), at(x)), step)
          const left = over(minus(at(x), at(minus(x, step))), step)
          const jumps = Math.abs(number(left)) > 1e6
          if (jumps || Math.abs(number(right) - number(left)) > 1e-3) return
          met++
          expect(number(slopes[i] as Rational)).toBeCloseTo(number(left), 4)
        })
      }),
      { numRuns: 60 },
    )
    expect(met).toBeGreaterThan(20)
  })

  it('Pow moves with its base alone', () => {
    const [slope, none] = partials('Pow', 'real')(rational(2n, 3n), rational(-2n))
    expect(compare(slope as Rational, rational(-27n, 4n))).toBe(0)
    expect(none).toBeUndefined()
    expect(partials('Pow', 'real')(rational(0n), rational(0n))).toEqual([rational(0n), undefined])
  })

  it('Where passes to the side that it takes', () => {
    expect(partials('Where', 'real')(true, rational(5n), rational(7n))).toEqual([undefined, rational(1n), rational(0n)])
    expect(partials('Where', 'float32')(false, 5, 7)).toEqual([undefined, 0, 1])
  })

  it('shares among ties', () => {
    const [x, y] = [rational(1n), rational(2n)]
    const third = rational(1n, 3n)
    expect(partials('Max', 'real')(y, y, x, y)).toEqual([third, third, rational(0n), third])
    expect(partials('Min', 'real')(y, y, x, y)).toEqual([rational(0n), rational(0n), rational(1n), rational(0n)])
  })
})

const FLOATS: readonly [operator: string, attributes: Attributes, least: number[]][] = [
  ...['Exp', 'Tanh', 'Sigmoid', 'Sin', 'Cos', 'Atan', 'Erf', 'Softplus'].map(
    (operator): [string, Attributes, number[]] => [operator, {}, [-4]],
  ),
  ...['Log', 'Sqrt'].map((operator): [string, Attributes, number[]] => [operator, {}, [0.25]]),
  ['Pow', {}, [0.25, -4]],
  ['Elu', { alpha: 0.3 }, [-4]],
  ['Gelu', {}, [-4]],
  ['Gelu', { approximate: 'tanh' }, [-4]],
  ['LeakyRelu', {}, [-4]],
  ['LeakyRelu', { alpha: 0.3 }, [-4]],
  ['HardSigmoid', {}, [-4]],
  ['HardSigmoid', { alpha: -1.5, beta: 0.3 }, [-4]],
  ['Clip', {}, [-4, -4, -4]],
  ['Mod', { fmod: true }, [-4, 0.25]],
  ['FloorMod', {}, [-4, -8]],
]

describe('operators on floats', () => {
  it.each(FLOATS)('%s %o', (operator, attributes, least) => {
    const apply = scalar(operator, 'float64', attributes) as (...args: number[]) => number
    const step = 2 ** -14
    let met = 0
    // Where operands are equal there may be a kink that differences do not show: bounds of Clip that meet pin its operand.
    const eighthsOf = fc
      .tuple(...least.map((low) => fc.integer({ min: low * 8 + 1, max: 31 })))
      .filter((eighths) => new Set(eighths).size === eighths.length)
    fc.assert(
      fc.property(eighthsOf, (eighths) => {
        const args = eighths.map((x) => x / 8 + 0.03)
        const slopes = partials(operator, 'float64', attributes)(...args)
        args.forEach((x, i) => {
          const at = (value: number): number => apply(...args.with(i, value))
          const [right, left] = [(at(x + step) - at(x)) / step, (at(x) - at(x - step)) / step]
          if (Math.abs(right - left) > 0.01 * Math.max(1, Math.abs(left))) return
          met++
          const slope = slopes[i] as number
          expect(Math.abs(slope - (left + right) / 2)).toBeLessThan(1e-4 * Math.max(1, Math.abs(slope)))
        })
      }),
      { numRuns: 15 },
    )
    expect(met).toBeGreaterThan(8)
  })

  it('have none for integers, and none where there is none', () => {
    expect(() => partials('Add', 'int32')).toThrow(SpecError)
    expect(() => partials('Equal', 'float32')).toThrow('the derivative of Equal is not defined for float32')
    expect(() => partials('Exp', 'real')).toThrow(SpecError)
  })
})

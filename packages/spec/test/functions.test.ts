// The functions: proved bounds, correct rounding, and the measure of error, against tabulated values, against exact
// powers, and against the machine's own functions, which are close enough to catch any blunder.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bitsToNumber,
  compare,
  correctlyRounded,
  enclose,
  exact,
  type FunctionArgument,
  type FunctionName,
  floatTypes,
  largest,
  numberToBits,
  type Rational,
  rational,
  roundNumber,
  ulpError,
} from '../src/index.ts'
import { minus, plus, powerOfTwo, times } from '../src/rational.ts'
import { functionValues } from './functionValues.ts'

const parse = (digits: string): { value: Rational; slack: Rational } => {
  const [, sign, whole, fraction, exponent] = digits.match(/^(-?)(\d)\.(\d+)(?:e([+-]\d+))?$/)!
  const scale = Number(exponent ?? 0) - fraction!.length
  const power = scale >= 0 ? rational(10n ** BigInt(scale)) : rational(1n, 10n ** BigInt(-scale))
  return { value: times(rational(BigInt(`${sign}${whole}${fraction}`)), power), slack: power }
}

/** erf as its Taylor series, which is close while x is small; beyond 3 the machine has nothing to compare with. */
function erfSeries(x: number): number {
  if (Math.abs(x) > 3) return Number.NaN
  let [term, sum] = [x, x]
  for (let n = 1; n < 100; n++) {
    term *= -(x * x) / n
    sum += term / (2 * n + 1)
  }
  return (2 / Math.sqrt(Math.PI)) * sum
}

const machine: Record<FunctionName, (x: number, y: number) => number> = {
  Exp: Math.exp,
  Log: Math.log,
  Tanh: Math.tanh,
  Sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  Pow: (x, y) => x ** y,
  Sin: Math.sin,
  Cos: Math.cos,
  Atan: Math.atan,
  Erf: erfSeries,
  Softplus: (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))),
  Elu: (x, alpha) => (x < 0 ? alpha * Math.expm1(x) : x),
  Gelu: (x) => (x === -Infinity ? -0 : (x / 2) * (1 + erfSeries(x / Math.SQRT2))),
  GeluTanh: (x) => (x === -Infinity ? -0 : x / (1 + Math.exp(-Math.sqrt(8 / Math.PI) * (x + 0.044715 * x ** 3)))),
}
const unary: FunctionName[] = ['Exp', 'Log', 'Tanh', 'Sigmoid', 'Sin', 'Cos', 'Atan', 'Erf', 'Softplus']

describe('tabulated values', () => {
  it.each(functionValues)('%s %j lies within its bounds', (fn, args, digits) => {
    const { value, slack } = parse(digits)
    for (const bits of [30, 80, 140]) {
      const { lo, hi } = enclose(fn, args, bits)
      expect(compare(lo, plus(value, slack))).toBeLessThanOrEqual(0)
      expect(compare(hi, minus(value, slack))).toBeGreaterThanOrEqual(0)
      const width = minus(hi, lo)
      const size = compare(value, rational(0n)) < 0 ? times(value, rational(-1n)) : value
      expect(compare(width, times(size, powerOfTwo(-bits)))).toBeLessThanOrEqual(0)
    }
  })
  it.each(functionValues)('%s %j is rounded correctly to every format', (fn, args, _digits, patterns) => {
    for (const [i, pattern] of patterns.split(' ').entries()) {
      if (pattern === '-') continue
      const dtype = floatTypes[i]!
      expect(numberToBits(dtype, correctlyRounded(fn, args, dtype))).toBe(BigInt(`0x${pattern}`))
    }
  })
})

describe('exact cases end', () => {
  it('powers that are ties round to even, as the machine’s product does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 47453133, max: 67108863 }), (k) => {
        // An odd number whose square has 54 digits: an exact tie.
        const x = 2 * k + 1
        expect(correctlyRounded('Pow', [x, 2], 'float64')).toBe(x * x)
      }),
      { numRuns: 200 },
    )
    expect(correctlyRounded('Pow', [94906267, 2], 'float64')).toBe(9007199515875288)
    expect(correctlyRounded('Pow', [-47, 2n], 'float16')).toBe(2208)
    expect(correctlyRounded('Pow', [-13, 3n], 'float16')).toBe(-2196)
    expect(correctlyRounded('Pow', [49 ** 4, 0.5], 'float16')).toBe(2400)
    expect(correctlyRounded('Pow', [16, 0.75], 'float32')).toBe(8)
    expect(correctlyRounded('Pow', [2 ** -1074, 0.5], 'float64')).toBe(2 ** -537)
    expect(correctlyRounded('Pow', [2, -1074.0], 'float64')).toBe(Number.MIN_VALUE)
    expect(correctlyRounded('Pow', [2, -1075.0], 'float64')).toBe(0)
    expect(correctlyRounded('Pow', [2, -149.5], 'float32')).toBe(2 ** -149)
    expect(correctlyRounded('Pow', [2, -150n], 'float32')).toBe(0)
  })
  it('first and inverse powers and square roots are those of IEEE arithmetic', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: Number.MIN_VALUE }), (x) => {
        expect(correctlyRounded('Pow', [x, 1], 'float64')).toBe(x)
        expect(correctlyRounded('Pow', [x, -1], 'float64')).toBe(1 / x)
        expect(correctlyRounded('Pow', [x, 0.5], 'float64')).toBe(Math.sqrt(x))
        expect(correctlyRounded('Pow', [-x, 2], 'float64')).toBe(x * x)
      }),
      { numRuns: 300 },
    )
  })
  it('known points', () => {
    for (const dtype of floatTypes) {
      expect(correctlyRounded('Exp', [-0], dtype)).toBe(1)
      expect(correctlyRounded('Log', [1], dtype)).toBe(0)
      expect(correctlyRounded('Tanh', [-0], dtype)).toBe(-0)
      expect(correctlyRounded('Tanh', [-Infinity], dtype)).toBe(-1)
      expect(correctlyRounded('Sigmoid', [-Infinity], dtype)).toBe(0)
      expect(correctlyRounded('Sigmoid', [Infinity], dtype)).toBe(1)
      expect(correctlyRounded('Exp', [-Infinity], dtype)).toBe(0)
      expect(correctlyRounded('Log', [-0], dtype)).toBe(-Infinity)
      expect(correctlyRounded('Log', [-1], dtype)).toBeNaN()
      expect(correctlyRounded('Sigmoid', [0], dtype)).toBe(0.5)
      for (const fn of unary) expect(correctlyRounded(fn, [Number.NaN], dtype)).toBeNaN()
    }
  })
  it('known points of the periodic functions, the error function and the activations', () => {
    for (const dtype of floatTypes) {
      const at = (fn: FunctionName, ...xs: number[]) => xs.map((x) => correctlyRounded(fn, [x], dtype))
      expect(at('Sin', 0, -0, Infinity, -Infinity)).toEqual([0, -0, Number.NaN, Number.NaN])
      expect(at('Cos', 0, -0, Infinity, -Infinity)).toEqual([1, 1, Number.NaN, Number.NaN])
      const quarter = roundNumber(dtype, Math.PI / 2)
      expect(at('Atan', 0, -0, Infinity, -Infinity)).toEqual([0, -0, quarter, -quarter])
      expect(at('Erf', 0, -0, Infinity, -Infinity)).toEqual([0, -0, 1, -1])
      expect(at('Softplus', Infinity, -Infinity)).toEqual([Infinity, 0])
      for (const fn of ['Gelu', 'GeluTanh'] as const) {
        expect(at(fn, 0, -0, Infinity, -Infinity)).toEqual([0, -0, Infinity, -0])
        expect(at(fn, -1000, -3e4)).toEqual([-0, -0])
        expect(correctlyRounded(fn, [-Number.MAX_VALUE], dtype)).toBe(-0)
        expect(correctlyRounded(fn, [Number.NaN], dtype)).toBeNaN()
      }
    }
  })
  it('Elu multiplies by any alpha as IEEE arithmetic does', () => {
    const elu = (x: number, alpha: number, dtype: (typeof floatTypes)[number] = 'float32') =>
      correctlyRounded('Elu', [x, alpha], dtype)
    expect([elu(0, 5), elu(-0, 5), elu(2, 5), elu(Infinity, 5)]).toEqual([0, -0, 2, Infinity])
    expect([elu(-1, 0), elu(-1, -0), elu(-1, Infinity), elu(-1, -Infinity)]).toEqual([-0, 0, -Infinity, Infinity])
    expect([elu(-Infinity, 2), elu(-Infinity, 0), elu(-1000, 2)]).toEqual([-2, -0, -2])
    expect([elu(Number.NaN, 1), elu(-1, Number.NaN)]).toEqual([Number.NaN, Number.NaN])
    // At -infinity the value is -alpha, which a narrow type may have to round.
    expect(elu(-Infinity, 1 + 2 ** -20, 'float16')).toBe(-1)
    expect(elu(-1, 1e300, 'float32')).toBe(-Infinity)
  })
  it('arguments without bounds overflow, underflow or saturate', () => {
    const huge = Number.MAX_VALUE
    expect(unary.map((fn) => correctlyRounded(fn, [huge], 'float64'))).toEqual([
      ...[Infinity, 709.782712893384, 1, 1, 0.004961954789184062, -0.9999876894265599, Math.PI / 2, 1, huge],
    ])
    expect(['Exp', 'Tanh', 'Sigmoid'].map((fn) => correctlyRounded(fn as FunctionName, [-huge], 'float64'))).toEqual([
      0, -1, 0,
    ])
    expect(correctlyRounded('Pow', [-1.5, 2n ** 63n - 1n], 'float64')).toBe(-Infinity)
    expect(correctlyRounded('Pow', [-0.5, 2n ** 63n - 1n], 'float64')).toBe(-0)
    expect(correctlyRounded('Pow', [huge, Number.MIN_VALUE], 'float64')).toBe(1)
    expect(correctlyRounded('Pow', [Number.MIN_VALUE, huge], 'float64')).toBe(0)
    expect(() => enclose('Exp', [huge], 50)).toThrow(expect.objectContaining({ code: 'range' }))
  })
})

describe('against the machine', () => {
  it('every seventh float16, rounded from the machine’s double', () => {
    for (let bits = 0; bits < 65536; bits += 7) {
      const x = bitsToNumber('float16', bits)
      for (const fn of unary) {
        if (fn === 'Erf' && Math.abs(x) > 3) continue
        const [got, expected] = [correctlyRounded(fn, [x], 'float16'), roundNumber('float16', machine[fn](x, 0))]
        if (!Object.is(got, expected)) expect.fail(`${fn}(${x}): ${got}, machine ${expected}`)
      }
    }
  })
  it('doubles within 4 ulp of the machine, which is not exact itself', () => {
    const argument = fc.oneof(fc.double({ noNaN: true }), fc.double({ min: -30, max: 30, noNaN: true }))
    fc.assert(
      fc.property(argument, argument, (x, y) => {
        for (const fn of ['Exp', 'Log', 'Tanh', 'Pow', 'Sin', 'Cos', 'Atan', 'Elu'] as const) {
          if (fn === 'Pow' && Math.abs(x) === 1 && !Number.isFinite(y)) continue // JavaScript differs from IEEE 754.
          const args = fn === 'Pow' || fn === 'Elu' ? [x, y] : [x]
          expect([fn, x, y, ulpError(fn, args, 'float64', machine[fn](x, y)) < 4]).toEqual([fn, x, y, true])
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('ulpError', () => {
  const arguments_: [FunctionName, FunctionArgument[]][] = [
    ['Exp', [1]],
    ['Log', [3]],
    ['Tanh', [-0.5]],
    ['Sigmoid', [-3]],
    ['Pow', [-3, 5n]],
    ['Pow', [3, 0.5]],
  ]
  it.each(arguments_)('%s %s: half a unit for the nearest, one more for each neighbour', (fn, args) => {
    for (const dtype of floatTypes) {
      const nearest = correctlyRounded(fn, args, dtype)
      const error = ulpError(fn, args, dtype, nearest)
      expect(error).toBeLessThanOrEqual(0.5)
      const ulp = Number(compare(exact(nearest), exact(0)) < 0 ? -1 : 1) * spacing(dtype, nearest)
      for (const direction of [1, -1]) {
        const beside = ulpError(fn, args, dtype, nearest + direction * ulp)
        expect(Math.min(Math.abs(beside - 1 - error), Math.abs(beside - 1 + error))).toBeLessThan(1e-5)
      }
    }
  })
  const spacing = (dtype: (typeof floatTypes)[number], x: number): number => {
    const digits = { float16: 10, bfloat16: 7, float32: 23, float64: 52 }[dtype]
    return 2 ** (Math.floor(Math.log2(Math.abs(x))) - digits)
  }

  it('special values match or do not', () => {
    expect(ulpError('Log', [-1], 'float32', Number.NaN)).toBe(0)
    expect(ulpError('Log', [-1], 'float32', 0)).toBe(Infinity)
    expect(ulpError('Log', [0], 'float32', -Infinity)).toBe(0)
    expect(ulpError('Pow', [-0, 3], 'float32', -0)).toBe(0)
    expect(ulpError('Pow', [-0, 3], 'float32', 0)).toBe(Infinity)
    expect(ulpError('Exp', [1], 'float32', Number.NaN)).toBe(Infinity)
    expect(ulpError('Exp', [0], 'float32', 1)).toBe(0)
    expect(ulpError('Exp', [0], 'float32', 1 + 2 ** -23)).toBe(1)
    expect(ulpError('Exp', [1], 'float16', Math.E)).toBe(Infinity)
  })
  it('the sign must be right, also of a result that underflows', () => {
    expect(ulpError('Pow', [-(2 ** -100), 3n], 'float32', -0)).toBeLessThan(1)
    expect(ulpError('Pow', [-(2 ** -100), 3n], 'float32', 0)).toBe(Infinity)
    expect(ulpError('Exp', [-1000], 'float32', 0)).toBeLessThan(1)
    expect(ulpError('Exp', [-1000], 'float32', -0)).toBe(Infinity)
    expect(ulpError('Exp', [-5000], 'float32', 0)).toBe(0)
    expect(ulpError('Exp', [-5000], 'float32', 2 ** -149)).toBe(1)
    expect(ulpError('Log', [2], 'float32', -Math.fround(Math.LN2))).toBe(Infinity)
  })
  it('at overflow an infinity stands for 2^(emax+1), and the largest number is measured as it is', () => {
    const max = largest('float16')
    // e^11.0859375 = 65247.1…, e^11.09375 = 65758.8…: below and above 65536, where float16 ends.
    expect(ulpError('Exp', [11.09375], 'float16', Infinity)).toBe(0)
    expect(ulpError('Exp', [11.09375], 'float16', max)).toBeCloseTo((65758.8 - 65504) / 32, 1)
    expect(ulpError('Exp', [11.0859375], 'float16', Infinity)).toBeCloseTo((65536 - 65247.1) / 32, 1)
    expect(ulpError('Pow', [256, 2n], 'float16', Infinity)).toBe(0)
    expect(ulpError('Pow', [256, 2n], 'float16', max)).toBe(1)
    expect(ulpError('Pow', [255.875, 2n], 'float16', max)).toBeCloseTo((65504 - 255.875 ** 2) / 32, 5)
    expect(ulpError('Exp', [5000], 'float64', Infinity)).toBe(0)
    expect(ulpError('Exp', [5000], 'float64', Number.MAX_VALUE)).toBe(Infinity)
    expect(ulpError('Pow', [-10, 5001n], 'float64', Infinity)).toBe(Infinity)
  })
  it('below the normal numbers the unit is the smallest subnormal', () => {
    expect(ulpError('Exp', [-17], 'float16', 0)).toBeCloseTo(Math.exp(-17) * 2 ** 24, 10)
    expect(ulpError('Exp', [-17], 'float16', 2 ** -24)).toBeCloseTo(1 - Math.exp(-17) * 2 ** 24, 10)
  })
})

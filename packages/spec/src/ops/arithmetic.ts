// IEEE 754 arithmetic in one format: the exact rational result, rounded once; NaN, infinities and signed zeros by the
// standard's tables. Everything that floats compute is made of these.
import type { FloatType } from '../dtypes.ts'
import { exact, isNegative, roundTo } from '../formats.ts'
import { integerSqrt } from '../pow.ts'
import { bitLength, minus, over, plus, powerOfTwo, type Rational, ratio, times, truncate } from '../rational.ts'

export const zeroOfSign = (negative: boolean): number => (negative ? -0 : 0)
const infinityOfSign = (negative: boolean): number => (negative ? -Infinity : Infinity)
const signOfProduct = (x: number, y: number): boolean => isNegative(x) !== isNegative(y)

export const add = (format: FloatType, x: number, y: number): number => {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN
  if (!Number.isFinite(x)) return Number.isFinite(y) || x === y ? x : Number.NaN
  if (!Number.isFinite(y)) return y
  // A sum that cancels is +0; only -0 + -0 is -0.
  const negativeZeros = Object.is(x, -0) && Object.is(y, -0)
  return roundTo(format, plus(exact(x), exact(y)), negativeZeros ? -1 : 1)
}

export const subtract = (format: FloatType, x: number, y: number): number => add(format, x, -y)

export const multiply = (format: FloatType, x: number, y: number): number => {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN
  const negative = signOfProduct(x, y)
  if (!Number.isFinite(x) || !Number.isFinite(y)) return x === 0 || y === 0 ? Number.NaN : infinityOfSign(negative)
  return roundTo(format, times(exact(x), exact(y)), negative ? -1 : 1)
}

export const divide = (format: FloatType, x: number, y: number): number => {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN
  const negative = signOfProduct(x, y)
  if (!Number.isFinite(x)) return Number.isFinite(y) ? infinityOfSign(negative) : Number.NaN
  if (!Number.isFinite(y)) return zeroOfSign(negative)
  if (y === 0) return x === 0 ? Number.NaN : infinityOfSign(negative)
  return roundTo(format, over(exact(x), exact(y)), negative ? -1 : 1)
}

/**
 * A binary fraction that lies on the same side of every value and midpoint of every format as the square root does: 80
 * or more of its digits, and one more digit that says whether the rest is zero.
 */
const rootWithRest = (value: Rational): Rational => {
  const digits = 2 * Math.max(0, 100 + bitLength(value.d))
  const scaled = times(value, powerOfTwo(digits))
  const whole = scaled.n / scaled.d
  const root = integerSqrt(whole)
  const rest = root * root === whole && whole * scaled.d === scaled.n ? 0n : 1n
  return times(ratio(2n * root + rest), powerOfTwo(-digits / 2 - 1))
}

export const squareRoot = (format: FloatType, x: number): number => {
  if (x === 0 || x === Infinity) return x
  if (Number.isNaN(x) || x < 0) return Number.NaN
  return roundTo(format, rootWithRest(exact(x)))
}

/** C's fmod: x - y * trunc(x / y), which every format holds exactly; a zero has the sign of x. */
export const fmod = (format: FloatType, x: number, y: number): number => {
  if (Number.isNaN(x) || Number.isNaN(y) || !Number.isFinite(x) || y === 0) return Number.NaN
  if (!Number.isFinite(y)) return x
  const [a, b] = [exact(x), exact(y)]
  return roundTo(format, minus(a, times(b, ratio(truncate(over(a, b))))), isNegative(x) ? -1 : 1)
}

/** Python's %: the remainder takes the sign of the divisor. */
export const floorMod = (format: FloatType, x: number, y: number): number => {
  const remainder = fmod(format, x, y)
  if (Number.isNaN(remainder)) return Number.NaN
  if (remainder === 0) return zeroOfSign(isNegative(y))
  return isNegative(remainder) === isNegative(y) ? remainder : add(format, remainder, y)
}

/** NaN if either is; +0 is greater than -0. */
export const maximum = (x: number, y: number): number => {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN
  if (x === 0 && y === 0) return isNegative(x) ? y : x
  return x > y ? x : y
}

export const minimum = (x: number, y: number): number => {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN
  if (x === 0 && y === 0) return isNegative(x) ? x : y
  return x < y ? x : y
}

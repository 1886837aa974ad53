// What is special about powers: the IEEE 754 table of pow, the parity of an exponent, the powers that are exact, and the
// bounds of the others.
import { type Enclosure, encloseExp, encloseLog, exactly, type FunctionArgument, mirrored, one } from './enclosure.ts'
import { SpecError } from './error.ts'
import { isNegative } from './formats.ts'
import { bitLength, compare, isIntegral, negate, powerOfTwo, type Rational, ratio, signOf, times } from './rational.ts'

/** Whether an exact value is an odd integer. */
export const isOdd = (y: Rational): boolean => y.n % y.d === 0n && (y.n / y.d) % 2n !== 0n

const isOddArgument = (y: FunctionArgument): boolean =>
  typeof y === 'bigint' ? y % 2n !== 0n : Number.isInteger(y) && y % 2 !== 0
const isIntegerArgument = (y: FunctionArgument): boolean => typeof y === 'bigint' || Number.isInteger(y)

/** IEEE 754 pow where the result is zero, infinite, NaN or 1 by definition; undefined elsewhere. */
export const powSpecial = (x: FunctionArgument, y: FunctionArgument): number | undefined => {
  if (Number(y) === 0 || Number(x) === 1) return 1
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN
  const base = Number(x)
  const size = Math.abs(base)
  if (y === Infinity) return size > 1 ? Infinity : size === 1 ? 1 : 0
  if (y === -Infinity) return size > 1 ? 0 : size === 1 ? 1 : Infinity
  if (size === Infinity || size === 0) {
    const magnitude = (size === Infinity) === y > 0 ? Infinity : 0
    return isNegative(base) && isOddArgument(y) ? -magnitude : magnitude
  }
  return base < 0 && !isIntegerArgument(y) ? Number.NaN : undefined
}

/** The integer square root, rounded down. */
export const integerSqrt = (x: bigint): bigint => {
  if (x < 2n) return x
  let root = 1n << BigInt(Math.ceil(bitLength(x) / 2))
  for (;;) {
    const next = (root + x / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/** How often 2 divides an integer that is not 0. */
const trailingZeros = (x: bigint): number => bitLength(x & -x) - 1

/**
 * x^y where that is a binary fraction of moderate length, for x not 0 with a power of two as denominator, and y too.
 * With x = m 2^e (m odd) and y = p / 2^q in lowest terms, x^y is rational only if q square roots of x are exact; it is a
 * binary fraction only if p >= 0 or m = 1.
 */
export const exactPower = (x: Rational, y: Rational): Rational | undefined => {
  if (signOf(x) < 0) {
    const magnitude = exactPower(ratio(-x.n, x.d), y)
    return magnitude && isOdd(y) ? ratio(-magnitude.n, magnitude.d) : magnitude
  }
  if (signOf(y) === 0) return ratio(1n)
  let m = x.n >> BigInt(trailingZeros(x.n))
  let e = trailingZeros(x.n) - trailingZeros(x.d)
  let roots = trailingZeros(y.d) - trailingZeros(y.n)
  const p = roots >= 0 ? y.n >> BigInt(trailingZeros(y.n)) : y.n / y.d
  for (; roots > 0; roots--) {
    const root = integerSqrt(m)
    if (e % 2 !== 0 || root * root !== m) return undefined
    m = root
    e /= 2
  }
  const exponent = Number(p)
  if (Math.abs(e * exponent) > 8192 || (m !== 1n && (exponent < 0 || bitLength(m) * exponent > 8192))) return undefined
  return times(ratio(m ** BigInt(Math.max(exponent, 0))), powerOfTwo(e * exponent))
}

/** y ln x for x > 0, to an absolute error below 2^-bits while it is not FAR. */
export const enclosePowerExponent = (x: Rational, y: Rational, bits: number): Enclosure => {
  const log = encloseLog(x, bits + 16)
  const product = { lo: times(y, log.lo), hi: times(y, log.hi) }
  return signOf(y) < 0 ? { lo: product.hi, hi: product.lo } : product
}

export const enclosePow = (x: Rational, y: Rational, bits: number): Enclosure => {
  if (signOf(x) < 0) {
    if (!isIntegral(y)) throw new SpecError('range', 'a negative base needs an integral exponent')
    const magnitude = enclosePow(negate(x), y, bits)
    return isOdd(y) ? mirrored(magnitude) : magnitude
  }
  if (signOf(x) === 0) throw new SpecError('range', 'zero has no logarithm')
  if (signOf(y) === 0 || compare(x, one) === 0) return exactly(one)
  const exponent = enclosePowerExponent(x, y, bits)
  return encloseExp(exponent.lo, exponent.hi, bits)
}

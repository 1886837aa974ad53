// The functions that are no IEEE arithmetic, as real functions: proved bounds of any width, the correctly rounded
// value, and the error of a computed value in units in the last place.
import { encloseElu, encloseGeluTanh, encloseSoftplus, encloseTanh, logistic } from './activations.ts'
import type { FloatType } from './dtypes.ts'
import {
  type Enclosure,
  encloseExp,
  encloseLog,
  exactArgument,
  exactly,
  FAR,
  type FunctionArgument,
  mirrored,
  zero,
} from './enclosure.ts'
import { exact, floatFormats, isNegative, isRepresentable, roundNumber, roundTo, ulpExponent } from './formats.ts'
import { encloseErf, encloseGelu } from './normal.ts'
import { enclosePow, exactPower, powSpecial } from './pow.ts'
import { absolute, compare, minus, powerOfTwo, type Rational, ratio, signOf, times, truncate } from './rational.ts'
import { type FunctionName, far, special } from './special.ts'
import { encloseAtan, encloseCos, encloseHalfPi, encloseSin } from './trigonometry.ts'

/**
 * Rational bounds of the function at finite arguments inside its domain, about 2^-bits apart relative to the value.
 * Exponents beyond ±2000 are refused ('range').
 */
export const enclose = (fn: FunctionName, args: readonly FunctionArgument[], bits: number): Enclosure => {
  if (fn === 'Atan' && Math.abs(Number(args[0])) === Infinity) {
    return isNegative(Number(args[0])) ? mirrored(encloseHalfPi(bits)) : encloseHalfPi(bits)
  }
  const [x, y] = args.map(exactArgument)
  switch (fn) {
    case 'Exp':
      return encloseExp(x!, x!, bits)
    case 'Log':
      return encloseLog(x!, bits)
    case 'Tanh':
      return encloseTanh(x!, bits)
    case 'Sigmoid':
      return logistic(exactly(x!), bits)
    case 'Pow':
      return enclosePow(x!, y!, bits)
    case 'Sin':
      return encloseSin(x!, bits)
    case 'Cos':
      return encloseCos(x!, bits)
    case 'Atan':
      return encloseAtan(x!, bits)
    case 'Erf':
      return encloseErf(x!, bits)
    case 'Softplus':
      return encloseSoftplus(x!, bits)
    case 'Elu':
      return encloseElu(x!, y!, bits)
    case 'Gelu':
      return encloseGelu(x!, bits)
    case 'GeluTanh':
      return encloseGeluTanh(x!, bits)
  }
}

/** Refines bounds until `decide` gives one answer for both; an exact value, which could never separate, is tried once. */
const refine = <T>(
  fn: FunctionName,
  args: readonly FunctionArgument[],
  bits: number,
  decide: (value: Rational) => T,
): T => {
  for (let width = bits; ; width *= 2) {
    const { lo, hi } = enclose(fn, args, width)
    const answer = decide(lo)
    if (Object.is(answer, decide(hi))) return answer
    const known =
      fn === 'Pow' && width === bits ? exactPower(exactArgument(args[0]!), exactArgument(args[1]!)) : undefined
    if (known) return decide(known)
  }
}

/**
 * The value of the format nearest to the true value, ties to even. It ends because the only values on which two bounds
 * could disagree for ever are dyadic, and those are powers, computed exactly.
 */
export const correctlyRounded = (fn: FunctionName, args: readonly FunctionArgument[], dtype: FloatType): number => {
  const known = special(fn, args)
  if (known !== undefined) return roundNumber(dtype, known)
  const outside = far(fn, args)
  if (outside) {
    const magnitude = outside.size === 'large' ? Infinity : 0
    return outside.negative ? -magnitude : magnitude
  }
  return refine(fn, args, floatFormats[dtype].precision + 16, (value) => roundTo(dtype, value))
}

/** The exact power truncated toward zero: an integer, or NaN or an infinity. */
export const truncatedPower = (x: number, y: number): bigint | number => {
  const known = powSpecial(x, y)
  if (known !== undefined) return Number.isFinite(known) ? BigInt(known) : known
  const outside = far('Pow', [x, y])
  if (outside) return outside.size === 'small' ? 0n : outside.negative ? -Infinity : Infinity
  // A power that is an integer separates no bounds around it, however narrow.
  const integer = exactPower(exact(x), exact(y))
  return integer ? truncate(integer) : refine('Pow', [x, y], 96, truncate)
}

const size = (value: Rational): Rational => ratio(absolute(value.n), value.d)

/** Sign and bounds of the magnitude of a value that is finite and not zero; no upper bound where it is far too large. */
const magnitude = (
  fn: FunctionName,
  args: readonly FunctionArgument[],
  bits: number,
): { readonly negative: boolean; readonly least: Rational; readonly most: Rational | undefined } => {
  const known = special(fn, args)
  const outside = known === undefined ? far(fn, args) : undefined
  if (outside?.size === 'large') return { negative: outside.negative, least: FAR, most: undefined }
  if (outside?.size === 'small') return { negative: outside.negative, least: zero, most: zero }
  const exactValue =
    known !== undefined
      ? exact(known)
      : fn === 'Pow'
        ? exactPower(exactArgument(args[0]!), exactArgument(args[1]!))
        : undefined
  const { lo, hi } = exactValue ? exactly(exactValue) : enclose(fn, args, bits)
  const negative = signOf(lo) < 0
  return negative ? { negative, least: size(hi), most: size(lo) } : { negative, least: lo, most: hi }
}

/**
 * How far `got` is from the true value, in units in the last place of the format at the true value. An upper bound,
 * loose by less than 2^-20.
 *
 * - Where the true result is zero, infinite or NaN: 0 for the same value (the sign of zero counts), else Infinity.
 * - A sign that differs from the true value's, a NaN, or a number outside the format: Infinity.
 * - Overflow: beyond the largest exponent the unit stays that of the largest finite numbers, and an infinity counts as
 *   2^(emax+1) for true values below it and as exact for those at or above. So an infinity is within half a unit where
 *   rounding overflows, and the largest finite number is within 1 ulp only of values up to 2^(emax+1).
 * - Underflow: the unit never falls below the smallest subnormal.
 */
export const ulpError = (
  fn: FunctionName,
  args: readonly FunctionArgument[],
  dtype: FloatType,
  got: number,
): number => {
  const known = special(fn, args)
  if (known === 0 || (known !== undefined && !Number.isFinite(known))) return Object.is(known, got) ? 0 : Infinity
  const format = floatFormats[dtype]
  const { negative, least, most } = magnitude(fn, args, format.precision + 24)
  if (Number.isNaN(got) || !isRepresentable(dtype, got) || isNegative(got) !== negative) return Infinity
  const infinite = !Number.isFinite(got)
  const beyond = powerOfTwo(format.emax + 1)
  if (infinite && (most === undefined || compare(least, beyond) >= 0)) return 0
  if (most === undefined) return Infinity
  const smallestUnit = format.emin - format.precision + 1
  const largestUnit = format.emax - format.precision + 1
  const unit = signOf(least) === 0 ? smallestUnit : Math.min(ulpExponent(format, least), largestUnit)
  const measured = infinite ? beyond : size(exact(got))
  const errors = [least, most].map((value) => size(times(minus(measured, value), powerOfTwo(-unit))))
  return Math.max(...errors.map((error) => roundTo('float64', error)))
}

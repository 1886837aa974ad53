// Exp, Log, Tanh, Sigmoid and Pow as real functions: proved bounds of any width, the correctly rounded value, and the
// error of a computed value in units in the last place.
import type { FloatType } from './dtypes.ts'
import { SpecError } from './error.ts'
import { exact, floatFormats, isNegative, isRepresentable, roundTo, ulpExponent } from './formats.ts'
import { enclosing, exponential, logarithm } from './interval.ts'
import { exactPower, type FunctionArgument, isOdd, powSpecial } from './pow.ts'
import {
  absolute,
  compare,
  exponentOf,
  isIntegral,
  minus,
  negate,
  over,
  plus,
  powerOfTwo,
  type Rational,
  ratio,
  signOf,
  times,
  truncate,
} from './rational.ts'

export type FunctionName = 'Exp' | 'Log' | 'Tanh' | 'Sigmoid' | 'Pow'

export interface Enclosure {
  readonly lo: Rational
  readonly hi: Rational
}

const zero = ratio(0n)
const one = ratio(1n)
const exactly = (value: Rational): Enclosure => ({ lo: value, hi: value })
const exactArgument = (x: FunctionArgument): Rational => (typeof x === 'bigint' ? ratio(x) : exact(x))
const mirrored = ({ lo, hi }: Enclosure): Enclosure => ({ lo: negate(hi), hi: negate(lo) })

/** Beyond e^±this every format has long overflowed or underflowed. */
const FAR = ratio(2000n)

const encloseExp = (lo: Rational, hi: Rational, bits: number, minimumScale = 0): Enclosure => {
  if (compare(hi, FAR) > 0 || compare(lo, negate(FAR)) < 0) throw new SpecError('range', 'the exponent is too large')
  const w = Math.max(bits, minimumScale) + 32
  const { m, k } = exponential(enclosing(lo, hi, w), w)
  const scale = powerOfTwo(k - w)
  return { lo: times(ratio(m.lo), scale), hi: times(ratio(m.hi), scale) }
}

const encloseLog = (x: Rational, bits: number): Enclosure => {
  if (signOf(x) <= 0) throw new SpecError('range', 'the logarithm needs a positive argument')
  if (compare(x, one) === 0) return exactly(zero)
  const { value, w } = logarithm(x, bits)
  const unit = powerOfTwo(-w)
  return { lo: times(ratio(value.lo), unit), hi: times(ratio(value.hi), unit) }
}

/** For what differs from 1 by at most 2^-(bits+1). */
const justBelowOne = (bits: number): Enclosure => ({ lo: minus(one, powerOfTwo(-bits - 1)), hi: one })

const encloseTanh = (x: Rational, bits: number): Enclosure => {
  if (signOf(x) < 0) return mirrored(encloseTanh(negate(x), bits))
  if (signOf(x) === 0) return exactly(zero)
  const twice = times(x, ratio(2n))
  // tanh x >= 1 - 2 e^-2x > 1 - 2^(1-2x)
  if (compare(twice, ratio(BigInt(bits + 2))) >= 0) return justBelowOne(bits)
  // (1 - t) / (1 + t) with t = e^-2x falls as t grows; a small x needs the digits that 1 - t cancels.
  const t = encloseExp(negate(twice), negate(twice), bits, bits + Math.max(0, -exponentOf(x)))
  const fall = (s: Rational): Rational => over(minus(one, s), plus(one, s))
  return { lo: fall(t.hi), hi: fall(t.lo) }
}

const encloseSigmoid = (x: Rational, bits: number): Enclosure => {
  // 1 / (1 + e^-x) >= 1 - e^-x > 1 - 2^-x
  if (compare(x, ratio(BigInt(bits + 1))) >= 0) return justBelowOne(bits)
  // e^x / (1 + e^x) grows with e^x.
  const t = encloseExp(x, x, bits)
  const grow = (s: Rational): Rational => over(s, plus(one, s))
  return { lo: grow(t.lo), hi: grow(t.hi) }
}

/** y ln x for x > 0, to an absolute error below 2^-bits while it is not FAR. */
const enclosePowerExponent = (x: Rational, y: Rational, bits: number): Enclosure => {
  const log = encloseLog(x, bits + 16)
  const product = { lo: times(y, log.lo), hi: times(y, log.hi) }
  return signOf(y) < 0 ? { lo: product.hi, hi: product.lo } : product
}

const enclosePow = (x: Rational, y: Rational, bits: number): Enclosure => {
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

/**
 * Rational bounds of the function at finite arguments inside its domain, about 2^-bits apart relative to the value.
 * Exponents beyond ±2000 are refused ('range').
 */
export const enclose = (fn: FunctionName, args: readonly FunctionArgument[], bits: number): Enclosure => {
  const [x, y] = args.map(exactArgument)
  switch (fn) {
    case 'Exp':
      return encloseExp(x!, x!, bits)
    case 'Log':
      return encloseLog(x!, bits)
    case 'Tanh':
      return encloseTanh(x!, bits)
    case 'Sigmoid':
      return encloseSigmoid(x!, bits)
    case 'Pow':
      return enclosePow(x!, y!, bits)
  }
}

/** The value where it is zero, infinite, NaN or known outright; these are the same in every format. */
const special = (fn: FunctionName, args: readonly FunctionArgument[]): number | undefined => {
  if (fn === 'Pow') return powSpecial(args[0]!, args[1]!)
  const x = Number(args[0])
  if (Number.isNaN(x)) return Number.NaN
  switch (fn) {
    case 'Exp':
      return x === Infinity ? Infinity : x === -Infinity ? 0 : x === 0 ? 1 : undefined
    case 'Log':
      return x < 0 ? Number.NaN : x === 0 ? -Infinity : x === 1 ? 0 : x === Infinity ? Infinity : undefined
    case 'Tanh':
      return x === 0 ? x : Math.abs(x) === Infinity ? Math.sign(x) : undefined
    case 'Sigmoid':
      return x === Infinity ? 1 : x === -Infinity ? 0 : undefined
  }
}

/** Where no format can hold the magnitude: its sign, and whether it is too large or too small. */
const far = (
  fn: FunctionName,
  args: readonly FunctionArgument[],
): { readonly negative: boolean; readonly size: 'large' | 'small' } | undefined => {
  const [x, y] = args.map(exactArgument)
  if (fn === 'Log' || fn === 'Tanh') return undefined
  const exponent = fn === 'Pow' ? enclosePowerExponent(ratio(absolute(x!.n), x!.d), y!, 64) : exactly(x!)
  const negative = fn === 'Pow' && signOf(x!) < 0 && isOdd(y!)
  if (compare(exponent.lo, ratio(1900n)) > 0) return fn === 'Sigmoid' ? undefined : { negative, size: 'large' }
  return compare(exponent.hi, ratio(-1900n)) < 0 ? { negative, size: 'small' } : undefined
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
  if (known !== undefined) return known
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

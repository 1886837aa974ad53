// Proved rational bounds of a real number, and those of e^x and ln x, of which most functions are made.

import { SpecError } from './error.ts'
import { exact } from './formats.ts'
import { enclosing, exponential, type Interval, logarithm } from './interval.ts'
import { compare, minus, negate, powerOfTwo, type Rational, ratio, signOf, times } from './rational.ts'

/** A float of any format, or an integer taken exactly. */
export type FunctionArgument = number | bigint

/** Bounds between which a real number lies, as narrow as asked for. */
export interface Enclosure {
  readonly lo: Rational
  readonly hi: Rational
}

export const zero: Rational = ratio(0n)
export const one: Rational = ratio(1n)
export const exactly = (value: Rational): Enclosure => ({ lo: value, hi: value })
export const exactArgument = (x: number | bigint): Rational => (typeof x === 'bigint' ? ratio(x) : exact(x))
export const mirrored = ({ lo, hi }: Enclosure): Enclosure => ({ lo: negate(hi), hi: negate(lo) })

/** The interval in units of 2^-w as rationals. */
export const inUnits = ({ lo, hi }: Interval, w: number): Enclosure => {
  const unit = powerOfTwo(-w)
  return { lo: times(ratio(lo), unit), hi: times(ratio(hi), unit) }
}

/** Times an exact number of any sign. */
export const scaled = ({ lo, hi }: Enclosure, factor: Rational): Enclosure =>
  signOf(factor) < 0
    ? { lo: times(hi, factor), hi: times(lo, factor) }
    : { lo: times(lo, factor), hi: times(hi, factor) }

/** For what differs from 1 by at most 2^-(bits+1). */
export const justBelowOne = (bits: number): Enclosure => ({ lo: minus(one, powerOfTwo(-bits - 1)), hi: one })

/** Beyond e^±this every format has long overflowed or underflowed. */
export const FAR: Rational = ratio(2000n)

/** e^x for x from lo to hi; an absolute error below 2^-minimumScale too, where that is asked. */
export const encloseExp = (lo: Rational, hi: Rational, bits: number, minimumScale = 0): Enclosure => {
  if (compare(hi, FAR) > 0 || compare(lo, negate(FAR)) < 0) throw new SpecError('range', 'the exponent is too large')
  const w = Math.max(bits, minimumScale) + 32
  const { m, k } = exponential(enclosing(lo, hi, w), w)
  return inUnits(m, w - k)
}

export const encloseLog = (x: Rational, bits: number): Enclosure => {
  if (signOf(x) <= 0) throw new SpecError('range', 'the logarithm needs a positive argument')
  if (compare(x, one) === 0) return exactly(zero)
  const { value, w } = logarithm(x, bits)
  return inUnits(value, w)
}

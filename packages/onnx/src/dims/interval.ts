// Intervals of integers with infinite ends. An end is a bigint, or one of the two infinities as a number: JavaScript
// compares the two kinds exactly, and what adds or multiplies them stands here.
import { floorQuotient } from './integer.ts'

/** A bigint, `Infinity` or `-Infinity`. */
export type Bound = bigint | number

/** Bounds of a size. */
export interface Interval {
  readonly min: Bound
  readonly max: Bound
}

/**
 * Integers beyond this are as good as infinite: no size and no element comes near. Without such an end the digits of a
 * bound would double with every square.
 */
export const FAR: bigint = 2n ** 80n

/** An interval that holds the given one, of ends that are not too long: a lower end may be too low, an upper too high. */
export function widened({ min, max }: Interval): Interval {
  return {
    min: min > FAR ? FAR : min < -FAR ? Number.NEGATIVE_INFINITY : min,
    max: max < -FAR ? -FAR : max > FAR ? Number.POSITIVE_INFINITY : max,
  }
}

const isInteger = (a: Bound): a is bigint => typeof a === 'bigint'

export const addBound = (a: Bound, b: Bound): Bound => {
  if (!isInteger(a)) return a
  return isInteger(b) ? a + b : b
}

export const negBound = (a: Bound): Bound => -a

/** The product, where nothing times an infinity is nothing. */
export const mulBound = (a: Bound, b: Bound): Bound => {
  if (isInteger(a) && isInteger(b)) return a * b
  if (a === 0n || b === 0n) return 0n
  return a > 0 === b > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
}

export const leastOf = (a: Bound, b: Bound): Bound => (b < a ? b : a)
export const greatestOf = (a: Bound, b: Bound): Bound => (b > a ? b : a)

export function times(a: Interval, b: Interval): Interval {
  if (a.min >= 0 && b.min >= 0) return { min: mulBound(a.min, b.min), max: mulBound(a.max, b.max) }
  const corners = [mulBound(a.min, b.min), mulBound(a.min, b.max), mulBound(a.max, b.min), mulBound(a.max, b.max)]
  return { min: corners.reduce(leastOf), max: corners.reduce(greatestOf) }
}

export function power(a: Interval, exponent: number): Interval {
  if (exponent === 1) return a
  const raise = (bound: Bound): Bound => {
    if (isInteger(bound)) return bound ** BigInt(exponent)
    return exponent % 2 === 0 ? Number.POSITIVE_INFINITY : bound
  }
  const [low, high] = [raise(a.min), raise(a.max)]
  if (exponent % 2 === 1 || a.min >= 0) return { min: low, max: high }
  return a.max <= 0 ? { min: high, max: low } : { min: 0n, max: greatestOf(low, high) }
}

/** The floor of a quotient of ends, the divisor at least 1; a finite end over infinity goes to 0 or just below it. */
const quotientBound = (a: Bound, b: Bound): Bound => {
  if (!isInteger(a)) return a
  if (isInteger(b)) return floorQuotient(a, b)
  return a < 0n ? -1n : 0n
}

/** What floor(a/b) can be, b = 0 left out. */
export function floorQuotients(a: Interval, b: Interval): Interval {
  if (b.max <= 0 && b.min < 0) {
    return floorQuotients(
      { min: negBound(a.max), max: negBound(a.min) },
      { min: negBound(b.max), max: negBound(b.min) },
    )
  }
  if (b.min < 0) {
    // The divisor has either sign, and is at least 1 away from 0.
    const most = greatestOf(negBound(a.min), a.max)
    return { min: negBound(most), max: most }
  }
  const least = greatestOf(b.min, 1n)
  const most = greatestOf(b.max, least)
  return {
    min: quotientBound(a.min, a.min < 0 ? least : most),
    max: quotientBound(a.max, a.max < 0 ? most : least),
  }
}

// A pair high + low carries about twice the digits of one float64, where a rounding in the middle of a function
// would be visible at its end.
import type { Float64Algebra } from './algebra.ts'

/** The unevaluated sum high + low; |low| is small beside |high|. */
export interface Pair<T> {
  readonly high: T
  readonly low: T
}

/** a + b + low, the rounding error of a + b kept; needs |a| >= |b|, or a a multiple of b's last place. 4 operations. */
export function sum<T, B>(m: Float64Algebra<T, B>, a: T, b: T, low: T): Pair<T> {
  const high = m.add(a, b)
  return { high, low: m.add(m.sub(b, m.sub(high, a)), low) }
}

/** The same value with high correctly rounded and low its error; needs what `sum` needs. 3 operations. */
export function normalize<T, B>(m: Float64Algebra<T, B>, { high, low }: Pair<T>): Pair<T> {
  const total = m.add(high, low)
  return { high: total, low: m.sub(low, m.sub(total, high)) }
}

/** The same value with the lower 27 bits of high cleared, for an exact product to follow. 4 operations. */
export function split<T, B>(m: Float64Algebra<T, B>, { high, low }: Pair<T>): Pair<T> {
  const top = m.high(m.add(high, low))
  return { high: top, low: m.sub(low, m.sub(top, high)) }
}

/** x squared. 5 operations. */
export function square<T, B>(m: Float64Algebra<T, B>, x: T): Pair<T> {
  const top = m.high(x)
  return { high: m.mul(top, top), low: m.mul(m.add(x, top), m.sub(x, top)) }
}

/** a * b where the lower 27 bits of both highs are clear, so that high is exact. 5 operations. */
export function product<T, B>(m: Float64Algebra<T, B>, a: Pair<T>, b: Pair<T>): Pair<T> {
  const low = m.add(m.mul(a.high, b.low), m.mul(a.low, m.add(b.high, b.low)))
  return { high: m.mul(a.high, b.high), low }
}

/** x as such a factor. 2 operations. */
export function short<T, B>(m: Float64Algebra<T, B>, x: T): Pair<T> {
  const high = m.high(x)
  return { high, low: m.sub(x, high) }
}

/**
 * a / b for normalized pairs, to about 2^-76, the lower 27 bits of high cleared. With a short high both partial
 * products are exact, so the remainder is too, and one division serves both parts. 14 operations.
 */
export function quotient<T, B>(m: Float64Algebra<T, B>, a: Pair<T>, b: Pair<T>): Pair<T> {
  const inverse = m.div(m.constant(1), b.high)
  const high = m.high(m.mul(a.high, inverse))
  const top = m.high(b.high)
  const rest = m.sub(b.high, top)
  const remainder = m.sub(m.sub(a.high, m.mul(high, top)), m.mul(high, rest))
  return { high, low: m.mul(m.add(remainder, m.sub(a.low, m.mul(high, b.low))), inverse) }
}

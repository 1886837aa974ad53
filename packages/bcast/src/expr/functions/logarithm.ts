// What Log and Softplus share: ln(1 + f) near f = 0, added to a logarithm that is known.
import type { Float64Algebra } from './algebra.ts'
import type { Pair } from './pair.ts'
import { polynomial } from './polynomial.ts'

/** 2/3, 2/5, ... 2/21: what is left out of ln((1 + s) / (1 - s)) is below 2^-60 of it on |s| < 0.172. */
const SERIES: readonly number[] = [2 / 3, 2 / 5, 2 / 7, 2 / 9, 2 / 11, 2 / 13, 2 / 15, 2 / 17, 2 / 19, 2 / 21]

/** base + ln(1 + f) for f from 1/sqrt(2) - 1 to sqrt(2) - 1, where base is 0 or larger than that. 31 operations. */
export function addLogarithm<T, B>(m: Float64Algebra<T, B>, base: Pair<T>, f: T): T {
  // With s = f / (2 + f), ln(1 + f) = 2s + s R = f - f^2/2 + s (f^2/2 + R): the large terms come first and exact.
  const s = m.div(f, m.add(m.constant(2), f))
  const z = m.mul(s, s)
  const series = m.mul(z, polynomial(m, z, m.mul(z, z), SERIES))
  const halfSquare = m.mul(m.mul(m.constant(0.5), f), f)
  const small = m.add(m.mul(s, m.add(halfSquare, series)), base.low)
  return m.sub(base.high, m.sub(m.sub(halfSquare, small), f))
}

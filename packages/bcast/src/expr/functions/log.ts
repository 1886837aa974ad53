// The natural logarithm of every float64. 47 operations, one of them a division; measured error below 0.9 ulp.
import type { Float64Algebra } from './algebra.ts'
import { LN2 } from './exponential.ts'
import { polynomial } from './polynomial.ts'

/** 2/3, 2/5, ... 2/21: what is left out of ln((1 + s) / (1 - s)) is below 2^-60 of it on |s| < 0.172. */
const SERIES: readonly number[] = [2 / 3, 2 / 5, 2 / 7, 2 / 9, 2 / 11, 2 / 13, 2 / 15, 2 / 17, 2 / 19, 2 / 21]

export function log<T, B>(m: Float64Algebra<T, B>, x: T): T {
  const zero = m.constant(0)
  const infinity = m.constant(Infinity)
  const subnormal = m.less(x, m.constant(2 ** -1022))
  const normal = m.select(subnormal, m.mul(x, m.constant(2 ** 54)), x)
  const exponent = m.exponent(normal)
  const k = m.select(subnormal, m.sub(exponent, m.constant(54)), exponent)
  const f = m.sub(m.mantissa(normal), m.constant(1))

  // With s = f / (2 + f), ln(1 + f) = 2s + s R = f - f^2/2 + s (f^2/2 + R): the large terms come first and exact.
  const s = m.div(f, m.add(m.constant(2), f))
  const z = m.mul(s, s)
  const series = m.mul(z, polynomial(m, z, m.mul(z, z), SERIES))
  const halfSquare = m.mul(m.mul(m.constant(0.5), f), f)
  const small = m.add(m.mul(s, m.add(halfSquare, series)), m.mul(k, m.constant(LN2.low)))
  const value = m.sub(m.mul(k, m.constant(LN2.high)), m.sub(m.sub(halfSquare, small), f))

  const nonPositive = m.select(m.equal(x, zero), m.constant(-Infinity), m.constant(NaN))
  return m.select(m.equal(x, infinity), infinity, m.select(m.less(zero, x), value, nonPositive))
}

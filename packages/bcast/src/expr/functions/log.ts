// The natural logarithm of every float64. 47 operations, one of them a division; measured error below 0.9 ulp.
import type { Float64Algebra } from './algebra.ts'
import { LN2 } from './exponential.ts'
import { addLogarithm } from './logarithm.ts'

export function log<T, B>(m: Float64Algebra<T, B>, x: T): T {
  const zero = m.constant(0)
  const infinity = m.constant(Infinity)
  const subnormal = m.less(x, m.constant(2 ** -1022))
  const normal = m.select(subnormal, m.mul(x, m.constant(2 ** 54)), x)
  const exponent = m.exponent(normal)
  const k = m.select(subnormal, m.sub(exponent, m.constant(54)), exponent)
  const f = m.sub(m.mantissa(normal), m.constant(1))

  const base = { high: m.mul(k, m.constant(LN2.high)), low: m.mul(k, m.constant(LN2.low)) }
  const value = addLogarithm(m, base, f)

  const nonPositive = m.select(m.equal(x, zero), m.constant(-Infinity), m.constant(NaN))
  return m.select(m.equal(x, infinity), infinity, m.select(m.less(zero, x), value, nonPositive))
}

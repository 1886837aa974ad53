// The hyperbolic tangent. 75 operations, one of them a division; measured error below 0.9 ulp.
// Exactly odd, and the identity where x is tiny.
import type { Float64Algebra } from './algebra.ts'
import { exponentialTail, reduce } from './exponential.ts'
import { narrowPower } from './narrow-exponential.ts'
import { normalize, quotient, sum } from './pair.ts'

/** From here on the result rounds to 1. */
const LIMIT = 22
/** The same for a float32. */
const NARROW_LIMIT = 10

export function tanh<T, B>(m: Float64Algebra<T, B>, x: T): T {
  const limit = m.constant(LIMIT)
  const magnitude = m.abs(x)
  const a = m.select(m.less(limit, magnitude), limit, magnitude)
  const { k, r } = reduce(m, m.add(a, a))
  const power = sum(m, m.constant(1), r.high, exponentialTail(m, r))
  // tanh a = (p - t) / (p + t) with e^2a = 2^k p and t = 2^-k. A rounding of either side would cost half a unit of the
  // result, so both stay pairs.
  const t = m.power2(m.neg(k))
  const numerator = normalize(m, sum(m, power.high, m.neg(t), power.low))
  const denominator = normalize(m, sum(m, power.high, t, power.low))
  const { high, low } = quotient(m, numerator, denominator)
  return m.withSign(m.add(high, low), x)
}

/** The same of a float32 (or a narrower float), good for a float32. 31 operations; measured error below 0.51 ulp. */
export function narrowTanh<T, B>(m: Float64Algebra<T, B>, x: T): T {
  const limit = m.constant(NARROW_LIMIT)
  const magnitude = m.abs(x)
  const a = m.select(m.less(limit, magnitude), limit, magnitude)
  const { scale, rest } = narrowPower(m, m.mul(a, m.constant(2 * Math.LOG2E)))
  // e^2a - 1, exact where it is small: the power of two is 1 there.
  const n = m.add(m.sub(scale, m.constant(1)), m.mul(scale, rest))
  return m.withSign(m.div(n, m.add(n, m.constant(2))), x)
}

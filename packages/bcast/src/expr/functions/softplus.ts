// Softplus: ln(1 + e^x) for every float64, with its subnormal tail. 99 operations, one of them a division; measured
// error below 1.3 ulp.
import type { Float64Algebra } from './algebra.ts'
import { exponentialTail, halves, LN2, reduce } from './exponential.ts'
import { addLogarithm } from './logarithm.ts'
import { normalize, sum } from './pair.ts'

/** Below this e^x is 0 by the ordinary way. */
const LIMIT = -746

export function softplus<T, B>(m: Float64Algebra<T, B>, x: T): T {
  const zero = m.constant(0)
  const one = m.constant(1)
  const limit = m.constant(LIMIT)
  // ln(1 + e^x) = max(x, 0) + ln(1 + e^-|x|), so that e = e^-|x| never overflows.
  const a = m.neg(m.abs(x))
  const { k, r } = reduce(m, m.select(m.less(a, limit), limit, a))
  const p = normalize(m, sum(m, one, r.high, exponentialTail(m, r)))
  const [i, j] = halves(m, k)
  const first = m.power2(i)
  const second = m.power2(j)
  const e = m.mul(m.mul(p.high, first), second)
  const eLow = m.mul(m.mul(p.low, first), second)

  // Above 1/2 the logarithm of (1 + e) / 2 is the smaller one; e - 1 is exact.
  const large = m.less(m.constant(0.5), e)
  const f = m.select(large, m.mul(m.sub(e, one), m.constant(0.5)), e)
  // What is beyond e counts 1 / (1 + e) times, about 1 - e/2.
  const carried = m.mul(eLow, m.sub(one, m.mul(e, m.constant(0.5))))
  const base = {
    high: m.select(large, m.constant(LN2.high), zero),
    low: m.add(m.select(large, m.constant(LN2.low), zero), carried),
  }
  return m.add(m.select(m.less(zero, x), x, zero), addLogarithm(m, base, f))
}

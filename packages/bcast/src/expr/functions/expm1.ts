// e^x - 1 for x <= 0, where Elu asks for it; the rest of the range would need more care with powers of two.
// 48 operations, no division.
import type { Float64Algebra } from './algebra.ts'
import { exponentialTail, reduce } from './exponential.ts'
import { type Pair, sum } from './pair.ts'

/** Below this the value rounds to -1. */
const LIMIT = -40

/** As a pair, so that a factor can join before it is rounded; measured error of high + low below 1 ulp. */
export function expm1<T, B>(m: Float64Algebra<T, B>, x: T): Pair<T> {
  const limit = m.constant(LIMIT)
  const { k, r } = reduce(m, m.select(m.less(x, limit), limit, x))
  // e^x - 1 = 2^k (e^r - 2^-k), where 1 - 2^-k is nearly all of 1 - e^x, or exactly 0.
  const { high, low } = sum(m, m.sub(m.constant(1), m.power2(m.neg(k))), r.high, exponentialTail(m, r))
  const power = m.power2(k)
  return { high: m.mul(high, power), low: m.mul(low, power) }
}

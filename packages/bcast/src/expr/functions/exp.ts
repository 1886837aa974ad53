// e^x for every float64, subnormal results included. 51 operations, no division; measured error below 0.8 ulp
// (below 0.7 where the result is normal).
import type { Float64Algebra } from './algebra.ts'
import { clamp, exponentialTail, reduce, scale } from './exponential.ts'
import { sum } from './pair.ts'

export function exp<T, B>(m: Float64Algebra<T, B>, x: T): T {
  // Beyond these limits the result is 0 or infinity by the ordinary way.
  const { k, r } = reduce(m, clamp(m, x, -746, 710))
  const { high, low } = sum(m, m.constant(1), r.high, exponentialTail(m, r))
  return scale(m, m.add(high, low), k)
}

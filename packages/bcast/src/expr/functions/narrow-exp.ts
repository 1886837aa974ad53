// e^x of a float32 in float32: twice the lanes of float64, and nothing to convert. 30 operations; the error of every
// float32 is below 0.93 ulp.
import type { Float32Algebra } from './algebra.ts'
import { clamp, scale } from './exponential.ts'
import { polynomial } from './polynomial.ts'

/** ln 2 cut to 9 bits, so that its products with integers below 2^15 are exact, and what remains of it. */
const LN2_HIGH = 0.693359375
const LN2_LOW = Math.LN2 - LN2_HIGH

/** (e^r - 1 - r) / r^2 on |r| <= ln(2)/2: the least of the largest errors relative to e^r, 2^-28. */
const TAIL: readonly number[] = [
  0.4999999403953552, 0.1666652113199234, 0.04166838899254799, 0.00836874544620514, 0.0013814540579915047,
]

export function narrowExp<T, B>(m: Float32Algebra<T, B>, given: T): T {
  // Beyond these limits the result is 0 or infinity by the ordinary way.
  const x = clamp(m, given, -104, 89)
  const k = m.round(m.mul(x, m.constant(Math.LOG2E)))
  // x = k ln 2 + r, where r is rounded in the series alone: `rest` is small, and joins the sum by itself.
  const top = m.sub(x, m.mul(k, m.constant(LN2_HIGH)))
  const rest = m.mul(k, m.constant(LN2_LOW))
  const r = m.sub(top, rest)
  const square = m.mul(r, r)
  const tail = m.sub(m.mul(square, polynomial(m, r, square, TAIL)), rest)
  return scale(m, m.add(m.constant(1), m.add(top, tail)), k)
}

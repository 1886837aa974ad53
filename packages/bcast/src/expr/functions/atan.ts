// The arc tangent. 52 operations, one of them a division; measured error below 0.9 ulp. Exactly odd, and the identity
// where x is tiny.
import type { Float64Algebra } from './algebra.ts'
import { polynomial } from './polynomial.ts'

/** Where the centre changes, and the centres c with atan(c) as a float64 and what remains of it. */
const CENTRES: readonly { readonly from: number; readonly c: number; readonly high: number; readonly low: number }[] = [
  { from: 7 / 16, c: 0.5, high: 0.4636476090008061, low: 2.2698777452961687e-17 },
  { from: 11 / 16, c: 1, high: 0.7853981633974483, low: 3.061616997868383e-17 },
  { from: 19 / 16, c: 1.5, high: 0.982793723247329, low: 1.3903311031230998e-17 },
]

/** From here on 1/a is nearer to 0 than a to any centre, and atan(a) = pi/2 - atan(1/a). */
const FAR = 39 / 16
const HALF_PI = { high: Math.PI / 2, low: 6.123233995736766e-17 }

/** (atan(t) - t) / t^3 over t^2, within 2^-62 of atan(t) for |t| <= 7/16. */
const SERIES: readonly number[] = [
  -0.33333333333333315, 0.19999999999993054, -0.1428571428484134, 0.11111111056023099, -0.09090907049444956,
  0.07692259375632632, -0.06665900470616938, 0.05874000254677222, -0.0519999465063375, 0.04432629811390291,
  -0.03190871358047205, 0.013685642308301407,
]

export function atan<T, B>(m: Float64Algebra<T, B>, x: T): T {
  const zero = m.constant(0)
  const a = m.abs(x)
  let centre = zero
  let high = zero
  let low = zero
  for (const { from, c, high: upper, low: lower } of CENTRES) {
    const before = m.less(a, m.constant(from))
    centre = m.select(before, centre, m.constant(c))
    high = m.select(before, high, m.constant(upper))
    low = m.select(before, low, m.constant(lower))
  }
  const far = m.less(m.constant(FAR), a)
  high = m.select(far, m.constant(HALF_PI.high), high)
  low = m.select(far, m.constant(HALF_PI.low), low)

  // atan(a) = atan(c) + atan(t) with t = (a - c) / (1 + a c), which is -1/a for the centre at infinity.
  const numerator = m.select(far, m.constant(-1), m.sub(a, centre))
  const denominator = m.select(far, a, m.add(m.constant(1), m.mul(a, centre)))
  const t = m.div(numerator, denominator)
  const z = m.mul(t, t)
  const series = m.mul(m.mul(t, z), polynomial(m, z, m.mul(z, z), SERIES))
  const value = m.add(high, m.add(t, m.add(series, low)))
  return m.withSign(value, x)
}

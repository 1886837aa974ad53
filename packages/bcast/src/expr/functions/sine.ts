// Sine and cosine of an angle that is reduced: what Sin and Cos share. Of the two series one is chosen by the quarter.
import type { Float64Algebra } from './algebra.ts'
import type { Angle } from './angle.ts'
import { polynomial } from './polynomial.ts'

/** (sin(r) - r) / r^3 over r^2, within 2^-57 of the sine for |r| <= pi/4. */
const SINE: readonly number[] = [
  -0.1666666666666663, 0.008333333333322108, -0.00019841269829580258, 2.7557313618031523e-6, -2.5050747218343312e-8,
  1.5896197557681126e-10,
]

/** (cos(r) - 1 + r^2/2) / r^4 over r^2, within 2^-64 for |r| <= pi/4. */
const COSINE: readonly number[] = [
  0.0416666666666666, -0.0013888888888874125, 2.4801587289482272e-5, -2.755731435235087e-7, 2.0875723274654536e-9,
  -1.1359647827745044e-11,
]

/** The sine of r + quarters * pi/2. 49 operations. */
export function sine<T, B>(m: Float64Algebra<T, B>, { quarters, r }: Angle<T>): T {
  const one = m.constant(1)
  const z = m.mul(r.high, r.high)
  const zz = m.mul(z, z)
  const half = m.mul(z, m.constant(0.5))

  const cube = m.mul(m.mul(z, r.high), polynomial(m, z, zz, SINE))
  const sin = m.add(r.high, m.add(cube, m.sub(r.low, m.mul(half, r.low))))

  const top = m.sub(one, half)
  const fourth = m.sub(m.mul(zz, polynomial(m, z, zz, COSINE)), m.mul(r.high, r.low))
  const cos = m.add(top, m.add(m.sub(m.sub(one, top), half), fourth))

  const whole = m.round(m.sub(m.mul(quarters, m.constant(0.25)), m.constant(0.375)))
  const quarter = m.sub(quarters, m.mul(whole, m.constant(4)))
  const odd = m.equal(m.abs(m.sub(quarter, m.constant(2))), one)
  const value = m.select(odd, cos, sin)
  return m.select(m.less(one, quarter), m.neg(value), value)
}

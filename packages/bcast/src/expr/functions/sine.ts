// Sine and cosine of an angle that is reduced: what Sin and Cos share. Of the two series one is chosen by the quarter.
import type { Float64Algebra } from './algebra.ts'
import type { Angle } from './angle.ts'
import type { Pair } from './pair.ts'
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

/** The same to 2^-37 and 2^-43, for results of 24 bits. */
const NARROW_SINE: readonly number[] = [
  -0.16666666640591377, 0.00833332928070024, -0.00019839304437643885, 2.7180464964718835e-6,
]
const NARROW_COSINE: readonly number[] = [
  0.041666666622476756, -0.0013888883722994309, 2.4799511914016305e-5, -2.720956203500722e-7,
]

/** The sine of r + quarters pi/2 from sine and cosine of r. 12 operations. */
function turned<T, B>(m: Float64Algebra<T, B>, quarters: T, sin: T, cos: T): T {
  const one = m.constant(1)
  const whole = m.round(m.sub(m.mul(quarters, m.constant(0.25)), m.constant(0.375)))
  const quarter = m.sub(quarters, m.mul(whole, m.constant(4)))
  const odd = m.equal(m.abs(m.sub(quarter, m.constant(2))), one)
  const value = m.select(odd, cos, sin)
  return m.select(m.less(one, quarter), m.neg(value), value)
}

/** The sine of r + quarters pi/2. 49 operations. */
export function sine<T, B>(m: Float64Algebra<T, B>, { quarters, r }: Angle<T, Pair<T>>): T {
  const one = m.constant(1)
  const z = m.mul(r.high, r.high)
  const zz = m.mul(z, z)
  const half = m.mul(z, m.constant(0.5))

  const cube = m.mul(m.mul(z, r.high), polynomial(m, z, zz, SINE))
  const sin = m.add(r.high, m.add(cube, m.sub(r.low, m.mul(half, r.low))))

  const top = m.sub(one, half)
  const fourth = m.sub(m.mul(zz, polynomial(m, z, zz, COSINE)), m.mul(r.high, r.low))
  const cos = m.add(top, m.add(m.sub(m.sub(one, top), half), fourth))
  return turned(m, quarters, sin, cos)
}

/** The same to about 2^-36, for results of 24 bits. 33 operations. */
export function narrowSine<T, B>(m: Float64Algebra<T, B>, { quarters, r }: Angle<T, T>): T {
  const z = m.mul(r, r)
  const zz = m.mul(z, z)
  const sin = m.add(r, m.mul(m.mul(z, r), polynomial(m, z, zz, NARROW_SINE)))
  const top = m.sub(m.constant(1), m.mul(z, m.constant(0.5)))
  const cos = m.add(top, m.mul(zz, polynomial(m, z, zz, NARROW_COSINE)))
  return turned(m, quarters, sin, cos)
}

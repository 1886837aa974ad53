// What functions made of e^x share where a float32 is wanted: float64 has bits to spare, so that nothing is a pair, and
// a short polynomial suffices.
import type { Float64Algebra } from './algebra.ts'
import { clamp } from './exponential.ts'
import { polynomial } from './polynomial.ts'

/** (2^f - 1) / f on |f| <= 1/2, interpolated at the zeros of a Chebyshev polynomial: within 6e-12 of it. */
const POWER: readonly number[] = [
  0.6931471805568324, 0.24022650695888503, 0.055504109063258665, 0.00961812913523614, 0.0013333478473685416,
  0.00015403475186530786, 0.000015303700711365693, 0.000001325080551750225,
]

/** A power of two as a product: `scale` times one more than `rest`, which is small where the power is near 1. */
export interface NarrowPower<T> {
  readonly scale: T
  readonly rest: T
}

/** 2^t for |t| <= 1022. 21 operations. */
export function narrowPower<T, B>(m: Float64Algebra<T, B>, t: T): NarrowPower<T> {
  const k = m.round(t)
  const f = m.sub(t, k)
  return { scale: m.power2(k), rest: m.mul(f, polynomial(m, f, m.mul(f, f), POWER)) }
}

/** e^x for x between limits, within which it and its reciprocal are normal. 28 operations. */
export function narrowExponential<T, B>(m: Float64Algebra<T, B>, x: T, low: number, high: number): T {
  const { scale, rest } = narrowPower(m, m.mul(clamp(m, x, low, high), m.constant(Math.LOG2E)))
  return m.mul(scale, m.add(m.constant(1), rest))
}

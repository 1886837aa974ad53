// What functions made of e^x share: e^x = 2^k * e^r with |r| <= ln(2)/2, where a short Taylor series suffices.
import type { Float32Algebra, Float64Algebra } from './algebra.ts'
import type { Pair } from './pair.ts'
import { polynomial } from './polynomial.ts'

/** ln 2 cut to 40 bits, so that its products with integers below 2^13 are exact, and what remains of it. */
export const LN2: Pair<number> = { high: 0.6931471805592082, low: 7.371002565167799e-13 }

/** 1/2!, 1/3!, ... 1/13!: what is left out is below 2^-57 on |r| <= ln(2)/2. */
const INVERSE_FACTORIALS: readonly number[] = [
  1 / 2,
  1 / 6,
  1 / 24,
  1 / 120,
  1 / 720,
  1 / 5_040,
  1 / 40_320,
  1 / 362_880,
  1 / 3_628_800,
  1 / 39_916_800,
  1 / 479_001_600,
  1 / 6_227_020_800,
]

/** x between limits; NaN stays. 4 operations. */
export function clamp<T, B>(m: Float32Algebra<T, B>, x: T, low: number, high: number): T {
  const atLeast = m.select(m.less(x, m.constant(low)), m.constant(low), x)
  return m.select(m.less(m.constant(high), atLeast), m.constant(high), atLeast)
}

export interface Reduced<T> {
  readonly k: T
  readonly r: Pair<T>
}

function taken<T, B>(m: Float64Algebra<T, B>, k: T, x: T, rest: T): Reduced<T> {
  const top = m.sub(x, m.mul(k, m.constant(LN2.high)))
  const high = m.sub(top, rest)
  return { k, r: { high, low: m.sub(m.sub(top, high), rest) } }
}

/** x = k ln 2 + r with integer k and |r| <= ln(2)/2, r as a pair, for |k| < 2^13. 8 operations. */
export function reduce<T, B>(m: Float64Algebra<T, B>, x: T): Reduced<T> {
  const k = m.round(m.mul(x, m.constant(Math.LOG2E)))
  return taken(m, k, x, m.mul(k, m.constant(LN2.low)))
}

/** The same for a pair whose low is below 2^-14, so that r hardly grows. 9 operations. */
export function reducePair<T, B>(m: Float64Algebra<T, B>, { high, low }: Pair<T>): Reduced<T> {
  const k = m.round(m.mul(high, m.constant(Math.LOG2E)))
  return taken(m, k, high, m.sub(m.mul(k, m.constant(LN2.low)), low))
}

/** e^r - 1 - r.high for |r| <= ln(2)/2. 27 operations. */
export function exponentialTail<T, B>(m: Float64Algebra<T, B>, r: Pair<T>): T {
  const square = m.mul(r.high, r.high)
  const series = m.mul(square, polynomial(m, r.high, square, INVERSE_FACTORIALS))
  // The derivative of e^r carries r.low over; its first two terms are enough.
  return m.add(series, m.add(r.low, m.mul(r.low, r.high)))
}

/** Integers a + b = k, each near k/2, so that powers of two beyond the exponent range stay products. 3 operations. */
export function halves<T, B>(m: Float32Algebra<T, B>, k: T): readonly [T, T] {
  const half = m.round(m.mul(k, m.constant(0.5)))
  return [half, m.sub(k, half)]
}

/** x * 2^k for x of modest size and integer |k| <= 2000, or 250 in float32: only the second product can round. 7 operations. */
export function scale<T, B>(m: Float32Algebra<T, B>, x: T, k: T): T {
  const [a, b] = halves(m, k)
  return m.mul(m.mul(x, m.power2(a)), m.power2(b))
}

// Polynomials with constant coefficients, for the series of all functions.
import type { Float64Algebra } from './algebra.ts'

type Sums<T> = Pick<Float64Algebra<T, never>, 'constant' | 'add' | 'mul'>

/**
 * c[0] + c[1] x + c[2] x^2 + ... for at least four coefficients, with xx = x * x. Even and odd powers form two Horner
 * chains that a processor runs side by side. 2 operations per coefficient after the first.
 */
export function polynomial<T>(m: Sums<T>, x: T, xx: T, coefficients: readonly number[]): T {
  const last = coefficients.length - 1
  let one = m.constant(coefficients[last]!)
  let other = m.constant(coefficients[last - 1]!)
  for (let i = last - 2; i >= 0; i -= 2) {
    one = m.add(m.mul(one, xx), m.constant(coefficients[i]!))
    if (i > 0) other = m.add(m.mul(other, xx), m.constant(coefficients[i - 1]!))
  }
  return last % 2 === 0 ? m.add(one, m.mul(x, other)) : m.add(other, m.mul(x, one))
}

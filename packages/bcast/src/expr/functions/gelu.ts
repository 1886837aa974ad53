// Gelu: x Phi(x), where Phi is the normal distribution, with the subnormal tail below 0. The sign is that of x.
// 151 operations, two of them divisions; measured error below 1.3 ulp.
import type { Float64Algebra } from './algebra.ts'
import { exponentialTail, halves, reducePair } from './exponential.ts'
import { normalize, product, quotient, split, square, sum } from './pair.ts'
import { polynomial } from './polynomial.ts'

/** From here on x Phi(-x) is 0 by the ordinary way. */
const LIMIT = 39

/** (t + 5/4) e^(t^2/2) Phi(-t) over t / (t + 6) - 1/2, within 2^-58 for 0 <= t <= 39: the first coefficient ... */
const FIRST = { high: 0.46965002885223966, low: -8.557453075441439e-18 }
/** ... and the others. */
const OTHERS: readonly number[] = [
  -0.2316490913400509, 0.2650771917001913, -0.19879917383515575, -0.030971666776346763, 0.4425226274066573,
  -0.9612518064094724, 1.4125126618216894, -1.5885663801068202, 1.3733337516887727, -0.8436750365024952,
  0.25105037707599276, 0.13380583708377677, -0.2046523410778721, 0.07425055421018191, 0.052585752475752055,
  -0.06367015806851974, 0.0019374349217020131, 0.03315922375891638, -0.010923385941285271, -0.015599766921137737,
  0.006059658648619815, 0.006207002877473484,
]

export function gelu<T, B>(m: Float64Algebra<T, B>, x: T): T {
  const zero = m.constant(0)
  const limit = m.constant(LIMIT)
  const magnitude = m.abs(x)
  const t = m.select(m.less(limit, magnitude), limit, magnitude)

  // e^(-t^2/2) = 2^k p: an error of the square would count as often as the square is large.
  const { high, low } = square(m, t)
  const { k, r } = reducePair(m, { high: m.mul(high, m.constant(-0.5)), low: m.mul(low, m.constant(-0.5)) })
  const p = split(m, sum(m, m.constant(1), r.high, exponentialTail(m, r)))

  const s = m.sub(m.div(t, m.add(t, m.constant(6))), m.constant(0.5))
  const rest = m.mul(s, polynomial(m, s, m.mul(s, s), OTHERS))
  const fitted = split(m, sum(m, m.constant(FIRST.high), rest, m.constant(FIRST.low)))
  const share = quotient(m, { high: t, low: zero }, normalize(m, { high: m.constant(1.25), low: t }))
  const tail = product(m, split(m, product(m, share, fitted)), p)

  // t Phi(-t) for both signs of x: what is below 0, or what x Phi(x) lacks to x.
  const [i, j] = halves(m, k)
  const lacking = m.mul(m.mul(m.add(tail.high, tail.low), m.power2(i)), m.power2(j))
  return m.withSign(m.sub(m.select(m.less(zero, x), x, zero), lacking), x)
}

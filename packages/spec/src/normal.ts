// The error function (ONNX Erf-9) and Gelu (ONNX Gelu-20, approximate = "none") as proved bounds. Both are the integral
// of the normal distribution, whose series e^(-y/2) (1 + y/3 + y^2/(3 5) + …) in y has positive terms only.
import { type Enclosure, encloseExp, exactly, inUnits, justBelowOne, mirrored, one, scaled, zero } from './enclosure.ts'
import { doubleFactorialSeries, enclosing, pi } from './interval.ts'
import { integerSqrt } from './pow.ts'
import { compare, minus, negate, over, plus, powerOfTwo, type Rational, ratio, signOf, times } from './rational.ts'

/** sqrt(n / pi) */
export const rootOverPi = (n: bigint, bits: number): Enclosure => {
  const w = bits + 16
  const { lo, hi } = pi(w)
  const scale = 1n << BigInt(4 * w)
  // n / pi in units of 2^-2w, so that its root is in units of 2^-w.
  const below = integerSqrt((n * scale) / (hi << BigInt(w)))
  const above = integerSqrt((n * scale) / (lo << BigInt(w))) + 1n
  return inUnits({ lo: below, hi: above }, w)
}

const productOfPositive = (a: Enclosure, b: Enclosure): Enclosure => ({ lo: times(a.lo, b.lo), hi: times(a.hi, b.hi) })

/** sqrt(n/pi) e^(-y/2) (1 + y/3 + y^2/(3 5) + …) for y >= 0. */
const density = (n: bigint, y: Rational, bits: number): Enclosure => {
  const w = bits + 32
  const series = inUnits(doubleFactorialSeries(enclosing(y, y, w), w), w)
  const exponent = negate(over(y, ratio(2n)))
  const factors = [series, encloseExp(exponent, exponent, bits + 8), rootOverPi(n, bits + 8)]
  return factors.reduce(productOfPositive)
}

/** erf(x) = 2x/sqrt(pi) e^(-x^2) (1 + y/3 + …) with y = 2 x^2 */
export const encloseErf = (x: Rational, bits: number): Enclosure => {
  if (signOf(x) < 0) return mirrored(encloseErf(negate(x), bits))
  if (signOf(x) === 0) return exactly(zero)
  const square = times(x, x)
  // 1 - erf(x) < e^(-x^2) < 2^(-x^2)
  if (compare(square, ratio(BigInt(bits + 1))) >= 0) return justBelowOne(bits)
  return scaled(density(4n, times(square, ratio(2n)), bits), x)
}

/** e^(t^2/2) times the integral of e^(-u^2/2) from t > 0 on: the continued fraction 1 / (t + 1 / (t + 2 / (t + …))). */
const mills = (t: Rational, bits: number): Enclosure => {
  const convergent = (depth: bigint): Rational => {
    let tail = t
    for (let n = depth; n > 0n; n--) tail = plus(t, over(ratio(n), tail))
    return over(one, tail)
  }
  // All its parts are positive, so that the value lies between two successive convergents, the odd one below.
  for (let depth = 8n; ; depth *= 2n) {
    const bounds = { lo: convergent(depth + 1n), hi: convergent(depth) }
    if (compare(minus(bounds.hi, bounds.lo), times(bounds.lo, powerOfTwo(-bits))) < 0) return bounds
  }
}

const half = ratio(1n, 2n)

/** x Phi(x) with Phi(x) = (1 + erf(x / sqrt(2))) / 2 = (1 + x sqrt(2/pi) e^(-y/2) (1 + y/3 + …)) / 2 with y = x^2 */
export const encloseGelu = (x: Rational, bits: number): Enclosure => {
  if (signOf(x) === 0) return exactly(zero)
  const y = times(x, x)
  // 1 - Phi(x) < e^(-x^2/2) / 2
  if (signOf(x) > 0 && compare(y, ratio(BigInt(2 * bits + 2))) >= 0) return scaled(justBelowOne(bits), x)
  if (compare(x, ratio(-4n)) <= 0) {
    // Phi(x) = sqrt(2/pi) / 2 times the integral of e^(-u^2/2) from |x| on
    const exponent = times(y, negate(half))
    const factors = [mills(negate(x), bits + 8), encloseExp(exponent, exponent, bits + 8), rootOverPi(2n, bits + 8)]
    return scaled(factors.reduce(productOfPositive), times(x, half))
  }
  // Phi(-4) > 2^-15: the sum cancels no more.
  const { lo, hi } = scaled(density(2n, y, bits + 32), x)
  return scaled({ lo: plus(one, lo), hi: plus(one, hi) }, times(x, half))
}

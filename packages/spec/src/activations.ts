// Tanh, Sigmoid, Softplus (ONNX Softplus-1), Elu (ONNX Elu-6) and Gelu by a hyperbolic tangent (ONNX Gelu-20,
// approximate = "tanh") as proved bounds.
import {
  type Enclosure,
  encloseExp,
  encloseLog,
  exactly,
  justBelowOne,
  mirrored,
  one,
  scaled,
  zero,
} from './enclosure.ts'
import { rootOverPi } from './normal.ts'
import {
  compare,
  exponentOf,
  minus,
  negate,
  over,
  plus,
  powerOfTwo,
  type Rational,
  ratio,
  signOf,
  times,
} from './rational.ts'

export const encloseTanh = (x: Rational, bits: number): Enclosure => {
  if (signOf(x) < 0) return mirrored(encloseTanh(negate(x), bits))
  if (signOf(x) === 0) return exactly(zero)
  const twice = times(x, ratio(2n))
  // tanh x >= 1 - 2 e^-2x > 1 - 2^(1-2x)
  if (compare(twice, ratio(BigInt(bits + 2))) >= 0) return justBelowOne(bits)
  // (1 - t) / (1 + t) with t = e^-2x falls as t grows; a small x needs the digits that 1 - t cancels.
  const t = encloseExp(negate(twice), negate(twice), bits, bits + Math.max(0, -exponentOf(x)))
  const fall = (s: Rational): Rational => over(minus(one, s), plus(one, s))
  return { lo: fall(t.hi), hi: fall(t.lo) }
}

/** s / (1 + s) at s = e^x, which grows with x. */
export const logistic = (exponent: Enclosure, bits: number): Enclosure => {
  // 1 / (1 + e^-x) >= 1 - e^-x > 1 - 2^-x
  if (compare(exponent.lo, ratio(BigInt(bits + 1))) >= 0) return justBelowOne(bits)
  const t = encloseExp(exponent.lo, exponent.hi, bits)
  const grow = (s: Rational): Rational => over(s, plus(one, s))
  return { lo: grow(t.lo), hi: grow(t.hi) }
}

/** ln(1 + e^x) */
export const encloseSoftplus = (x: Rational, bits: number): Enclosure => {
  if (signOf(x) > 0) {
    // x + ln(1 + e^-x), and ln(1 + e^-x) < e^-x < 2^-x
    if (compare(x, ratio(BigInt(bits + 1))) >= 0) return { lo: x, hi: plus(x, powerOfTwo(-bits - 1)) }
    const rest = encloseSoftplus(negate(x), bits)
    return { lo: plus(x, rest.lo), hi: plus(x, rest.hi) }
  }
  const t = encloseExp(x, x, bits + 8)
  // t - t^2/2 < ln(1 + t) < t
  const small = compare(t.hi, powerOfTwo(-bits - 1)) < 0
  if (small) return { lo: times(t.lo, minus(one, t.hi)), hi: t.hi }
  return { lo: encloseLog(plus(one, t.lo), bits + 8).lo, hi: encloseLog(plus(one, t.hi), bits + 8).hi }
}

/** alpha (e^x - 1) for x < 0. */
export const encloseElu = (x: Rational, alpha: Rational, bits: number): Enclosure => {
  // e^x < 2^x
  if (compare(x, ratio(BigInt(-bits - 1))) <= 0) return scaled(mirrored(justBelowOne(bits)), alpha)
  // A small x needs the digits that e^x - 1 cancels.
  const t = encloseExp(x, x, bits, bits + Math.max(0, -exponentOf(x)))
  return scaled({ lo: minus(t.lo, one), hi: minus(t.hi, one) }, alpha)
}

/** 2 sqrt(2/pi) (x + 0.044715 x^3): the constants are the real numbers of the text, not floats near them. */
export const geluTanhExponent = (x: Rational, bits: number): Enclosure => {
  const cube = times(times(x, x), times(x, ratio(44715n, 1000000n)))
  return scaled(rootOverPi(8n, bits + 16), plus(x, cube))
}

/** x/2 (1 + tanh(u)) = x / (1 + e^-2u) */
export const encloseGeluTanh = (x: Rational, bits: number): Enclosure =>
  signOf(x) === 0 ? exactly(zero) : scaled(logistic(geluTanhExponent(x, bits + 16), bits), x)

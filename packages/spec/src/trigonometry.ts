// Sin, Cos (ONNX Sin-7, Cos-7: the argument is in radians) and Atan (ONNX Atan-7) as proved bounds.
import { type Enclosure, exactly, inUnits, mirrored, one, zero } from './enclosure.ts'
import { arctan, enclosing, type Interval, pi, sineOrCosine } from './interval.ts'
import {
  compare,
  exponentOf,
  minus,
  nearestEven,
  negate,
  over,
  plus,
  powerOfTwo,
  type Rational,
  ratio,
  signOf,
  times,
} from './rational.ts'

/** x = k pi/2 + r with the integer k that makes r least; r in units of 2^-w, its leading `bits` digits known. */
const reduceAngle = (x: Rational, bits: number): { readonly k: bigint; readonly r: Interval; readonly w: number } => {
  for (let w = bits + 32 + Math.max(0, -exponentOf(x)); ; w *= 2) {
    // An error of pi counts k times, so as many digits more; pi in units of 2^-fine is pi/2 in half of them.
    const fine = w + Math.max(0, exponentOf(x)) + 8
    const { lo, hi } = pi(fine)
    const k = nearestEven(over(times(x, powerOfTwo(fine + 1)), ratio(lo)))
    const whole = enclosing(x, x, fine + 1)
    const [least, most] = k < 0n ? [k * hi, k * lo] : [k * lo, k * hi]
    const unit = powerOfTwo(-fine - 1)
    const r = enclosing(times(ratio(whole.lo - most), unit), times(ratio(whole.hi - least), unit), w)
    const known = r.lo > 0n ? r.lo : r.hi < 0n ? -r.hi : 0n
    if (known >> BigInt(bits + 8) > 0n) return { k, r, w }
  }
}

/** The sine of x + quarters pi/2 for x that is not 0. */
const encloseSine = (x: Rational, quarters: bigint, bits: number): Enclosure => {
  const { k, r, w } = reduceAngle(x, bits)
  const quarter = (((k + quarters) % 4n) + 4n) % 4n
  const value = inUnits(sineOrCosine(quarter % 2n === 0n ? 'sine' : 'cosine', r, w), w)
  return quarter < 2n ? value : mirrored(value)
}

export const encloseSin = (x: Rational, bits: number): Enclosure =>
  signOf(x) === 0 ? exactly(zero) : encloseSine(x, 0n, bits)

export const encloseCos = (x: Rational, bits: number): Enclosure =>
  signOf(x) === 0 ? exactly(one) : encloseSine(x, 1n, bits)

/** arctan(infinity) = pi/2 */
export const encloseHalfPi = (bits: number): Enclosure => inUnits(pi(bits + 8), bits + 9)

const half = ratio(1n, 2n)

export const encloseAtan = (x: Rational, bits: number): Enclosure => {
  if (signOf(x) < 0) return mirrored(encloseAtan(negate(x), bits))
  if (signOf(x) === 0) return exactly(zero)
  if (compare(x, one) > 0) {
    // pi/2 - arctan(1/x) with arctan(1/x) <= pi/4
    const whole = encloseHalfPi(bits + 8)
    const rest = encloseAtan(over(one, x), bits + 8)
    return { lo: minus(whole.lo, rest.hi), hi: minus(whole.hi, rest.lo) }
  }
  if (compare(x, half) > 0) {
    // arctan(x) = arctan(1/2) + arctan((x - 1/2) / (1 + x/2)), and the last argument is at most 1/3.
    const [first, rest] = [half, over(minus(x, half), plus(one, times(x, half)))].map((y) => encloseAtan(y, bits + 8))
    return { lo: plus(first!.lo, rest!.lo), hi: plus(first!.hi, rest!.hi) }
  }
  const w = bits + 16 - exponentOf(x)
  return inUnits(arctan(enclosing(x, x, w), w), w)
}

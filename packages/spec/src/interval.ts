// Fixed-point interval arithmetic with BigInt: an interval holds bounds in units of 2^-w, and every operation rounds its
// bounds outward, so that what is true of the bounds is proved about the number between them.
import {
  absolute,
  ceiling,
  exponentOf,
  floor,
  minus,
  over,
  plus,
  powerOfTwo,
  type Rational,
  ratio,
  times,
} from './rational.ts'

export interface Interval {
  readonly lo: bigint
  readonly hi: bigint
}

const down = (x: bigint, w: number): bigint => x >> BigInt(w)
const up = (x: bigint, w: number): bigint => -(-x >> BigInt(w))

export const enclosing = (lo: Rational, hi: Rational, w: number): Interval => ({
  lo: floor(times(lo, powerOfTwo(w))),
  hi: ceiling(times(hi, powerOfTwo(w))),
})

const add = (a: Interval, b: Interval): Interval => ({ lo: a.lo + b.lo, hi: a.hi + b.hi })
const widen = (a: Interval, units: bigint): Interval => ({ lo: a.lo - units, hi: a.hi + units })

const byInteger = (a: Interval, k: bigint): Interval =>
  k >= 0n ? { lo: a.lo * k, hi: a.hi * k } : { lo: a.hi * k, hi: a.lo * k }

const multiply = (a: Interval, b: Interval, w: number): Interval => {
  const products = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi]
  const least = products.reduce((x, y) => (x < y ? x : y))
  const greatest = products.reduce((x, y) => (x > y ? x : y))
  return { lo: down(least, w), hi: up(greatest, w) }
}

const divideByInteger = (a: Interval, k: bigint): Interval => ({
  lo: floor({ n: a.lo, d: k }),
  hi: ceiling({ n: a.hi, d: k }),
})

const magnitude = (a: Interval): bigint => {
  const lo = absolute(a.lo)
  const hi = absolute(a.hi)
  return lo > hi ? lo : hi
}

/** z + s z^3/3 + s^2 z^5/5 + … for |z| <= 1/2, s = ±1; a power below one unit leaves a remainder below one unit. */
const oddSeries = (z: Interval, w: number, sign: 1n | -1n): Interval => {
  const square = byInteger(multiply(z, z, w), sign)
  let power = z
  let sum = z
  for (let k = 3n; magnitude(power) > 1n; k += 2n) {
    power = multiply(power, square, w)
    sum = add(sum, divideByInteger(power, k))
  }
  return widen(sum, 1n)
}

const artanh = (z: Interval, w: number): Interval => oddSeries(z, w, 1n)

/** The arc tangent of |z| <= 1/2. */
export const arctan = (z: Interval, w: number): Interval => oddSeries(z, w, -1n)

const arctanOfInverse = (n: bigint, w: number): Interval => {
  const inverse = ratio(1n, n)
  return arctan(enclosing(inverse, inverse, w), w)
}

/** A constant, kept at the greatest precision asked for so far. */
const constant = (compute: (w: number) => Interval): ((w: number) => Interval) => {
  let known: { readonly w: number; readonly value: Interval } | undefined
  return (w) => {
    if (known === undefined || known.w < w) known = { w: w + 64, value: compute(w + 64) }
    const surplus = known.w - w
    return { lo: down(known.value.lo, surplus), hi: up(known.value.hi, surplus) }
  }
}

/** ln 2 = 2 artanh(1/3) */
const ln2 = constant((w) => byInteger(artanh(enclosing(ratio(1n, 3n), ratio(1n, 3n), w), w), 2n))

/** pi = 16 arctan(1/5) - 4 arctan(1/239) */
export const pi: (w: number) => Interval = constant((w) =>
  add(byInteger(arctanOfInverse(5n, w), 16n), byInteger(arctanOfInverse(239n, w), -4n)),
)

const one = ratio(1n)

/** ln x for x > 0, not 1, in units of 2^-w; w is at least `bits` beyond the leading digit of the result. */
export const logarithm = (x: Rational, bits: number): { readonly value: Interval; readonly w: number } => {
  // x = m * 2^e with m in [2/3, 4/3], so that a result with e != 0 stays away from zero.
  let e = exponentOf(x)
  let m = times(x, powerOfTwo(-e))
  if (3n * m.n > 4n * m.d) {
    e += 1
    m = times(m, ratio(1n, 2n))
  }
  const distance = minus(m, one)
  const w = bits + 16 + Math.abs(e).toString(2).length + (e === 0 ? Math.max(0, -exponentOf(distance)) : 0)
  const z = over(distance, plus(m, one))
  const fraction = distance.n === 0n ? { lo: 0n, hi: 0n } : byInteger(artanh(enclosing(z, z, w), w), 2n)
  return { value: add(byInteger(ln2(w), BigInt(e)), fraction), w }
}

/** e^x = m * 2^k with m near 1, in units of 2^-w, for an interval x in the same units. */
export const exponential = (x: Interval, w: number): { readonly m: Interval; readonly k: number } => {
  const unit = ln2(w)
  const k = floor({ n: 2n * x.lo + unit.lo, d: 2n * unit.lo })
  const r = add(x, byInteger(unit, -k))
  let term: Interval = { lo: 1n << BigInt(w), hi: 1n << BigInt(w) }
  let sum = term
  // |r| < 1/2, so once a term is below one unit the rest of the series is too.
  for (let n = 1n; magnitude(term) > 1n; n++) {
    term = divideByInteger(multiply(term, r, w), n)
    sum = add(sum, term)
  }
  return { m: widen(sum, 1n), k: Number(k) }
}

/** sin r, from r - r^3/3! + …, or cos r, from 1 - r^2/2! + …, for |r| < 1. */
export const sineOrCosine = (fn: 'sine' | 'cosine', r: Interval, w: number): Interval => {
  const square = byInteger(multiply(r, r, w), -1n)
  const unit = 1n << BigInt(w)
  let term: Interval = fn === 'sine' ? r : { lo: unit, hi: unit }
  let sum = term
  for (let n = fn === 'sine' ? 2n : 1n; magnitude(term) > 1n; n += 2n) {
    term = divideByInteger(multiply(term, square, w), n * (n + 1n))
    sum = add(sum, term)
  }
  return widen(sum, 1n)
}

/** 1 + y/3 + y^2/(3 5) + y^3/(3 5 7) + … for y >= 0. */
export const doubleFactorialSeries = (y: Interval, w: number): Interval => {
  let term: Interval = { lo: 1n << BigInt(w), hi: 1n << BigInt(w) }
  let sum = term
  // Once 2n + 1 is beyond 2y, each term is less than half of the one before, so that the rest is less than a term.
  for (let n = 1n; magnitude(term) > 1n || (2n * n + 1n) << BigInt(w) <= 2n * y.hi; n++) {
    term = divideByInteger(multiply(term, y, w), 2n * n + 1n)
    sum = add(sum, term)
  }
  return { lo: sum.lo, hi: sum.hi + 2n }
}

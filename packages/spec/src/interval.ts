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

/** z + z^3/3 + z^5/5 + … for |z| <= 1/2; a power below one unit leaves a remainder below one unit. */
const artanh = (z: Interval, w: number): Interval => {
  const square = multiply(z, z, w)
  let power = z
  let sum = z
  for (let k = 3n; magnitude(power) > 1n; k += 2n) {
    power = multiply(power, square, w)
    sum = add(sum, divideByInteger(power, k))
  }
  return widen(sum, 1n)
}

let cachedLn2: { readonly w: number; readonly value: Interval } | undefined

/** ln 2 = 2 artanh(1/3), kept at the greatest precision asked for so far. */
const ln2 = (w: number): Interval => {
  if (cachedLn2 === undefined || cachedLn2.w < w) {
    const precise = w + 64
    const third = ratio(1n, 3n)
    cachedLn2 = { w: precise, value: byInteger(artanh(enclosing(third, third, precise), precise), 2n) }
  }
  const surplus = cachedLn2.w - w
  return { lo: down(cachedLn2.value.lo, surplus), hi: up(cachedLn2.value.hi, surplus) }
}

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

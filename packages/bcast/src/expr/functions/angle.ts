// Angles of any size, brought to the nearest multiple of pi/2. A float64 comes as near as 2^-61 to such a multiple and
// has up to 1024 bits before its point, so the product with 2/pi is exact where it matters: modulo 4, to 2^-125. A
// float32 comes as near as 2^-30 with 128 bits before its point, which takes a quarter of the work.
import type { Float64Algebra } from './algebra.ts'
import { normalize, type Pair, split } from './pair.ts'
import { digitsFor, NARROW, WIDE } from './two-over-pi.ts'

/** pi/2 as a part of 26 bits, for exact products, and what remains. */
const HALF_PI: Pair<number> = { high: 1.5707963109016418, low: 1.5893254773528196e-8 }

/** x to the nearest multiple of a power of two, and what remains: adding 3/2 * 2^52 of them rounds. 3 operations. */
function cut<T, B>(m: Float64Algebra<T, B>, x: T, unit: number): Pair<T> {
  const magic = m.constant(1.5 * 2 ** 52 * unit)
  const high = m.sub(m.add(x, magic), magic)
  return { high, low: m.sub(x, high) }
}

/** Terms of which each is a multiple of the next one's last place: their rounded sum, and the errors that it left. */
function carryAll<T, B>(m: Float64Algebra<T, B>, terms: readonly T[]): { readonly total: T; readonly errors: T[] } {
  const errors: T[] = []
  let total = m.add(terms.at(-2)!, terms.at(-1)!)
  for (const term of terms.slice(0, -2).reverse()) {
    const { high, low } = normalize(m, { high: term, low: total })
    total = high
    errors.unshift(low)
  }
  return { total, errors }
}

/** a * 2/pi for a >= pi/4 as terms of falling size, without multiples of 4 in the first two. 103 operations. */
function productTerms<T, B>(m: Float64Algebra<T, B>, a: T): readonly T[] {
  const { scaled, digits } = digitsFor(m, a, WIDE)
  const high = m.high(scaled)
  const rest = m.sub(scaled, high)
  // Halves of 25 bits: both products of a term are multiples of one power of two and their sum fits in 53 bits.
  const halves = digits.slice(0, -1).flatMap((digit, i) => {
    const { high: upper, low: lower } = cut(m, digit, 2 ** (25 - 50 * i))
    return [upper, lower]
  })
  const last = digits.at(-1)!
  // `high` times the very first half is a multiple of 4.
  return halves.map((half, i) => {
    const term = m.add(m.mul(rest, half), i + 1 < halves.length ? m.mul(high, halves[i + 1]!) : m.mul(scaled, last))
    return i < 2 ? cut(m, term, 2 ** (30 - 25 * i)).low : term
  })
}

export interface Angle<T, R> {
  /** How many times pi/2 was taken off, but for a multiple of 4. */
  readonly quarters: T
  /** What is left, at most pi/4 either way. */
  readonly r: R
}

/** The angle a >= 0; NaN for infinity. 158 operations. */
export function reduceAngle<T, B>(m: Float64Algebra<T, B>, a: T): Angle<T, Pair<T>> {
  const { total, errors } = carryAll(m, productTerms(m, a))
  const quarters = m.round(total)
  const rest = carryAll(m, [m.sub(total, quarters), ...errors])
  // Where the leading terms cancel, any of the errors may lead the remaining ones.
  const low = rest.errors.reduceRight((sum, error) => m.add(error, sum))
  const turn = split(m, { high: rest.total, low })
  const { high, low: rounded } = normalize(m, {
    high: m.mul(turn.high, m.constant(HALF_PI.high)),
    low: m.add(m.mul(turn.high, m.constant(HALF_PI.low)), m.mul(turn.low, m.constant(HALF_PI.high + HALF_PI.low))),
  })
  const small = m.less(a, m.constant(Math.PI / 4))
  return { quarters, r: { high: m.select(small, a, high), low: m.select(small, m.constant(0), rounded) } }
}

/** The angle a >= 0 that is a float32, to 2^-64; NaN for infinity. 46 operations. */
export function reduceNarrowAngle<T, B>(m: Float64Algebra<T, B>, a: T): Angle<T, T> {
  const { scaled, digits } = digitsFor(m, a, NARROW)
  const [first, second, third, fourth, fifth] = digits.map((digit) => m.mul(scaled, digit))
  // Without multiples of 4 the sum of the first two is exact, and so is what the quarters leave of it.
  const top = m.add(cut(m, cut(m, first!, 2 ** 20).low, 4).low, cut(m, second!, 4).low)
  const quarters = m.round(m.add(top, third!))
  const { high, low } = normalize(m, { high: m.sub(top, quarters), low: third! })
  const turn = m.add(high, m.add(low, m.add(fourth!, fifth!)))
  return { quarters, r: m.mul(turn, m.constant(Math.PI / 2)) }
}

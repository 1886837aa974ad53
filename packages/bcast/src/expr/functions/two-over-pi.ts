// The digits of 2/pi that the angle of any float can meet, and the choice of those that its exponent asks for.
import type { Float64Algebra } from './algebra.ts'

export interface Table {
  /** Bits of a digit. */
  readonly width: number
  /** 2/pi = sum of digits[i] 2^(-width i), each at most half of 2^width either way. */
  readonly digits: readonly number[]
  /** How many digits an angle needs. */
  readonly count: number
  /** How far the choice may go, as powers of two, the largest first. */
  readonly steps: readonly number[]
  /** An angle of 2^(width q + before) and more does not need the first q digits: they give multiples of 4. */
  readonly before: number
}

/** For float64: what is left out is below 2^-130. Sums of two products of halves of a digit stay exact. */
export const WIDE: Table = {
  width: 50,
  digits: [
    ...[1, -409129764439792, 372321092467999, 366375477893285, 449959087325694, 357954108452630, -532772323875803],
    ...[-153141327541317, -552154249232866, -91866051207940, -413264448918604, 318009698421165, 104995864809942],
    ...[252944799224434, 76934606197380, -343055580268671, 448669181481355, 396003307795674, -20948758520971],
    ...[-51059214542853, -512968752445460, -114598636938008, -148824220850496, -325540135086270, 94571694849147],
  ],
  count: 5,
  steps: [16, 8, 4, 2, 1],
  before: 4,
}

/** For float32: what is left out is below 2^-68. Products of 24 bits and a digit are exact. */
export const NARROW: Table = {
  width: 28,
  digits: [1, -97544137, -28425195, 44024437, 131200309, -35910218, 43358524, 70845472],
  count: 5,
  steps: [2, 1],
  before: 16,
}

export interface Digits<T> {
  /** a * 2^(-width q) for the first digit q that is chosen. */
  readonly scaled: T
  /** The digits, the first of weight 1, the next of weight 2^-width, and so on. */
  readonly digits: readonly T[]
}

/**
 * The digits of 2/pi that matter for a * 2/pi modulo 4. Each step of the search shifts all digits at once.
 * 59 operations for float64, 21 for float32.
 */
export function digitsFor<T, B>(m: Float64Algebra<T, B>, a: T, table: Table): Digits<T> {
  const { width, count, steps, before } = table
  let scaled = a
  let digits = table.digits.map((digit) => m.constant(digit))
  for (const step of steps) {
    const stays = m.less(scaled, m.constant(2 ** (width * step + before)))
    scaled = m.select(stays, scaled, m.mul(scaled, m.constant(2 ** (-width * step))))
    const kept = digits.slice(0, count + step - 1)
    digits = kept.map((digit, i) => (i + step < digits.length ? m.select(stays, digit, digits[i + step]!) : digit))
  }
  return { scaled, digits: digits.map((digit, i) => (i === 0 ? digit : m.mul(digit, m.constant(2 ** (-width * i))))) }
}

// The digits of 2/pi that the angle of any float64 can meet, and the choice of those that its exponent asks for.
import type { Float64Algebra } from './algebra.ts'

/** Bits of a digit. */
const WIDTH = 50

/** 2/pi = sum of DIGITS[i] 2^(-50 i), each of at most 2^49 either way, so that sums of two products stay exact. */
export const DIGITS: readonly number[] = [
  1, -409129764439792, 372321092467999, 366375477893285, 449959087325694, 357954108452630, -532772323875803,
  -153141327541317, -552154249232866, -91866051207940, -413264448918604, 318009698421165, 104995864809942,
  252944799224434, 76934606197380, -343055580268671, 448669181481355, 396003307795674, -20948758520971, -51059214542853,
  -512968752445460, -114598636938008, -148824220850496, -325540135086270, 94571694849147,
]

/** How many digits an angle needs. */
const COUNT = 5

/** How far the choice may go, as powers of two, the largest first. */
const STEPS: readonly number[] = [16, 8, 4, 2, 1]

export interface Digits<T> {
  /** a * 2^(-50 q) for the first digit q that is chosen. */
  readonly scaled: T
  /** Five digits, the first of weight 1, the next of weight 2^-50, and so on. */
  readonly digits: readonly T[]
}

/**
 * The digits of 2/pi that matter for a * 2/pi modulo 4: those before them give multiples of 4, those after them less
 * than 2^-130. q grows by one with each 50 bits of a; each step of the search shifts all digits at once. 59 operations.
 */
export function digitsFor<T, B>(m: Float64Algebra<T, B>, a: T): Digits<T> {
  let scaled = a
  let digits = DIGITS.map((digit) => m.constant(digit))
  for (const step of STEPS) {
    const stays = m.less(scaled, m.constant(2 ** (WIDTH * step + 4)))
    scaled = m.select(stays, scaled, m.mul(scaled, m.constant(2 ** (-WIDTH * step))))
    const kept = digits.slice(0, COUNT + step - 1)
    digits = kept.map((digit, i) => (i + step < digits.length ? m.select(stays, digit, digits[i + step]!) : digit))
  }
  return { scaled, digits: digits.map((digit, i) => (i === 0 ? digit : m.mul(digit, m.constant(2 ** (-WIDTH * i))))) }
}

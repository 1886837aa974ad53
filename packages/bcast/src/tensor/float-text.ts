// Floats in decimal as NumPy writes them: the fewest digits that name the value in its own type, and for a tensor one
// notation and one alignment for all elements. Digits come from exact integers: Number.prototype.toPrecision cannot
// find the shortest decimal of a power of two, whose neighbours lie at unequal distances, nor that of a narrower type.
import { roundToBfloat16 } from '../dtype/bfloat16.ts'
import { roundToFloat16 } from '../dtype/float16.ts'

interface FloatType {
  /** Significant bits, the implicit one included. */
  readonly bits: number
  /** Binary exponent of the smallest subnormal. */
  readonly smallest: number
  readonly round: (x: number) => number
  /** Magnitudes from here on are written with an exponent, in tensors and in scalars: where whole digits get unsure. */
  readonly large: number
  readonly largeScalar: number
}

const types: Readonly<Record<string, FloatType>> = {
  float64: { bits: 53, smallest: -1074, round: (x) => x, large: 1e8, largeScalar: 1e16 },
  float32: { bits: 24, smallest: -149, round: Math.fround, large: 1e6, largeScalar: 1e6 },
  float16: { bits: 11, smallest: -24, round: roundToFloat16, large: 1e3, largeScalar: 1e3 },
  // NumPy has no bfloat16; the others' limit is a power of ten with the digits that always survive the type: here two.
  bfloat16: { bits: 8, smallest: -133, round: roundToBfloat16, large: 1e2, largeScalar: 1e2 },
}

const small = 1e-4
const maxRatio = 1000
/** Digits after the point at most, in tensors; scalars get as many as they need. */
const precision = 8

/** digits[0] . digits[1…] times ten to the exponent; no zeros at the end. */
interface Decimal {
  readonly digits: string
  readonly exponent: number
}

/** Whether the digit at `position` (its power of ten) is the last; `unique` when the digits up to it name the value. */
type Stop = (position: number, leading: number, unique: boolean) => boolean

const float64 = new Float64Array(1)
const words = new Int32Array(float64.buffer)

/** Digits from the left until `stop`, the last one rounded: to where the value is still named, else to nearest even. */
function toDecimal(magnitude: number, { bits, smallest }: FloatType, stop: Stop): Decimal {
  if (magnitude === 0) return { digits: '0', exponent: 0 }
  float64[0] = magnitude
  // The value is an integer times a power of two, which is the step between neighbours in the type.
  const step = Math.max((words[1]! >>> 20) - 1023 - (bits - 1), smallest)
  const significand = BigInt(magnitude / 2 ** step)
  // A quarter step, the distance from a power of two halfway to its lower neighbour, and every digit that may be asked
  // for are integers times ten to the power of `last`; so is everything below.
  const last = Math.min(step - 2, 0) - precision
  const quarter = (step > 2 ? 2n ** BigInt(step - 2) : 5n ** BigInt(2 - step)) * 10n ** BigInt(precision)
  const value = 4n * significand * quarter
  const isPowerOfTwo = significand === 1n << BigInt(bits - 1) && step > smallest
  // A decimal halfway to a neighbour reads back as the one whose significand is even.
  const slack = significand % 2n === 0n ? 1n : 0n
  const below = (isPowerOfTwo ? quarter : 2n * quarter) + slack
  const above = 2n * quarter + slack
  const leading = String(value).length - 1 + last
  for (let position = leading; ; position--) {
    const unit = 10n ** BigInt(position - last)
    const digits = value / unit
    const rest = value % unit
    const namedBelow = rest < below
    const namedAbove = rest + above > unit
    if (!stop(position, leading, namedBelow || namedAbove)) continue
    const nearer = 2n * rest - unit
    const isNearer = nearer > 0n || (nearer === 0n && digits % 2n === 1n)
    const text = String((namedBelow === namedAbove ? isNearer : namedAbove) ? digits + 1n : digits)
    return { digits: text.replace(/(?!^)0+$/, ''), exponent: position + text.length - 1 }
  }
}

const sign = (value: number): string => (value < 0 || Object.is(value, -0) ? '-' : '')

/** What stands before and after the point when no exponent is written. */
function positional(value: number, { digits, exponent }: Decimal): { whole: string; fraction: string } {
  if (exponent < 0) return { whole: `${sign(value)}0`, fraction: '0'.repeat(-exponent - 1) + digits }
  return {
    whole: sign(value) + digits.slice(0, exponent + 1).padEnd(exponent + 1, '0'),
    fraction: digits.slice(exponent + 1),
  }
}

const power = (exponent: number, width: number): string =>
  `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(width, '0')}`

const unbounded = (value: number): string => (Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf')

const maxOf = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), 0)

/** One notation for all: an exponent where the range is too wide for fixed columns. */
function needsExponent(finite: readonly number[], type: FloatType): boolean {
  const magnitudes = finite.filter((value) => value !== 0).map(Math.abs)
  if (magnitudes.length === 0) return false
  const max = maxOf(magnitudes)
  const min = magnitudes.reduce((a, b) => Math.min(a, b))
  // The limits and the quotient are values of the type too.
  return max >= type.large || min < type.round(small) || type.round(max / min) > maxRatio
}

function positionalTexts(finite: readonly number[], type: FloatType): string[] {
  const stop: Stop = (position, _leading, unique) => unique || position === -precision
  const parts = finite.map((value) => positional(value, toDecimal(Math.abs(value), type, stop)))
  const left = maxOf(parts.map(({ whole }) => whole.length))
  const right = maxOf(parts.map(({ fraction }) => fraction.length))
  return parts.map(({ whole, fraction }) => `${whole.padStart(left)}.${fraction.padEnd(right)}`)
}

function exponentTexts(finite: readonly number[], type: FloatType): string[] {
  const shortest = finite.map((value) =>
    toDecimal(Math.abs(value), type, (position, leading, unique) => unique || leading - position === precision),
  )
  const left = maxOf(finite.map((value) => sign(value).length + 1))
  const places = maxOf(shortest.map(({ digits }) => digits.length - 1))
  const width = maxOf(shortest.map(({ exponent }) => Math.max(2, String(Math.abs(exponent)).length)))
  // All get the same number of digits, and these are of the exact value: 0.1 in float16 may read 9.998e-02.
  const stop: Stop = (position, leading) => leading - position === places
  return finite.map((value) => {
    const { digits, exponent } = toDecimal(Math.abs(value), type, stop)
    const whole = (sign(value) + digits[0]!).padStart(left)
    return `${whole}.${digits.slice(1).padEnd(places, '0')}${power(exponent, width)}`
  })
}

/** The values as columns of one width, nan and inf to the right. */
export function floatTexts(dtype: string, values: readonly number[]): string[] {
  const type = types[dtype]!
  const finite = values.filter(Number.isFinite)
  const texts = needsExponent(finite, type) ? exponentTexts(finite, type) : positionalTexts(finite, type)
  let next = 0
  const all = values.map((value) => (Number.isFinite(value) ? texts[next++]! : unbounded(value)))
  const width = maxOf(all.map((text) => text.length))
  return all.map((text) => text.padStart(width))
}

/** One value by itself: all the digits that it needs and no alignment. */
export function floatText(dtype: string, value: number): string {
  if (!Number.isFinite(value)) return unbounded(value)
  const type = types[dtype]!
  const magnitude = Math.abs(value)
  const decimal = toDecimal(magnitude, type, (_position, _leading, unique) => unique)
  if (magnitude === 0 || (magnitude >= small && magnitude < type.largeScalar)) {
    const { whole, fraction } = positional(value, decimal)
    return `${whole}.${fraction || '0'}`
  }
  const { digits, exponent } = decimal
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
  return sign(value) + digits[0]! + fraction + power(exponent, 2)
}

export const isFloatType = (dtype: string): boolean => Object.hasOwn(types, dtype)

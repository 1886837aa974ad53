// The element formats: which numbers a float type holds, how an exact value is rounded into it, how bit patterns spell
// its values, and how integers wrap. IEEE 754 binary formats, and bfloat16 as the upper half of float32.
import { type FloatType, type IntegerType, isSigned, widthOf } from './dtypes.ts'
import { SpecError } from './error.ts'
import { absolute, exponentOf, nearestEven, powerOfTwo, type Rational, ratio, times } from './rational.ts'

/** A floating-point format: its precision and its exponents. */
export interface FloatFormat {
  /** Significant binary digits, the implicit one included. */
  readonly precision: number
  /** Exponent of the smallest normal number. */
  readonly emin: number
  /** Exponent of the largest finite number. */
  readonly emax: number
}

/** The formats of the floating-point types. */
export const floatFormats: Readonly<Record<FloatType, FloatFormat>> = {
  float16: { precision: 11, emin: -14, emax: 15 },
  bfloat16: { precision: 8, emin: -126, emax: 127 },
  float32: { precision: 24, emin: -126, emax: 127 },
  float64: { precision: 53, emin: -1022, emax: 1023 },
}

const view = new DataView(new ArrayBuffer(8))

const doubleBits = (x: number): bigint => {
  view.setFloat64(0, x)
  return view.getBigUint64(0)
}

const doubleOf = (bits: bigint): number => {
  view.setBigUint64(0, bits)
  return view.getFloat64(0)
}

/** 2^k as a double, -1074 <= k <= 1023. Not `2 ** k`, whose accuracy is the engine's business. */
const doublePowerOfTwo = (k: number): number => doubleOf(k >= -1022 ? BigInt(k + 1023) << 52n : 1n << BigInt(k + 1074))

/** The exact value of a finite double. */
export const exact = (x: number): Rational => {
  if (!Number.isFinite(x)) throw new SpecError('value', `${x} is not a rational number`)
  const bits = doubleBits(x)
  const sign = bits >> 63n === 0n ? 1n : -1n
  const exponent = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xf_ffff_ffff_ffffn
  const significand = exponent === 0 ? fraction : fraction | (1n << 52n)
  if (significand === 0n) return { n: 0n, d: 1n }
  const scale = powerOfTwo(Math.max(exponent, 1) - 1075)
  return { n: sign * significand * scale.n, d: scale.d }
}

export const isNegative = (x: number): boolean => x < 0 || Object.is(x, -0)

/** The exponent of the unit in the last place at an exact value that is not zero, in the format. */
export const ulpExponent = (format: FloatFormat, value: Rational): number =>
  Math.max(exponentOf(value), format.emin) - (format.precision - 1)

/**
 * The largest finite number.
 *
 * @example
 * ```ts
 * largest('float16') // 65504
 * ```
 */
export const largest = (dtype: FloatType): number => {
  const { precision, emax } = floatFormats[dtype]
  return Number((1n << BigInt(precision)) - 1n) * doublePowerOfTwo(emax - precision + 1)
}

/**
 * The value of the format nearest to an exact value, ties to even. What rounds to 2^(emax+1) or more is infinite; below
 * the normal numbers the spacing stays that of the smallest ones. An exact zero has no sign of its own: it is given.
 */
export const roundTo = (dtype: FloatType, value: Rational, signOfZero: 1 | -1 = 1): number => {
  if (value.n === 0n) return signOfZero < 0 ? -0 : 0
  const format = floatFormats[dtype]
  const quantum = ulpExponent(format, value)
  const magnitude = nearestEven(times(ratio(absolute(value.n), value.d), powerOfTwo(-quantum)))
  const negative = value.n < 0n
  const overflows = magnitude >> BigInt(format.emax + 1 - quantum) > 0n
  if (overflows) return negative ? -Infinity : Infinity
  const rounded = Number(magnitude) * doublePowerOfTwo(quantum)
  return negative ? -rounded : rounded
}

/**
 * A number (NaN, infinity and signed zero included) rounded into the format.
 *
 * @example
 * ```ts
 * roundNumber('float16', 2049) // 2048
 * ```
 */
export const roundNumber = (dtype: FloatType, x: number): number =>
  Number.isFinite(x) ? roundTo(dtype, exact(x), isNegative(x) ? -1 : 1) : x

/** Whether a number is one of a format's own. */
export const isRepresentable = (dtype: FloatType, x: number): boolean => Object.is(roundNumber(dtype, x), x)

const fields = (dtype: FloatType): { fractionBits: number; exponentBits: number; bias: number } => {
  const { precision, emax } = floatFormats[dtype]
  const width = { float16: 16, bfloat16: 16, float32: 32, float64: 64 }[dtype]
  return { fractionBits: precision - 1, exponentBits: width - precision, bias: emax }
}

/**
 * The value that a bit pattern of the format spells.
 *
 * @example
 * ```ts
 * bitsToNumber('float16', 0x3c00) // 1
 * ```
 */
export const bitsToNumber = (dtype: FloatType, pattern: number | bigint): number => {
  const { fractionBits, exponentBits, bias } = fields(dtype)
  const bits = BigInt(pattern)
  const fraction = bits & ((1n << BigInt(fractionBits)) - 1n)
  const exponent = Number((bits >> BigInt(fractionBits)) & ((1n << BigInt(exponentBits)) - 1n))
  const negative = bits >> BigInt(fractionBits + exponentBits) !== 0n
  if (exponent === 2 ** exponentBits - 1) return fraction !== 0n ? Number.NaN : negative ? -Infinity : Infinity
  const significand = exponent === 0 ? fraction : fraction | (1n << BigInt(fractionBits))
  const magnitude = Number(significand) * doublePowerOfTwo(Math.max(exponent, 1) - bias - fractionBits)
  return negative ? -magnitude : magnitude
}

/**
 * The bit pattern of a number, rounded into the format first; NaN is the positive quiet one without payload.
 *
 * @example
 * ```ts
 * numberToBits('float16', 1) // 0x3c00n
 * ```
 */
export const numberToBits = (dtype: FloatType, x: number): bigint => {
  const { fractionBits, exponentBits, bias } = fields(dtype)
  const infinity = ((1n << BigInt(exponentBits)) - 1n) << BigInt(fractionBits)
  if (Number.isNaN(x)) return infinity | (1n << BigInt(fractionBits - 1))
  const rounded = roundNumber(dtype, x)
  const sign = isNegative(rounded) ? 1n << BigInt(fractionBits + exponentBits) : 0n
  if (rounded === 0) return sign
  if (!Number.isFinite(rounded)) return sign | infinity
  const value = exact(rounded)
  const quantum = ulpExponent(floatFormats[dtype], value)
  const scaled = times(value, powerOfTwo(-quantum))
  const significand = absolute(scaled.n) / scaled.d
  const normal = significand >> BigInt(fractionBits) !== 0n
  const exponent = normal ? BigInt(quantum + fractionBits + bias) : 0n
  return sign | (exponent << BigInt(fractionBits)) | (significand & ((1n << BigInt(fractionBits)) - 1n))
}

/**
 * The least and greatest integer of a type.
 *
 * @example
 * ```ts
 * integerRange('int8') // { min: -128n, max: 127n }
 * ```
 */
export const integerRange = (dtype: IntegerType): { readonly min: bigint; readonly max: bigint } => {
  const width = BigInt(widthOf(dtype))
  return isSigned(dtype)
    ? { min: -(1n << (width - 1n)), max: (1n << (width - 1n)) - 1n }
    : { min: 0n, max: (1n << width) - 1n }
}

/** How an integer of the type is held: 64-bit types as bigint, the others as number. */
const held = (dtype: IntegerType, x: bigint): number | bigint => (widthOf(dtype) === 64 ? x : Number(x))

/**
 * The integer of the type that is congruent modulo 2^width.
 *
 * @example
 * ```ts
 * wrap('int8', 200n) // -56
 * ```
 */
export const wrap = (dtype: IntegerType, x: bigint): number | bigint => {
  const modulus = 1n << BigInt(widthOf(dtype))
  const residue = ((x % modulus) + modulus) % modulus
  return held(dtype, residue > integerRange(dtype).max ? residue - modulus : residue)
}

/**
 * The integer of the type nearest to an integer.
 *
 * @example
 * ```ts
 * saturate('uint8', 300) // 255
 * ```
 */
export const saturate = (dtype: IntegerType, x: bigint): number | bigint => {
  const { min, max } = integerRange(dtype)
  return held(dtype, x < min ? min : x > max ? max : x)
}

// Random elements, leaning on the values where engines part ways: NaN, both zeros, infinities, subnormals, the ends
// of each type, halves for rounding, and plain random bits.

import type { Random } from '../../testing/random.ts'
import { type CaseDType, elementCount, encode, type TensorData } from './case.ts'

/** What elements should look like. */
export interface Flavour {
  /** Share of special values. */
  readonly special?: number
  /** No zero: a divisor that must not fail. */
  readonly nonzero?: boolean
  /** Small magnitudes only: exponents, matrices. */
  readonly small?: boolean
  /** Integers from 0 to this: shift amounts, exponents. */
  readonly upTo?: number
}

const FLOAT_BITS = {
  float16: { mantissa: 10, exponent: 5 },
  bfloat16: { mantissa: 7, exponent: 8 },
  float32: { mantissa: 23, exponent: 8 },
  float64: { mantissa: 52, exponent: 11 },
} as const

export type FloatDType = keyof typeof FLOAT_BITS

export const isFloatType = (dtype: string): dtype is FloatDType => Object.hasOwn(FLOAT_BITS, dtype)

export const isIntegerType = (dtype: string): boolean => /^u?int\d+$/.test(dtype)

export const widthOf = (dtype: string): number => Number(/\d+$/.exec(dtype)?.[0] ?? 8)

/** Bits of specials, positive ones; the sign is drawn apart. */
function specialBits(dtype: FloatDType): bigint[] {
  const { mantissa, exponent } = FLOAT_BITS[dtype]
  const m = BigInt(mantissa)
  const bias = (1n << BigInt(exponent - 1)) - 1n
  const infinity = ((1n << BigInt(exponent)) - 1n) << m
  const one = bias << m
  return [
    infinity | (1n << (m - 1n)),
    0n,
    0n,
    infinity,
    1n,
    (1n << m) - 1n,
    1n << m,
    infinity - 1n,
    one,
    one + 1n,
    one - 1n,
    (bias - 1n) << m,
    one | (1n << (m - 1n)),
    ((bias + 1n) << m) | (1n << (m - 2n)),
  ]
}

const F64 = new Float64Array(1)
const U64 = new BigUint64Array(F64.buffer)
const F32 = new Float32Array(1)
const U32 = new Uint32Array(F32.buffer)

/** A double cut to the bits of a narrower format; how it rounds does not matter for an input. */
export function floatBits(dtype: FloatDType, value: number): bigint {
  if (dtype === 'float64') {
    F64[0] = value
    return U64[0]!
  }
  F32[0] = value
  if (dtype === 'float32') return BigInt(U32[0]!)
  if (dtype === 'bfloat16') return BigInt(U32[0]! >>> 16)
  const bits = U32[0]!
  const sign = (bits >>> 16) & 0x8000
  const exponent = ((bits >>> 23) & 0xff) - 127 + 15
  if (exponent >= 31) return BigInt(sign | 0x7c00)
  if (exponent <= 0) return BigInt(sign)
  return BigInt(sign | (exponent << 10) | ((bits >>> 13) & 0x3ff))
}

function randomFloat(random: Random, dtype: FloatDType, { special = 0.3, small, nonzero }: Flavour): bigint {
  const width = BigInt(dtype === 'bfloat16' ? 16 : widthOf(dtype))
  const signed = (bits: bigint): bigint => (random.chance(0.5) ? bits : bits | (1n << (width - 1n)))
  for (;;) {
    let bits: bigint
    if (random.chance(special)) bits = signed(random.pick(specialBits(dtype)))
    else if (small === true || random.chance(0.7)) bits = floatBits(dtype, random.unit() * 20 - 10)
    else if (random.chance(0.3)) bits = floatBits(dtype, random.below(21) - 10 + (random.chance(0.5) ? 0.5 : 0))
    else bits = BigInt.asUintN(Number(width), (BigInt(random.bits()) << 32n) | BigInt(random.bits()))
    if (nonzero !== true || (bits & ~(1n << (width - 1n))) !== 0n) return bits
  }
}

function randomInteger(random: Random, dtype: string, flavour: Flavour): bigint {
  const width = widthOf(dtype)
  const signed = dtype.startsWith('int')
  const { special = 0.3, nonzero, small, upTo } = flavour
  const low = signed ? -(1n << BigInt(width - 1)) : 0n
  const high = (1n << BigInt(signed ? width - 1 : width)) - 1n
  for (;;) {
    let value: bigint
    if (upTo !== undefined) value = BigInt(random.below(upTo + 1))
    else if (random.chance(special)) value = random.pick([low, high, 0n, 1n, signed ? -1n : high - 1n, low + 1n])
    else if (small === true || random.chance(0.6)) value = BigInt(random.below(21) - (signed ? 10 : 0))
    else value = (BigInt(random.bits()) << 32n) | BigInt(random.bits())
    if (nonzero !== true || BigInt.asUintN(width, value) !== 0n) return BigInt.asUintN(width, value)
  }
}

const WORDS = ['', 'a', 'b', 'ab', 'é', '日本', 'A', '0']

export function bitsToTensor(dtype: CaseDType, shape: readonly number[], bits: readonly bigint[]): TensorData {
  const width = dtype === 'bool' ? 1 : dtype === 'bfloat16' ? 2 : widthOf(dtype) / 8
  const bytes = new Uint8Array(bits.length * width)
  bits.forEach((value, i) => {
    for (let b = 0; b < width; b++) bytes[i * width + b] = Number((value >> BigInt(8 * b)) & 0xffn)
  })
  return encode(dtype, shape, bytes)
}

/** A tensor of random elements. */
export function randomTensor(
  random: Random,
  dtype: CaseDType,
  shape: readonly number[],
  flavour: Flavour = {},
): TensorData {
  const count = elementCount(shape)
  if (dtype === 'string') return { dtype, shape, data: Array.from({ length: count }, () => random.pick(WORDS)) }
  const element = (): bigint => {
    if (dtype === 'bool') return BigInt(random.below(2))
    return isFloatType(dtype) ? randomFloat(random, dtype, flavour) : randomInteger(random, dtype, flavour)
  }
  return bitsToTensor(dtype, shape, Array.from({ length: count }, element))
}

/** A tensor of given values, for cases written by hand. */
export function tensorOf(
  dtype: CaseDType,
  shape: readonly number[],
  values: readonly (number | bigint | boolean | string)[],
): TensorData {
  if (dtype === 'string') return { dtype, shape, data: values.map(String) }
  const bits = values.map((value) => {
    if (dtype === 'bool') return value === true ? 1n : 0n
    if (isFloatType(dtype)) return floatBits(dtype, Number(value))
    return BigInt.asUintN(widthOf(dtype), BigInt(value as number | bigint))
  })
  return bitsToTensor(dtype, shape, bits)
}

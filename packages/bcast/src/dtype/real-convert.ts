// Exact rationals to the other types and to integers: one rounding, done on the exact value.
import { type DType, isWide } from './dtype.ts'
import { integerRange } from './element.ts'
import type { Real } from './real.ts'

export const isZero = (value: Real): boolean => value.n === 0n

/** As a fraction: `-1/3`, `2`. The provided arithmetic may print decimals instead. */
export const formatReal = ({ s, n, d }: Real): string => `${s * n}${d === 1n ? '' : `/${d}`}`

/** The largest integer not above the value. */
export function floorReal({ s, n, d }: Real): bigint {
  const quotient = n / d
  return s < 0n ? -(quotient * d === n ? quotient : quotient + 1n) : quotient
}

export const ceilReal = ({ s, n, d }: Real): bigint => -floorReal({ s: -s, n, d })

/** The nearest integer, halves to even. */
export function roundReal({ s, n, d }: Real): bigint {
  const quotient = n / d
  const twice = 2n * (n - quotient * d)
  const up = twice > d || (twice === d && (quotient & 1n) === 1n)
  const magnitude = up ? quotient + 1n : quotient
  return s < 0n ? -magnitude : magnitude
}

const FORMATS: Partial<Record<DType, { precision: number; lowest: number }>> = {
  float64: { precision: 53, lowest: -1074 },
  float32: { precision: 24, lowest: -149 },
  float16: { precision: 11, lowest: -24 },
  bfloat16: { precision: 8, lowest: -133 },
}

const bitLength = (value: bigint): number => value.toString(2).length

/** The nearest float of a type, ties to even, as a number; too large becomes infinite in the type's own storage. */
export function realToFloat({ s, n, d }: Real, dtype: DType): number {
  if (n === 0n) return 0
  const { precision, lowest } = FORMATS[dtype]!
  let exponent = bitLength(n) - bitLength(d)
  // 2^exponent <= n/d after at most one correction.
  if (exponent >= 0 ? n < d << BigInt(exponent) : n << BigInt(-exponent) < d) exponent--
  const quantum = Math.max(exponent - precision + 1, lowest)
  const scaled = quantum < 0 ? { s: 1n, n: n << BigInt(-quantum), d } : { s: 1n, n, d: d << BigInt(quantum) }
  const significand = Number(roundReal(scaled))
  // Two factors, since 2^quantum alone may lie outside float64's range.
  const half = Math.trunc(quantum / 2)
  const magnitude = significand * 2 ** half * 2 ** (quantum - half)
  return s < 0n ? -magnitude : magnitude
}

/** Truncated toward zero and kept inside the type's range. */
export function realToInteger({ s, n, d }: Real, dtype: DType): number | bigint {
  const truncated = s * (n / d)
  const { min, max } = integerRange(dtype)
  const kept = truncated < min ? min : truncated > max ? max : truncated
  return isWide(dtype) ? kept : Number(kept)
}

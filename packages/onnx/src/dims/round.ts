// The other divisions, all made of floors and extremes: up, toward zero (what ONNX's integer Div does), remainders, and
// scaling by a fraction (what Resize does).
import { isAtLeast } from './bounds.ts'
import type { Dim, DimLike } from './dim.ts'
import { floorDiv } from './divide.ts'
import { DimError } from './errors.ts'
import { max, min } from './extreme.ts'
import { add, mul, neg, sub, toDim } from './polynomial.ts'

/** The smallest integer that is not below p/q. */
export function ceilDiv(p: DimLike, q: DimLike): Dim {
  const divisor = toDim(q)
  return isAtLeast(divisor, 0n) ? floorDiv(add(p, sub(divisor, 1)), divisor) : neg(floorDiv(neg(p), divisor))
}

/** p/q rounded toward zero: below 0 the quotient rounded up, which is at most 0 there; else the one rounded down. */
export const truncDiv = (p: DimLike, q: DimLike): Dim => max(floorDiv(p, q), min(ceilDiv(p, q), 0))

/** The remainder with the divisor's sign, as of ONNX's Mod with fmod = 0. */
export const floorMod = (p: DimLike, q: DimLike): Dim => sub(p, mul(q, floorDiv(p, q)))

/** The remainder with the dividend's sign, as of ONNX's Mod with fmod = 1. */
export const truncMod = (p: DimLike, q: DimLike): Dim => sub(p, mul(q, truncDiv(p, q)))

/** The floor of p times a number, taken exactly: 1.5 is 3/2, and 0.1 is the binary fraction that it really is. */
export function floorScale(p: DimLike, by: number): Dim {
  if (!Number.isFinite(by)) throw new DimError('DIM_VALUE', `A scale is a finite number; got ${by}.`)
  let denominator = 1n
  let numerator = by
  while (!Number.isInteger(numerator)) {
    numerator *= 2
    denominator *= 2n
  }
  return floorDiv(mul(p, BigInt(numerator)), denominator)
}

// Whether an answer is the expected one: dimensions and elements, each with its own idea of equal.

import { type Dim, type DType, dtypeInfo, type SymbolicShape } from 'bcast'
import type { Written } from './case.ts'
import { operatorNamed } from './operators.ts'

export type Element = number | bigint | boolean | string

/** A dimension passes when it is the expected one or tighter. */
export function dimFits(got: Dim, expected: Dim): boolean {
  if (expected === null) return true
  if (got === expected) return true
  if (typeof expected !== 'object') return false
  const { min, max } = expected
  if (typeof got === 'number') return got >= min && (max === null || got <= max)
  if (typeof got === 'object' && got !== null)
    return got.min >= min && (max === null || (got.max !== null && got.max <= max))
  return min === 0 && max === null
}

export function shapeFits(got: SymbolicShape, expected: SymbolicShape): boolean {
  if (expected === null) return true
  return got !== null && got.length === expected.length && got.every((dim, i) => dimFits(dim, expected[i]!))
}

/** Whether an operator is not exact in floating point. */
export const isApproximate = (op: string | undefined): boolean =>
  op === 'Gemm' || operatorNamed(op)?.isApproximate === true

const tolerance = (dtype: string): number => (dtype === 'float16' || dtype === 'bfloat16' ? 2e-3 : 1e-5)

const close = (got: number, expected: number, relative: number): boolean =>
  Math.abs(got - expected) <= relative * Math.abs(expected)

/** Whether an element is the expected one; only an approximate operator may miss it, by a relative tolerance. */
export function elementFits(got: Element, expected: Element, dtype: string, approximate: boolean): boolean {
  if (typeof got === 'number' && typeof expected === 'number') {
    if (got === expected || (Number.isNaN(got) && Number.isNaN(expected))) return true
    return approximate && close(got, expected, tolerance(dtype))
  }
  return got === expected
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}

/** A number rounded to a floating-point type, to nearest even. */
export function toFloat(value: number, dtype: string): number {
  if (dtype === 'float64') return value
  if (dtype === 'float32') return Math.fround(value)
  const { precision, max } = dtypeInfo(dtype as DType)
  const least = 1 - Math.floor(Math.log2(Number(max)))
  if (!Number.isFinite(value) || value === 0) return value
  let exponent = Math.floor(Math.log2(Math.abs(value)))
  // log2 may land on the wrong side of a power of two.
  if (2 ** exponent > Math.abs(value)) exponent--
  else if (2 ** (exponent + 1) <= Math.abs(value)) exponent++
  const step = 2 ** (Math.max(exponent, least) - precision! + 1)
  const rounded = roundHalfEven(value / step) * step
  return Math.abs(rounded) > Number(max) ? Math.sign(value) * Infinity : rounded
}

/** What a file's number means in a type: floats round, integers wrap, booleans are 0 and 1. */
export function castWritten(value: Written, dtype: string): Element {
  if (dtype === 'string') return String(value)
  if (dtype === 'bool') return Number(value) !== 0
  const { isInteger, kind, bits: width } = dtypeInfo(dtype as DType)
  if (!isInteger) return toFloat(Number(value), dtype)
  const whole = BigInt(typeof value === 'number' ? Math.trunc(value) : value)
  const wrapped = kind === 'uint' ? BigInt.asUintN(width, whole) : BigInt.asIntN(width, whole)
  return width === 64 ? wrapped : Number(wrapped)
}

/**
 * Whether an element is the number that a file writes. A decimal that the type cannot hold (0.3333333, 0.1) was
 * rounded when it was written down, so an exact answer may differ from it by the tolerance of a decimal.
 */
export function writtenFits(got: Element, expected: Written, dtype: string, approximate: boolean): boolean {
  const cast = castWritten(expected, dtype)
  if (elementFits(got, cast, dtype, approximate)) return true
  const written = Number(expected)
  const rounded =
    dtypeInfo(dtype as DType).isFloat && Number.isFinite(written) && !Number.isInteger(written) && cast !== written
  return rounded && close(got as number, written, tolerance(dtype))
}

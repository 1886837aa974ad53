// Which way an element type becomes another: floats of all widths, integers by their lower bytes, truth as "not zero".
import { type DType, isFloat } from 'bcast/kernels'
import { bytesOf, isHalf, isSigned } from './types.ts'
import type { Vector } from './vector.ts'

type Converting<W> = (w: W, vector: Vector, from: DType) => Vector
export type Convert<W> = (w: W, vector: Vector, from: DType, to: DType) => Vector

/** The ways that a processor has. */
export interface Conversions<W> {
  /** Truth: elements that are not zero. */
  readonly toMask: Converting<W>
  /** Truth as it lies in memory: bytes of 0 and 1. */
  readonly maskBytes: (w: W, mask: Vector) => Vector
  readonly toFloat32: Converting<W>
  readonly toFloat64: Converting<W>
  readonly toHalf: Convert<W>
  readonly floatToInteger: Convert<W>
  readonly resize: (w: W, vector: Vector, width: number, signed: boolean) => Vector
}

export function converter<W>(ways: Conversions<W>): Convert<W> {
  const { toMask, maskBytes, toFloat32, toFloat64, toHalf, floatToInteger, resize } = ways
  return function convert(w, vector, from, to): Vector {
    if (from === to) return vector
    if (from === 'bool') {
      const numbers = maskBytes(w, vector)
      return to === 'uint8' ? numbers : convert(w, numbers, 'uint8', to)
    }
    if (to === 'bool') return toMask(w, vector, from)
    if (to === 'float32') return toFloat32(w, vector, from)
    if (to === 'float64') return toFloat64(w, vector, from)
    if (isHalf(to)) return toHalf(w, vector, from, to)
    if (isFloat(from)) return floatToInteger(w, vector, from, to)
    return resize(w, vector, bytesOf(to), isSigned(from))
  }
}

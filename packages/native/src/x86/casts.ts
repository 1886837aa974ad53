// Conversions between vectors: floats of all widths, integers by their lower bytes, truth as "not zero".
import { type DType, isFloat, kindOf } from 'bcast/kernels'
import { compared } from './comparison.ts'
import { isHalf } from './halves.ts'
import { resize } from './resize.ts'
import { toFloat32, toFloat64, toHalf } from './to-floats.ts'
import { floatToInteger } from './to-integers.ts'
import { bytesOf, eachPart, type Vector, type Writer } from './vectors.ts'

/** Truth: elements that are not zero. */
export function toMask(w: Writer, vector: Vector, from: DType): Vector {
  if (isHalf(from)) return toMask(w, toFloat32(w, vector, from), 'float32')
  return eachPart(w, [vector], vector.width, ([a], bits) => compared(w, 'notEqual', from, bits, a!, w.zeros()))
}

/** Truth as it lies in memory: bytes of 0 and 1. */
export const maskBytes = (w: Writer, mask: Vector): Vector =>
  eachPart(w, [resize(w, mask, 1, true)], 1, ([a], bits) => w.and(bits, a!, w.constant('uint8', 1)))

export function convert(w: Writer, vector: Vector, from: DType, to: DType): Vector {
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
  return resize(w, vector, bytesOf(to), kindOf(from) === 'int')
}

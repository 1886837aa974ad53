// Conversions between vectors: floats of all widths, integers by their lower bytes, truth as "not zero".
import type { DType } from 'bcast/kernels'
import { type Convert, converter } from '../machine/conversion.ts'
import { isHalf } from '../machine/types.ts'
import { compared } from './comparison.ts'
import { resize } from './resize.ts'
import { toFloat32, toFloat64, toHalf } from './to-floats.ts'
import { floatToInteger } from './to-integers.ts'
import { eachPart, type Vector, type Writer } from './vectors.ts'

/** Truth: elements that are not zero. */
export function toMask(w: Writer, vector: Vector, from: DType): Vector {
  if (isHalf(from)) return toMask(w, toFloat32(w, vector, from), 'float32')
  return eachPart(w, [vector], vector.width, ([a], bits) => compared(w, 'notEqual', from, bits, a!, w.zeros()))
}

/** Truth as it lies in memory: bytes of 0 and 1. */
export const maskBytes = (w: Writer, mask: Vector): Vector =>
  eachPart(w, [resize(w, mask, 1, true)], 1, ([a], bits) => w.and(bits, a!, w.constant('uint8', 1)))

export const convert: Convert<Writer> = converter({
  toMask,
  maskBytes,
  toFloat32,
  toFloat64,
  toHalf,
  floatToInteger,
  resize,
})

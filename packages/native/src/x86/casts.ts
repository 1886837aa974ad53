// Conversions between vectors: floats of all widths, integers by their lower bytes, truth as "not zero". Each float result
// is rounded once from the exact value.
import { type DType, isFloat, kindOf } from 'bcast/kernels'
import { compared } from './comparison.ts'
import { pullTogether, resize, spreadOut } from './resize.ts'
import { bytesOf, eachPart, Unsupported, type Vector, type Writer } from './vectors.ts'

const isHalf = (dtype: DType): boolean => dtype === 'float16' || dtype === 'bfloat16'

/** 16-bit floats as float32. */
function widenHalf(w: Writer, vector: Vector, from: DType): Vector {
  if (from === 'float16') return spreadOut(w, vector, 4, (part, bits) => w.unary('vcvtph2ps', bits, part))
  return eachPart(w, [resize(w, vector, 4, false)], 4, ([a], bits) => w.unary('vpslld', bits, a!, 16))
}

/** float32 as float16, ties to even; NaN keeps its sign alone, as on the other backends. */
function narrowFloat16(w: Writer, vector: Vector): Vector {
  const plain = eachPart(w, [vector], 4, ([a], bits) => {
    const isNumber = compared(w, 'equal', 'float32', bits, a!, a!)
    const quiet = w.chooseBits(bits, w.constant('uint32', 0x80000000), a!, w.constant('uint32', 0x7fc00000))
    return w.choose(bits, isNumber, a!, quiet)
  })
  return pullTogether(w, plain, 2, (part, bits) => w.narrow('vcvtps2ph', bits, part, 0))
}

/** float32 as bfloat16, ties to even; NaN keeps its sign and gets a bit that rounding cannot reach. */
function narrowBfloat16(w: Writer, vector: Vector): Vector {
  const rounded = eachPart(w, [vector], 4, ([a], bits) => {
    const last = w.and(bits, w.unary('vpsrld', bits, a!, 16), w.constant('uint32', 1))
    const up = w.op('vpaddd', bits, w.op('vpaddd', bits, last, w.constant('uint32', 0x7fff)), a!)
    const quiet = w.or(bits, a!, w.constant('uint32', 0x00400000))
    return w.unary('vpsrld', bits, w.choose(bits, compared(w, 'equal', 'float32', bits, a!, a!), up, quiet), 16)
  })
  return resize(w, rounded, 2, false)
}

function toFloat32(w: Writer, vector: Vector, from: DType): Vector {
  if (from === 'float32') return vector
  if (from === 'float64') return pullTogether(w, vector, 4, (part, bits) => w.unary('vcvtpd2ps', bits, part))
  if (isHalf(from)) return widenHalf(w, vector, from)
  const signed = kindOf(from) === 'int'
  if (bytesOf(from) === 8) throw new Unsupported('64-bit integers as floats')
  if (bytesOf(from) === 4 && !signed && !w.isWide) throw new Unsupported('uint32 as floats')
  const name = bytesOf(from) === 4 && !signed ? 'vcvtudq2ps' : 'vcvtdq2ps'
  return eachPart(w, [resize(w, vector, 4, signed)], 4, ([a], bits) => w.unary(name, bits, a!))
}

function toFloat64(w: Writer, vector: Vector, from: DType): Vector {
  if (from === 'float64') return vector
  if (isFloat(from)) {
    return spreadOut(w, toFloat32(w, vector, from), 8, (part, bits) => w.unary('vcvtps2pd', bits, part))
  }
  const signed = kindOf(from) === 'int'
  if (bytesOf(from) === 8) throw new Unsupported('64-bit integers as floats')
  if (bytesOf(from) === 4 && !signed && !w.isWide) throw new Unsupported('uint32 as floats')
  const name = bytesOf(from) === 4 && !signed ? 'vcvtudq2pd' : 'vcvtdq2pd'
  return spreadOut(w, resize(w, vector, 4, signed), 8, (part, bits) => w.unary(name, bits, part))
}

function toHalf(w: Writer, vector: Vector, from: DType, to: DType): Vector {
  // Through float32 others would be rounded twice.
  if (!isHalf(from) && from !== 'float32' && (isFloat(from) || bytesOf(from) >= 4))
    throw new Unsupported('narrow floats')
  const source = toFloat32(w, vector, from)
  return to === 'float16' ? narrowFloat16(w, source) : narrowBfloat16(w, source)
}

/** Floats to int32 and narrower: truncated, saturated, 0 for NaN. */
function floatToInteger(w: Writer, vector: Vector, from: DType, to: DType): Vector {
  const width = bytesOf(to)
  const signed = kindOf(to) === 'int'
  if (from === 'float64' || width === 8 || (width === 4 && !signed)) throw new Unsupported('wide floats as integers')
  const words = eachPart(w, [toFloat32(w, vector, from)], 4, ([a], bits) => {
    // Out of range the instruction gives the lowest number; above, all its bits turned are the highest.
    const cut = w.unary('vcvttps2dq', bits, a!)
    const above = compared(w, 'lessEqual', 'float32', bits, w.constant('float32', 2 ** 31), a!)
    return w.and(bits, w.xor(bits, cut, above), compared(w, 'equal', 'float32', bits, a!, a!))
  })
  if (width === 4) return words
  const count = 2 ** (8 * width)
  const low = signed ? -count / 2 : 0
  const kept = eachPart(w, [words], 4, ([a], bits) => {
    const raised = w.op('vpmaxsd', bits, a!, w.constant('int32', low))
    return w.op('vpminsd', bits, raised, w.constant('int32', low + count - 1))
  })
  return resize(w, kept, width, signed)
}

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

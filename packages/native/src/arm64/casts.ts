// Conversions between vectors: floats of all widths, integers by their lower bytes, truth as "not zero". Each float result
// is rounded once from the exact value.
import { type DType, isFloat } from 'bcast/kernels'
import { type Convert, converter } from '../machine/conversion.ts'
import { bytesOf, isHalf, isSigned } from '../machine/types.ts'
import { narrowed, pullTogether, resize, spreadOut } from './resize.ts'
import { eachPart, type Vector, type Writer } from './vectors.ts'

/** Floats as those of twice the width. */
const widenFloat = (w: Writer, vector: Vector): Vector =>
  spreadOut(w, vector, (part, upper) => w.op(upper ? 'fcvtl2' : 'fcvtl', vector.width, part))

/** 16-bit floats as float32. */
function widenHalf(w: Writer, vector: Vector, from: DType): Vector {
  if (from === 'float16') return widenFloat(w, vector)
  return eachPart(w, [resize(w, vector, 4, false)], 4, (a) => w.shift('shl', 4, a!, 16))
}

/** float32 as float16, ties to even; NaN keeps its sign alone, as on the other backends. */
function narrowFloat16(w: Writer, vector: Vector): Vector {
  const magnitudes = w.constant('uint16', 0x7fff)
  return eachPart(w, [narrowed(w, vector, 'fcvtn')], 2, (a) => {
    // What is larger than infinity is NaN, which is quiet already.
    const kept = w.op('umin', 2, w.and(a!, magnitudes), w.constant('uint16', 0x7e00))
    return w.or(kept, w.op('bic', 1, a!, magnitudes))
  })
}

/** float32 as bfloat16, ties to even; NaN keeps its sign and gets a bit that rounding cannot reach. */
function narrowBfloat16(w: Writer, vector: Vector): Vector {
  const rounded = eachPart(w, [vector], 4, (a) => {
    const last = w.and(w.shift('ushr', 4, a!, 16), w.constant('uint32', 1))
    const up = w.op('add', 4, w.op('add', 4, last, w.constant('uint32', 0x7fff)), a!)
    const quiet = w.or(a!, w.constant('uint32', 0x00400000))
    return w.choose(w.op('fcmeq', 4, a!, a!), up, quiet)
  })
  return pullTogether(rounded, (low, high) => w.op('uzp2', 2, low, high ?? low))
}

/**
 * 64-bit integers as float64 that round to what the integers themselves would: those of more than 53 bits lose eleven,
 * and the last one left says whether anything was lost.
 */
const sticky = (w: Writer, vector: Vector, from: DType): Vector =>
  eachPart(w, [vector], 8, (a) => {
    const lost = w.constant('uint64', 0x7ff)
    const bit = w.and(w.op('cmtst', 8, a!, lost), w.constant('uint64', 0x800))
    const cut = w.or(w.op('bic', 1, a!, lost), bit)
    const magnitude = isSigned(from) ? w.op('abs', 8, a!) : a!
    const isLarge = w.op('cmhs', 8, magnitude, w.constant('uint64', 1n << 53n))
    return w.op(isSigned(from) ? 'scvtf' : 'ucvtf', 8, w.choose(isLarge, cut, a!))
  })

/** Integers as floats of their own width. */
const sameFloat = (w: Writer, vector: Vector, from: DType): Vector =>
  eachPart(w, [vector], vector.width, (a) => w.op(isSigned(from) ? 'scvtf' : 'ucvtf', vector.width, a!))

function toFloat32(w: Writer, vector: Vector, from: DType): Vector {
  if (from === 'float32') return vector
  if (from === 'float64') return narrowed(w, vector, 'fcvtn')
  if (isHalf(from)) return widenHalf(w, vector, from)
  if (bytesOf(from) === 8) return narrowed(w, sticky(w, vector, from), 'fcvtn')
  return sameFloat(w, resize(w, vector, 4, isSigned(from)), from)
}

function toFloat64(w: Writer, vector: Vector, from: DType): Vector {
  if (from === 'float64') return vector
  if (isFloat(from)) return widenFloat(w, toFloat32(w, vector, from))
  return sameFloat(w, resize(w, vector, 8, isSigned(from)), from)
}

/** A 16-bit float, rounded once: wider sources are rounded to odd in float32 first. */
function toHalf(w: Writer, vector: Vector, from: DType, to: DType): Vector {
  const isWide = !isFloat(from) && bytesOf(from) >= 4
  const exact = isWide && bytesOf(from) === 8 ? sticky(w, vector, from) : undefined
  const source =
    isWide || from === 'float64'
      ? narrowed(w, exact ?? toFloat64(w, vector, from), 'fcvtxn')
      : toFloat32(w, vector, from)
  return to === 'float16' ? narrowFloat16(w, source) : narrowBfloat16(w, source)
}

/** Floats to integers: truncated, saturated, 0 for NaN. */
function floatToInteger(w: Writer, vector: Vector, from: DType, to: DType): Vector {
  const width = bytesOf(to)
  const signed = isSigned(to)
  const source = width === 8 ? toFloat64(w, vector, from) : isHalf(from) ? toFloat32(w, vector, from) : vector
  let result = eachPart(w, [source], source.width, (a) => w.op(signed ? 'fcvtzs' : 'fcvtzu', source.width, a!))
  while (result.width > width) result = narrowed(w, result, signed ? 'sqxtn' : 'uqxtn')
  return result
}

/** Truth: elements that are not zero. */
export function toMask(w: Writer, vector: Vector, from: DType): Vector {
  const { width } = vector
  if (isHalf(from)) return eachPart(w, [vector], 2, (a) => w.op('cmtst', 2, a!, w.constant('uint16', 0x7fff)))
  if (!isFloat(from)) return eachPart(w, [vector], width, (a) => w.op('cmtst', width, a!, a!))
  return eachPart(w, [vector], width, (a) => w.op('mvn', 1, w.op('fcmeq', width, a!, w.zeros())))
}

/** Truth as it lies in memory: bytes of 0 and 1. */
export const maskBytes = (w: Writer, mask: Vector): Vector =>
  eachPart(w, [resize(w, mask, 1, true)], 1, (a) => w.and(a!, w.constant('uint8', 1)))

export const convert: Convert<Writer> = converter({
  toMask,
  maskBytes,
  toFloat32,
  toFloat64,
  toHalf,
  floatToInteger,
  resize,
})

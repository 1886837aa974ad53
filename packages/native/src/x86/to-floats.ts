// Numbers as floats: each result is rounded once from the exact value. What has more bits than an intermediate float is
// rounded to odd there, so that the last rounding sees whether anything was lost.
import { type DType, isFloat, kindOf } from 'bcast/kernels'
import { isHalf } from '../machine/types.ts'
import { compared } from './comparison.ts'
import { narrowHalf, widenHalf } from './halves.ts'
import { pullTogether, resize, spreadOut } from './resize.ts'
import type { Virtual } from './steps.ts'
import { bytesOf, eachPart, type Vector, type Writer } from './vectors.ts'

const rounded = (w: Writer, vector: Vector): Vector =>
  pullTogether(w, vector, 4, (part, bits) => w.unary('vcvtpd2ps', bits, part))

const doubled = (w: Writer, vector: Vector): Vector =>
  spreadOut(w, vector, 8, (part, bits) => w.unary('vcvtps2pd', bits, part))

export function toFloat32(w: Writer, vector: Vector, from: DType): Vector {
  if (from === 'float32') return vector
  if (from === 'float64') return rounded(w, vector)
  if (isHalf(from)) return widenHalf(w, vector, from)
  const unsigned = kindOf(from) !== 'int'
  if (bytesOf(from) === 8) {
    if (!w.isWide) return rounded(w, toFloat64(w, oddBeyond53(w, vector, from), from))
    return pullTogether(w, vector, 4, (part, bits) => w.unary(unsigned ? 'vcvtuqq2ps' : 'vcvtqq2ps', bits, part))
  }
  const fills = bytesOf(from) === 4 && unsigned
  if (fills && !w.isWide) return rounded(w, toFloat64(w, vector, from))
  return eachPart(w, [resize(w, vector, 4, !unsigned)], 4, ([a], bits) =>
    w.unary(fills ? 'vcvtudq2ps' : 'vcvtdq2ps', bits, a!),
  )
}

export function toFloat64(w: Writer, vector: Vector, from: DType): Vector {
  if (from === 'float64') return vector
  if (isFloat(from)) return doubled(w, toFloat32(w, vector, from))
  const unsigned = kindOf(from) !== 'int'
  if (bytesOf(from) === 8) return wideToFloat64(w, vector, unsigned)
  const fills = bytesOf(from) === 4 && unsigned
  if (fills && !w.isWide) {
    return eachPart(w, [resize(w, vector, 8, false)], 8, ([a], bits) =>
      w.op('vsubpd', bits, w.or(bits, a!, two52(w)), two52(w)),
    )
  }
  const name = fills ? 'vcvtudq2pd' : 'vcvtdq2pd'
  return spreadOut(w, resize(w, vector, 4, !unsigned), 8, (part, bits) => w.unary(name, bits, part))
}

const two52 = (w: Writer): Virtual => w.constant('float64', 2 ** 52)

/** 64-bit integers: where there is no instruction, the halves are put beneath exponents of their own and added once. */
function wideToFloat64(w: Writer, vector: Vector, unsigned: boolean): Vector {
  return eachPart(w, [vector], 8, ([a], bits) => {
    if (w.isWide) return w.unary(unsigned ? 'vcvtuqq2pd' : 'vcvtqq2pd', bits, a!)
    const upper = w.unary('vpsrlq', bits, a!, 32)
    // With the highest bit turned, a signed half counts from -2 ** 31.
    const turned = unsigned ? upper : w.xor(bits, upper, w.constant('uint64', 1n << 31n))
    const high = w.or(bits, turned, w.constant('float64', 2 ** 84))
    const low = w.or(bits, w.and(bits, a!, w.constant('uint64', 0xffffffffn)), two52(w))
    const surplus = 2 ** 84 + (unsigned ? 0 : 2 ** 63) + 2 ** 52
    return w.op('vaddpd', bits, w.op('vsubpd', bits, high, w.constant('float64', surplus)), low)
  })
}

/** 64-bit integers that float64 holds: beyond 53 bits, the last that stays says whether any below it was set. */
function oddBeyond53(w: Writer, vector: Vector, from: DType): Vector {
  const words = (value: bigint): Virtual => w.constant('uint64', value)
  return eachPart(w, [vector], 8, ([a], bits) => {
    const none = compared(w, 'equal', 'uint64', bits, w.and(bits, a!, words(0x7ffn)), w.zeros())
    const kept = w.and(bits, a!, words(0xffffffff_fffff800n))
    const odd = w.or(bits, kept, w.without(bits, none, words(0x800n)))
    const sign = kindOf(from) === 'int' ? compared(w, 'less', 'int64', bits, a!, w.zeros()) : undefined
    const magnitude = sign === undefined ? a! : w.xor(bits, a!, sign)
    const isSmall = compared(w, 'equal', 'uint64', bits, w.unary('vpsrlq', bits, magnitude, 53), w.zeros())
    return w.choose(bits, isSmall, a!, odd)
  })
}

/** float64 rounded to odd in float32. */
function roundedToOdd(w: Writer, vector: Vector): Vector {
  const near = rounded(w, vector)
  const back = doubled(w, near)
  const magnitude = w.constant('uint64', (1n << 63n) - 1n)
  const inexact = eachPart(w, [back, vector], 8, ([b, x], bits) =>
    w.and(bits, compared(w, 'notEqual', 'float64', bits, b!, x!), compared(w, 'equal', 'float64', bits, x!, x!)),
  )
  const tooLarge = eachPart(w, [back, vector], 8, ([b, x], bits) =>
    compared(w, 'less', 'float64', bits, w.and(bits, x!, magnitude), w.and(bits, b!, magnitude)),
  )
  const masks = [inexact, tooLarge].map((mask) => resize(w, mask, 4, true))
  return eachPart(w, [near, ...masks], 4, ([x, lost, over], bits) => {
    // Toward zero first (one less in magnitude where it was rounded up), then the sticky bit.
    const down = w.op('vpaddd', bits, x!, over!)
    return w.or(bits, down, w.and(bits, lost!, w.constant('uint32', 1)))
  })
}

export function toHalf(w: Writer, vector: Vector, from: DType, to: DType): Vector {
  if (from === 'float64') return narrowHalf(w, roundedToOdd(w, vector), to)
  // Through float32 wide ones would be rounded twice.
  if (isFloat(from) || bytesOf(from) < 4) return narrowHalf(w, toFloat32(w, vector, from), to)
  const held = bytesOf(from) === 8 ? oddBeyond53(w, vector, from) : vector
  return narrowHalf(w, roundedToOdd(w, toFloat64(w, held, from)), to)
}

// Floats as integers: truncated, saturated, 0 for NaN.
import { type DType, kindOf } from 'bcast/kernels'
import { compared } from './comparison.ts'
import type { Bits } from './registers.ts'
import { pullTogether, resize } from './resize.ts'
import type { Virtual } from './steps.ts'
import { toFloat32, toFloat64 } from './to-floats.ts'
import { bytesOf, eachPart, type Vector, type Writer } from './vectors.ts'

/** The extremes of an integer type, as numbers. */
function rangeOf(dtype: DType): readonly [number, number] {
  const count = 2 ** (8 * bytesOf(dtype))
  const low = kindOf(dtype) === 'int' ? -count / 2 : 0
  return [low, low + count - 1]
}

/** 0 for NaN. */
const numbers = (w: Writer, bits: Bits, dtype: 'float32' | 'float64', a: Virtual): Virtual =>
  w.and(bits, a, compared(w, 'equal', dtype, bits, a, a))

/** 0 for NaN and for what is negative: of two that have no order, the instruction gives the second. */
const positive = (w: Writer, bits: Bits, dtype: 'float32' | 'float64', a: Virtual): Virtual =>
  w.op(dtype === 'float32' ? 'vmaxps' : 'vmaxpd', bits, a, w.zeros())

export function floatToInteger(w: Writer, vector: Vector, from: DType, to: DType): Vector {
  if (bytesOf(to) === 8) return floatToWide(w, toFloat64(w, vector, from), kindOf(to) !== 'int')
  if (from === 'float64' || (to === 'uint32' && !w.isWide)) return doubleToWord(w, toFloat64(w, vector, from), to)
  return floatToWord(w, toFloat32(w, vector, from), to)
}

function doubleToWord(w: Writer, vector: Vector, to: DType): Vector {
  const [low, high] = rangeOf(to)
  const kept = eachPart(w, [vector], 8, ([a], bits) => {
    const raised =
      low === 0
        ? positive(w, bits, 'float64', a!)
        : w.op('vmaxpd', bits, numbers(w, bits, 'float64', a!), w.constant('float64', low))
    const limited = w.op('vminpd', bits, raised, w.constant('float64', high))
    return w.isWide || to !== 'uint32' ? limited : w.unary('vroundpd', bits, limited, 11)
  })
  return truncated(w, kept, 'float64', to)
}

function floatToWord(w: Writer, vector: Vector, to: DType): Vector {
  const width = bytesOf(to)
  const words = eachPart(w, [vector], 4, ([a], bits) => {
    if (to === 'uint32') return w.unary('vcvttps2udq', bits, positive(w, bits, 'float32', a!))
    // Out of range the instruction gives the lowest number; above, all its bits turned are the highest.
    const cut = w.unary('vcvttps2dq', bits, a!)
    const above = compared(w, 'lessEqual', 'float32', bits, w.constant('float32', 2 ** 31), a!)
    return w.and(bits, w.xor(bits, cut, above), compared(w, 'equal', 'float32', bits, a!, a!))
  })
  if (width === 4) return words
  const [low, high] = rangeOf(to)
  const kept = eachPart(w, [words], 4, ([a], bits) => {
    const raised = w.op('vpmaxsd', bits, a!, w.constant('int32', low))
    return w.op('vpminsd', bits, raised, w.constant('int32', high))
  })
  return resize(w, kept, width, false)
}

/** Whole numbers that a word holds, and the number above the highest of int32, as integers of up to 32 bits that wrap. */
export function truncated(w: Writer, vector: Vector, from: 'float32' | 'float64', to: DType): Vector {
  const width = bytesOf(to)
  if (from === 'float32') {
    const words = eachPart(w, [vector], 4, ([a], bits) => w.unary('vcvttps2dq', bits, a!))
    return resize(w, words, width, false)
  }
  if (to === 'uint32' && !w.isWide) {
    // Beneath the exponent of 2 ** 52 the digits of a float are those of an integer.
    const digits = eachPart(w, [vector], 8, ([a], bits) => w.op('vaddpd', bits, a!, w.constant('float64', 2 ** 52)))
    return resize(w, digits, 4, false)
  }
  const name = to === 'uint32' ? 'vcvttpd2udq' : 'vcvttpd2dq'
  return resize(
    w,
    pullTogether(w, vector, 4, (part, bits) => w.unary(name, bits, part)),
    width,
    false,
  )
}

function floatToWide(w: Writer, vector: Vector, unsigned: boolean): Vector {
  const float = (value: number): Virtual => w.constant('float64', value)
  return eachPart(w, [vector], 8, ([a], bits) => {
    if (w.isWide && unsigned) return w.unary('vcvttpd2uqq', bits, positive(w, bits, 'float64', a!))
    const above = compared(w, 'lessEqual', 'float64', bits, float(unsigned ? 2 ** 64 : 2 ** 63), a!)
    if (w.isWide) {
      const cut = w.xor(bits, w.unary('vcvttpd2qq', bits, a!), above)
      return w.and(bits, cut, compared(w, 'equal', 'float64', bits, a!, a!))
    }
    // In two halves, whose digits lie beneath an exponent that makes them integers.
    const lowest = unsigned
      ? positive(w, bits, 'float64', a!)
      : w.op('vmaxpd', bits, numbers(w, bits, 'float64', a!), float(-(2 ** 63)))
    const whole = w.unary('vroundpd', bits, lowest, 11)
    const upper = w.unary('vroundpd', bits, w.op('vmulpd', bits, whole, float(2 ** -32)), 9)
    const lower = w.op('vsubpd', bits, whole, w.op('vmulpd', bits, upper, float(2 ** 32)))
    const high = w.unary('vpsllq', bits, w.op('vaddpd', bits, upper, float(unsigned ? 2 ** 52 : 2 ** 52 + 2 ** 51)), 32)
    const low = w.xor(bits, w.op('vaddpd', bits, lower, float(2 ** 52)), float(2 ** 52))
    const highest = w.constant('uint64', unsigned ? (1n << 64n) - 1n : (1n << 63n) - 1n)
    return w.choose(bits, above, highest, w.or(bits, high, low))
  })
}

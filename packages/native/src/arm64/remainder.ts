// Rests of floats, which are exact: those of integers, which fractions are, for as many bits at a time as fit above one.
import type { DType } from 'bcast/kernels'
import { bytesOf } from '../machine/types.ts'
import type { Assembler } from './assembler.ts'
import { convert } from './casts.ts'
import { compared } from './comparison.ts'
import { type Division, laneByLane } from './lanes.ts'
import { X9, X10, X11, X12, X13, X14, X16, X17 } from './registers.ts'
import type { Virtual } from './steps.ts'
import { eachPart, type Vector, type Writer } from './vectors.ts'

const INFINITY = 0x7ff0_0000_0000_0000n
const NOT_A_NUMBER = 0x7ff8_0000_0000_0000n

/** Bits of a fraction with the one before it, and those above it. */
const FRACTION = 53
const ABOVE = 64 - FRACTION

export function remainder(w: Writer, op: Division, dtype: DType, operands: readonly Vector[]): Vector {
  const wide = operands.map((operand) => convert(w, operand, dtype, 'float64'))
  // float32 holds the rest of what it holds.
  const rests = convert(w, laneByLane(w, 8, true, wide, restOf), 'float64', dtype)
  return op === 'rem' ? rests : followingDivisor(w, dtype, rests, operands[1]!)
}

/** Splits a magnitude into a fraction and an exponent; of numbers below all others the exponent is 1, too. */
function split(asm: Assembler, fraction: number, exponent: number, magnitude: number): void {
  const isLeast = asm.label()
  asm.bits(exponent, magnitude, FRACTION - 1, ABOVE, true).bits(fraction, magnitude, 0, FRACTION - 1, true)
  // The one before the fraction is there where the exponent is not 0.
  asm.constant(X17, 1n).compareConstant(exponent, 0).choose('equal', exponent, X17, exponent).jumpIf('equal', isLeast)
  asm
    .shiftLeft(X17, X17, FRACTION - 1)
    .add(fraction, fraction, X17)
    .set(isLeast)
}

/** Puts the rest of X9 by X10 with the sign of X9 into X11. */
function restOf(asm: Assembler): void {
  const [none, signed, again, end] = [asm.label(), asm.label(), asm.label(), asm.label()]
  const [sign, dividend, exponent, count] = [X14, X11, X12, X13]
  asm.bits(sign, X9, 63, 1, true).bits(dividend, X9, 0, 63, true).bits(X10, X10, 0, 63, true)
  asm.constant(X17, INFINITY).jumpIfZero(X10, none).compare(X10, X17).jumpIf('greater', none)
  asm.compare(dividend, X17).jumpIf('greaterEqual', none)
  // What is smaller than the divisor is its own rest.
  asm.compare(dividend, X10).jumpIf('less', signed)
  split(asm, X9, count, dividend)
  asm.move(X16, X10)
  split(asm, X10, exponent, X16)
  asm.subtract(count, count, exponent).divide(X17, X9, X10, false, true).multiplySubtract(dividend, X17, X10, X9, true)
  asm.set(again).jumpIfZero(dividend, signed).constant(X16, BigInt(ABOVE)).compare(count, X16)
  asm.choose('less', X16, count, X16).subtract(count, count, X16).shiftLeftBy(X9, dividend, X16)
  asm.divide(X17, X9, X10, false, true).multiplySubtract(dividend, X17, X10, X9, true)
  asm.jumpUnlessZero(count, again).jumpIfZero(dividend, signed)
  // As far up as the exponent lets it go, where the one before the fraction adds itself to the exponent.
  asm.leadingZeros(X16, dividend).subtractConstant(X16, X16, ABOVE).subtractConstant(X17, exponent, 1)
  asm.compare(X16, X17).choose('less', X16, X16, X17).shiftLeftBy(dividend, dividend, X16)
  asm
    .subtract(X17, X17, X16)
    .shiftLeft(X17, X17, FRACTION - 1)
    .add(dividend, dividend, X17)
  asm.set(signed).shiftLeft(sign, sign, 63).add(X11, dividend, sign).jump(end)
  asm.set(none).constant(X11, NOT_A_NUMBER).set(end)
}

/** The rest with the divisor's sign: a rest of the other sign moves by one divisor, and zero takes the sign. */
function followingDivisor(w: Writer, dtype: DType, rests: Vector, divisors: Vector): Vector {
  const width = bytesOf(dtype)
  const sign = w.constant(width === 4 ? 'uint32' : 'uint64', 1n << BigInt(8 * width - 1))
  return eachPart(w, [rests, divisors], width, (r, y) => {
    const below = (x: Virtual): Virtual => compared(w, 'less', dtype, x, w.zeros())
    const moved = w.choose(w.op('eor', 1, below(r!), below(y!)), w.op('fadd', width, r!, y!), r!)
    return w.choose(compared(w, 'equal', dtype, r!, w.zeros()), w.and(y!, sign), moved)
  })
}

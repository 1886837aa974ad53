// Quotients and rests of integers. Floats that hold both operands exactly give the whole part of a quotient exactly, too:
// it is at least 1 / divisor away from the next whole number, which is more than rounding moves it. Those of 64 bits are
// divided one by one.
import { type DType, kindOf } from 'bcast/kernels'
import { compared } from './comparison.ts'
import { fault } from './faults.ts'
import { RAX, RDX } from './registers.ts'
import { elementwise } from './scalar.ts'
import type { Virtual } from './steps.ts'
import { toFloat32, toFloat64 } from './to-floats.ts'
import { truncated } from './to-integers.ts'
import { bytesOf, eachPart, type Vector, type Writer } from './vectors.ts'

export type Division = 'div' | 'floorDiv' | 'rem' | 'mod'

export function divide(w: Writer, op: Division, dtype: DType, operands: readonly Vector[]): Vector {
  const width = bytesOf(dtype) as 1 | 2 | 4 | 8
  eachPart(w, [operands[1]!], width, ([b], bits, part) => {
    const none = compared(w, 'equal', dtype, bits, b!, w.zeros())
    fault(w, none, width, bits, part)
    return none
  })
  return width === 8 ? divideWide(w, op, dtype, operands) : divideFloats(w, op, dtype, operands)
}

/** The modes of rounding to whole numbers: down, and toward zero. */
const [DOWN, CUT] = [9, 11]

function divideFloats(w: Writer, op: Division, dtype: DType, operands: readonly Vector[]): Vector {
  const small = bytesOf(dtype) < 4
  const [width, suffix] = small ? [4, 'ps' as const] : [8, 'pd' as const]
  const floats = operands.map((operand) => (small ? toFloat32 : toFloat64)(w, operand, dtype))
  const mode = op === 'div' || op === 'rem' ? CUT : DOWN
  const results = eachPart(w, floats, width, ([a, b], bits) => {
    const quotient = w.op(`vdiv${suffix}`, bits, a!, b!)
    const whole = w.unary(`v${w.isWide ? 'rndscale' : 'round'}${suffix}`, bits, quotient, mode)
    if (op === 'div' || op === 'floorDiv') return whole
    return w.op(`vsub${suffix}`, bits, a!, w.op(`vmul${suffix}`, bits, whole, b!))
  })
  return truncated(w, results, small ? 'float32' : 'float64', dtype)
}

function divideWide(w: Writer, op: Division, dtype: DType, operands: readonly Vector[]): Vector {
  const signed = kindOf(dtype) === 'int'
  return eachPart(w, operands, 8, ([a, b], bits) => {
    const is = (value: Virtual, other: Virtual): Virtual => compared(w, 'equal', dtype, bits, value, other)
    // The processor divides neither by 0, nor the lowest number by -1: both are divided by 1.
    const above = w.op('vpsubq', bits, b!, is(b!, w.zeros()))
    const minus = is(b!, w.ones())
    const safe = signed ? w.choose(bits, minus, w.constant(dtype, 1n), above) : above
    w.put(bits, a!, w.buffer(0))
    w.put(bits, safe, w.buffer(1))
    elementwise(w, bits, 8, (asm, of) => {
      asm.move(RAX, of(0))
      if (signed) asm.spreadSign().divideSigned(of(1))
      else asm.clear(RDX).divideUnsigned(of(1))
      asm.store(of(2), RAX).store(of(3), RDX)
    })
    const rest = (): Virtual => w.take(bits, w.buffer(3))
    const quotient = (): Virtual => {
      const plain = w.take(bits, w.buffer(2))
      return signed ? w.choose(bits, minus, w.op('vpsubq', bits, w.zeros(), a!), plain) : plain
    }
    if (op === 'rem' || (op === 'mod' && !signed)) return rest()
    if (op === 'div' || !signed) return quotient()
    const left = rest()
    const differs = compared(w, 'less', 'int64', bits, w.xor(bits, left, b!), w.zeros())
    const isBelow = w.without(bits, is(left, w.zeros()), differs)
    if (op === 'mod') return w.op('vpaddq', bits, left, w.and(bits, isBelow, b!))
    return w.op('vpaddq', bits, quotient(), isBelow)
  })
}

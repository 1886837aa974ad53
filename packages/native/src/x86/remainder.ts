// Rests of floats, which are exact. Where the quotient has few enough bits, the rest is one multiplication and subtraction
// without rounding between them, at most one divisor off; elsewhere the old floating-point unit takes multiples away.
import type { DType } from 'bcast/kernels'
import { convert } from './casts.ts'
import { compared } from './comparison.ts'
import { type Bits, RAX } from './registers.ts'
import { elementwise } from './scalar.ts'
import type { Virtual } from './steps.ts'
import { bytesOf, eachPart, type Vector, type Writer } from './vectors.ts'

export function remainder(w: Writer, op: 'rem' | 'mod', dtype: DType, operands: readonly Vector[]): Vector {
  const wide = operands.map((operand) => convert(w, operand, dtype, 'float64'))
  const rests = eachPart(w, wide, 8, ([a, b], bits) => rest(w, bits, a!, b!))
  // float32 holds the rest of what it holds.
  const rounded = convert(w, rests, 'float64', dtype)
  return op === 'rem' ? rounded : followingDivisor(w, dtype, rounded, operands[1]!)
}

/** The rest with the dividend's sign. */
function rest(w: Writer, bits: Bits, a: Virtual, b: Virtual): Virtual {
  const sign = w.constant('uint64', 1n << 63n)
  const magnitude = (x: Virtual): Virtual => w.and(bits, x, w.constant('uint64', (1n << 63n) - 1n))
  const less = (x: Virtual, y: Virtual): Virtual => compared(w, 'less', 'float64', bits, x, y)
  const quotient = w.op('vdivpd', bits, a, b)
  const whole = w.unary(w.isWide ? 'vrndscalepd' : 'vroundpd', bits, quotient, 11)
  const rough = w.step({ name: 'vfnmadd231pd', bits, before: a, from: whole, operand: b })
  const own = w.and(bits, a, sign)
  // Rounding may have made the quotient one too large, and the rest negative where the dividend counts as positive.
  const turned = w.xor(bits, rough, own)
  const divisor = magnitude(b)
  const right = w.op('vaddpd', bits, turned, w.and(bits, less(turned, w.zeros()), divisor))
  w.put(bits, w.or(bits, magnitude(right), own), w.buffer(2))
  const isShort = less(magnitude(quotient), w.constant('float64', 2 ** 52))
  const isLimited = less(divisor, w.constant('float64', Number.POSITIVE_INFINITY))
  w.put(bits, w.not(bits, w.and(bits, isShort, isLimited)), w.buffer(3))
  w.put(bits, a, w.buffer(0))
  w.put(bits, b, w.buffer(1))
  elementwise(w, bits, 8, (asm, of) => {
    const [again, next] = [asm.label(), asm.label()]
    asm.move(RAX, of(3)).test(RAX, RAX).jumpIf('equal', next)
    asm.pushFloat(of(1)).pushFloat(of(0))
    asm
      .set(again)
      .partialRest()
      .testConstant(RAX, 1 << 10)
      .jumpIf('notEqual', again)
    asm.popFloat(of(2)).dropFloat().set(next)
  })
  return w.take(bits, w.buffer(2))
}

/** The rest with the divisor's sign: a rest of the other sign moves by one divisor, and zero takes the sign. */
function followingDivisor(w: Writer, dtype: DType, rests: Vector, divisors: Vector): Vector {
  const sign = dtype === 'float32' ? w.constant('uint32', 0x80000000) : w.constant('uint64', 1n << 63n)
  const add = dtype === 'float32' ? 'vaddps' : 'vaddpd'
  return eachPart(w, [rests, divisors], bytesOf(dtype), ([r, y], bits) => {
    const below = (x: Virtual): Virtual => compared(w, 'less', dtype, bits, x, w.zeros())
    const moved = w.choose(bits, w.xor(bits, below(r!), below(y!)), w.op(add, bits, r!, y!), r!)
    return w.choose(bits, compared(w, 'equal', dtype, bits, r!, w.zeros()), w.and(bits, y!, sign), moved)
  })
}

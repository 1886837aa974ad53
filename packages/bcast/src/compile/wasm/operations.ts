// Arithmetic on vectors, one function for each kind of instruction. What SIMD lacks (integer division, shifts by
// different amounts, 8-bit and unsigned 64-bit operations) is made from what it has, or done lane by lane.
import { type DType, isFloat, kindOf } from '../../dtype/dtype.ts'
import type { Instruction } from '../../expr/ir.ts'
import type { Assembler, Local } from './assembler.ts'
import { divide, floatRemainder, power, shift } from './lanes.ts'
import {
  bytesOf,
  eachPart,
  integerLanes,
  resizeMask,
  splatBytes,
  splatFloat32,
  splatFloat64,
  type Vector,
  type Writer,
} from './vector.ts'

/** The lane shape of a type: `f32x4`, `i8x16`. */
const lanesOf = (dtype: DType): string =>
  dtype === 'float32' ? 'f32x4' : dtype === 'float64' ? 'f64x2' : integerLanes(bytesOf(dtype))

const sign = (dtype: DType): 's' | 'u' => (kindOf(dtype) === 'int' ? 's' : 'u')

const one = (dtype: DType): Uint8Array =>
  dtype === 'float32' ? splatFloat32(1) : dtype === 'float64' ? splatFloat64(1) : splatBytes(bytesOf(dtype), 1n)
const zero: Uint8Array = new Uint8Array(16)

/** Instructions that are one SIMD instruction of the same name on the type's lanes. */
function direct(op: string, dtype: DType): string | undefined {
  const lanes = lanesOf(dtype)
  if (isFloat(dtype)) {
    const floats: Readonly<Record<string, string>> = {
      add: 'add',
      sub: 'sub',
      mul: 'mul',
      div: 'div',
      neg: 'neg',
      abs: 'abs',
      sqrt: 'sqrt',
      floor: 'floor',
      ceil: 'ceil',
      round: 'nearest',
      equal: 'eq',
      less: 'lt',
      lessEqual: 'le',
    }
    return floats[op] === undefined ? undefined : `${lanes}.${floats[op]}`
  }
  if (op === 'and' || op === 'or' || op === 'xor' || op === 'not') return `v128.${op}`
  if (op === 'add' || op === 'sub' || op === 'neg') return `${lanes}.${op}`
  if (op === 'abs') return sign(dtype) === 's' ? `${lanes}.abs` : undefined
  if (op === 'mul') return bytesOf(dtype) === 1 ? undefined : `${lanes}.mul`
  if (op === 'equal') return `${lanes}.eq`
  if (bytesOf(dtype) === 8 && sign(dtype) === 'u') return undefined
  const suffix = bytesOf(dtype) === 8 ? '_s' : `_${sign(dtype)}`
  if (op === 'less') return `${lanes}.lt${suffix}`
  if (op === 'lessEqual') return `${lanes}.le${suffix}`
  if ((op === 'min' || op === 'max') && bytesOf(dtype) < 8) return `${lanes}.${op}${suffix}`
  return undefined
}

/** Brings truth values to one width. */
function sameWidth(w: Writer, vectors: readonly Vector[]): readonly Vector[] {
  const width = Math.max(...vectors.map((vector) => vector.width))
  return vectors.map((vector) => resizeMask(w, vector, width))
}

const push = (asm: Assembler, parts: readonly Local[]): Assembler => {
  for (const part of parts) asm.get(part)
  return asm
}

/** a < b for unsigned 64-bit lanes: with the sign bits flipped it is the signed comparison. */
function compareUnsigned64(w: Writer, op: string, operands: readonly Vector[]): Vector {
  const flip = w.constant(splatBytes(8, 1n << 63n))
  const name = op === 'less' ? 'i64x2.lt_s' : 'i64x2.le_s'
  return eachPart(w, operands, 8, ([a, b]) => {
    w.asm.get(a!).get(flip).op('v128.xor').get(b!).get(flip).op('v128.xor').op(name)
  })
}

function compare(w: Writer, op: string, dtype: DType, operands: readonly Vector[]): Vector {
  if (dtype === 'bool') {
    const [a, b] = sameWidth(w, operands) as [Vector, Vector]
    return eachPart(w, [a, b], a.width, ([x, y]) => {
      // Truth orders false before true.
      if (op === 'equal') w.asm.get(x!).get(y!).op('v128.xor').op('v128.not')
      else if (op === 'less') w.asm.get(y!).get(x!).op('v128.andnot')
      else w.asm.get(x!).op('v128.not').get(y!).op('v128.or')
    })
  }
  const name = direct(op, dtype)
  if (name === undefined) return compareUnsigned64(w, op, operands)
  return eachPart(w, operands, bytesOf(dtype), (parts) => push(w.asm, parts).op(name))
}

/** min and max where SIMD has none: 64-bit lanes. */
function extreme64(w: Writer, op: string, dtype: DType, operands: readonly Vector[]): Vector {
  const [a, b] = operands as [Vector, Vector]
  const smaller = compare(w, 'less', dtype, [a, b])
  return eachPart(w, [a, b, smaller], 8, ([x, y, c]) => {
    if (op === 'min') w.asm.get(x!).get(y!).get(c!).op('v128.bitselect')
    else w.asm.get(y!).get(x!).get(c!).op('v128.bitselect')
  })
}

/**
 * min and max of floats: NaN if either is, and -0 below +0. Both ways of asking agree but where an operand is NaN (then
 * one way gives it, and its exponent wins) and for zeros (then signs differ). The platform's own instruction does the
 * same and normalises NaN, which takes as long again.
 */
function extremeFloat(w: Writer, op: string, dtype: DType, operands: readonly Vector[]): Vector {
  const { asm } = w
  const lanes = lanesOf(dtype)
  const [one, other] = [asm.local('v128'), asm.local('v128')]
  return eachPart(w, operands, bytesOf(dtype), ([a, b]) => {
    asm.get(a!).get(b!).op(`${lanes}.p${op}`).set(one)
    asm.get(b!).get(a!).op(`${lanes}.p${op}`).set(other)
    asm.get(one).get(other).op('v128.or')
    // Zeros of both signs: -0 is right for min; for max, -0 less -0 is +0.
    if (op === 'max') asm.get(one).get(other).op('v128.xor').op(`${lanes}.sub`)
  })
}

/** 8-bit lanes multiply as 16-bit ones; the lower bytes are the product modulo 256. */
function multiply8(w: Writer, operands: readonly Vector[]): Vector {
  const even = Array.from({ length: 16 }, (_, i) => i * 2)
  return eachPart(w, operands, 1, ([a, b]) => {
    for (const half of ['low', 'high']) {
      for (const part of [a!, b!]) w.asm.get(part).op(`i16x8.extend_${half}_i8x16_u`)
      w.asm.op('i16x8.mul')
    }
    w.asm.shuffle(even)
  })
}

function signOf(w: Writer, dtype: DType, [x]: readonly Vector[]): Vector {
  const width = bytesOf(dtype)
  const lanes = lanesOf(dtype)
  const none = w.constant(zero)
  if (isFloat(dtype)) {
    const unit = w.constant(one(dtype))
    const negative = w.constant(dtype === 'float32' ? splatFloat32(-1) : splatFloat64(-1))
    return eachPart(w, [x!], width, ([a]) => {
      // Adding 0 keeps NaN and turns -0 into 0.
      const { asm } = w
      asm.get(unit)
      asm.get(negative).get(a!).get(none).op(`${lanes}.add`).get(a!).get(none).op(`${lanes}.lt`).op('v128.bitselect')
      asm.get(a!).get(none).op(`${lanes}.gt`).op('v128.bitselect')
    })
  }
  if (sign(dtype) === 'u') {
    const unit = w.constant(one(dtype))
    return eachPart(w, [x!], width, ([a]) => {
      w.asm.get(a!).get(none).op(`${lanes}.ne`).get(unit).op('v128.and')
    })
  }
  return eachPart(w, [x!], width, ([a]) => {
    // Masks are -1 where true, so their difference is the sign.
    w.asm.get(a!).get(none).op(`${lanes}.lt_s`).get(a!).get(none).op(`${lanes}.gt_s`).op(`${lanes}.sub`)
  })
}

/** Bit operations on float64 that the shared functions are made of; functions/algebra.ts gives their formulas. */
function float64Bits(w: Writer, op: string, operands: readonly Vector[]): Vector {
  const { asm } = w
  const bits = (value: bigint): Local => w.constant(splatBytes(8, value))
  const float = (value: number): Local => w.constant(splatFloat64(value))
  return eachPart(w, operands, 8, ([a, b]) => {
    switch (op) {
      case 'withSign':
        return asm
          .get(b!)
          .get(a!)
          .get(bits(1n << 63n))
          .op('v128.bitselect')
      case 'power2':
        return asm
          .get(a!)
          .get(float(2 ** 52 + 1023))
          .op('f64x2.add')
          .i32(52)
          .op('i64x2.shl')
      case 'exponent':
        asm.get(a!).get(bits(0x00095f62_00000000n)).op('i64x2.add').i32(52).op('i64x2.shr_u')
        return asm
          .get(bits(0x43300000_00000000n))
          .op('v128.or')
          .get(float(2 ** 52 + 1023))
          .op('f64x2.sub')
      case 'mantissa':
        asm.get(a!).get(bits(0x00095f62_00000000n)).op('i64x2.add').get(bits(0x000fffff_ffffffffn)).op('v128.and')
        return asm.get(bits(0x3fe6a09e_00000000n)).op('i64x2.add')
      default:
        return asm.get(a!).get(bits(0xffffffff_f8000000n)).op('v128.and')
    }
  })
}

const FLOAT64_BITS = new Set(['withSign', 'power2', 'exponent', 'mantissa', 'high'])

/** Instructions that kernels compute; strings and rationals are left to the interpreter. */
export const isSupported = ({ dtype }: Instruction): boolean => dtype !== 'real' && dtype !== 'string'

/** Emits one instruction; `dtypes` are the operands' types. */
export function emitOperation(
  w: Writer,
  { op, dtype }: Instruction,
  operands: readonly Vector[],
  dtypes: readonly DType[],
): Vector {
  const { asm } = w
  const width = bytesOf(dtype)
  if (op === 'select') {
    const [condition, a, b] = operands as [Vector, Vector, Vector]
    const wide = dtype === 'bool' ? sameWidth(w, operands) : [resizeMask(w, condition, width), a, b]
    return eachPart(w, wide, wide[1]!.width, ([c, x, y]) => asm.get(x!).get(y!).get(c!).op('v128.bitselect'))
  }
  if (op === 'equal' || op === 'less' || op === 'lessEqual') return compare(w, op, dtypes[0]!, operands)
  if (dtype === 'bool') {
    const masks = sameWidth(w, operands)
    return eachPart(w, masks, masks[0]!.width, (parts) => push(asm, parts).op(`v128.${op}`))
  }
  if (FLOAT64_BITS.has(op)) return float64Bits(w, op, operands)
  if (op === 'power') return power(w, operands, dtypes)
  if ((op === 'rem' || op === 'mod') && isFloat(dtype)) return floatRemainder(w, op, dtype, operands)
  if (op === 'sign') return signOf(w, dtype, operands)
  if (op === 'shl' || op === 'shr') return shift(w, op, dtype, operands)
  const name = direct(op, dtype)
  if (name !== undefined) return eachPart(w, operands, width, (parts) => push(asm, parts).op(name))
  if (op === 'mul') return multiply8(w, operands)
  if (op === 'abs') return operands[0]!
  if (op === 'min' || op === 'max') return (isFloat(dtype) ? extremeFloat : extreme64)(w, op, dtype, operands)
  return divide(w, op, dtype, operands)
}

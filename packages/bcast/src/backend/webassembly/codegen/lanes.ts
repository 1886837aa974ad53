// What SIMD lacks, done lane by lane on scalars: integer division and powers, shifts by different amounts, remainders
// of floats. Lanes past the row's end are computed too and must neither trap nor count as faults.
import { type DType, isFloat, kindOf } from '../../../dtype/dtype.ts'
import type { Assembler, Local } from './assembler.ts'
import type { Emit } from './emitters.ts'
import { lanewise } from './lanewise.ts'
import * as wasm from './opcodes.ts'
import {
  bytesOf,
  eachPart,
  integerLanes,
  isUniform,
  partAt,
  resize,
  splat,
  type Vector,
  type Writer,
  zeros,
} from './vector.ts'

const sign = (dtype: DType): 's' | 'u' => (kindOf(dtype) === 'int' ? 's' : 'u')

/** The instruction that takes an integer out of its lane. */
function extractLane(width: number, signed: boolean): number {
  if (width >= 4) return wasm.extract_lane[width === 8 ? 'i64x2' : 'i32x4']
  return (signed ? wasm.extract_lane_s : wasm.extract_lane_u)[width === 1 ? 'i8x16' : 'i16x8']
}

/** A constant of 32 or 64 bits. */
const integer = (asm: Assembler, wide: boolean, value: number): Assembler =>
  wide ? asm.i32(value).op(wasm.i64_extend_i32_s) : asm.i32(value)

/** Runs `compute` for each lane on scalars: it gets i32 or i64 locals and must leave one on the stack. */
function laneByLane(
  w: Writer,
  dtype: DType,
  operands: readonly Vector[],
  compute: (values: readonly Local[], lane: number) => void,
): Vector {
  const { asm } = w
  const width = bytesOf(dtype)
  const lanes = integerLanes(width)
  const scalar = width === 8 ? 'i64' : 'i32'
  const extract = extractLane(width, sign(dtype) === 's')
  const values = operands.map(() => asm.local(scalar))
  const uniform = operands.every(isUniform)
  const count = uniform ? 1 : Math.max(...operands.map(({ parts }) => parts.length))
  const parts = Array.from({ length: count }, (_, i) => {
    const result = asm.local('v128')
    const perPart = uniform ? 1 : Math.min(16 / width, w.lanes)
    for (let lane = 0; lane < perPart; lane++) {
      operands.forEach((operand, o) => {
        asm.get(partAt(operand, i)).lane(extract, lane).set(values[o]!)
      })
      if (!uniform) asm.get(result)
      compute(values, uniform ? 0 : (i * 16) / width + lane)
      if (uniform) asm.op(wasm.splat[lanes])
      else asm.lane(wasm.replace_lane[lanes], lane)
      asm.set(result)
    }
    return result
  })
  return { width, parts, uniform }
}

/** Integer division and its rests. A zero divisor in a lane that counts sets the fault and is replaced by 1. */
function divide(w: Writer, op: 'div' | 'floorDiv' | 'rem' | 'mod', dtype: DType, operands: readonly Vector[]): Vector {
  const { asm } = w
  const wide = bytesOf(dtype) === 8
  const t = wide ? 'i64' : 'i32'
  const signed = sign(dtype) === 's'
  const number = (value: number): Assembler => integer(asm, wide, value)
  const quotient = asm.local(t)
  const rest = asm.local(t)
  return laneByLane(w, dtype, operands, ([a, b], lane) => {
    asm
      .get(b!)
      .op(wasm.eqz[t])
      .if(() => {
        asm.get(w.left).i32(lane).op(wasm.i32_gt_s).get(w.fault).op(wasm.i32_or).set(w.fault)
        number(1).set(b!)
      })
    if (!signed) {
      asm
        .get(a!)
        .get(b!)
        .op((op === 'div' || op === 'floorDiv' ? wasm.div_u : wasm.rem_u)[t])
      return
    }
    asm.get(a!).get(b!).op(wasm.rem_s[t]).set(rest)
    const roundedDown = () => {
      asm.get(rest).op(wasm.eqz[t]).op(wasm.i32_eqz).get(rest).get(b!).op(wasm.xor[t])
      return number(0).op(wasm.lt_s[t]).op(wasm.i32_and)
    }
    if (op === 'rem' || op === 'mod') {
      if (op === 'mod') roundedDown().if(() => asm.get(rest).get(b!).op(wasm.add[t]).set(rest))
      asm.get(rest)
      return
    }
    // MIN / -1 is the one quotient that does not fit and traps; negating wraps as decided.
    asm.get(b!)
    number(-1)
      .op(wasm.eq[t])
      .if(
        () => number(0).get(a!).op(wasm.sub[t]).set(quotient),
        () => asm.get(a!).get(b!).op(wasm.div_s[t]).set(quotient),
      )
    if (op === 'floorDiv') {
      roundedDown().if(() => {
        asm.get(quotient)
        number(1).op(wasm.sub[t]).set(quotient)
      })
    }
    asm.get(quotient)
  })
}

/** Shifts by amounts that may differ from lane to lane; amounts lie within the type's width. */
function shift(w: Writer, codes: typeof wasm.shl, dtype: DType, operands: readonly Vector[]): Vector {
  const { asm } = w
  const [x, amount] = operands as [Vector, Vector]
  const width = bytesOf(dtype)
  const lanes = integerLanes(width)
  if (amount.uniform) {
    const count = asm.local('i32')
    asm.get(amount.parts[0]!)
    asm.lane(extractLane(width, false), 0)
    if (width === 8) asm.op(wasm.i32_wrap_i64)
    asm.set(count)
    return eachPart(w, [x], width, ([a]) => asm.get(a!).get(count).op(codes[lanes]))
  }
  const t = width === 8 ? 'i64' : 'i32'
  return laneByLane(w, dtype, operands, ([a, b]) => {
    asm.get(a!).get(b!).op(codes[t])
  })
}

/** Integer powers by squaring, in words wide enough for both operands; the lower bytes are the power in the type. */
export const power: Emit = (w, operands, _, [base, exponent]) => {
  const { asm } = w
  const wide = bytesOf(base!) === 8
  const width = wide ? 8 : 4
  const t = wide ? 'i64' : 'i32'
  const signed = kindOf(exponent!) === 'int'
  const words = operands.map((operand, i) => resize(w, operand, width, kindOf(i === 0 ? base! : exponent!) === 'int'))
  const number = (value: number): Assembler => integer(asm, wide, value)
  const result = asm.local(t)
  const word: DType = wide ? 'int64' : 'int32'
  const powers = laneByLane(w, word, words, ([x, n], lane) => {
    number(1).set(result)
    if (signed) {
      asm.get(n!)
      number(0)
        .op(wasm.lt_s[t])
        .if(() => {
          asm
            .get(x!)
            .op(wasm.eqz[t])
            .get(w.left)
            .i32(lane)
            .op(wasm.i32_gt_s)
            .op(wasm.i32_and)
            .get(w.fault)
            .op(wasm.i32_or)
            .set(w.fault)
          // Only 1 and -1 have a whole reciprocal; their powers repeat with the exponent's parity.
          asm.get(x!)
          number(1).op(wasm.eq[t]).get(x!)
          number(kindOf(base!) === 'int' ? -1 : 1)
            .op(wasm.eq[t])
            .op(wasm.i32_or)
            .if(
              () => {
                asm.get(n!)
                number(1).op(wasm.and[t]).set(n!)
              },
              () => {
                number(0).set(result)
                number(0).set(n!)
              },
            )
        })
    }
    asm.block(() => {
      asm.loop(() => {
        asm.get(n!).op(wasm.eqz[t]).brIf(1)
        asm.get(n!)
        number(1).op(wasm.and[t])
        if (wide) asm.op(wasm.i32_wrap_i64)
        asm.if(() => asm.get(result).get(x!).op(wasm.mul[t]).set(result))
        asm.get(x!).get(x!).op(wasm.mul[t]).set(x!)
        asm.get(n!)
        number(1).op(wasm.shr_u[t]).set(n!)
        asm.br(0)
      })
    })
    asm.get(result)
  })
  return resize(w, powers, bytesOf(base!), false)
}

/** The remainder of floats. WebAssembly has none, so the platform's own is imported. */
function floatRemainder(w: Writer, op: 'rem' | 'mod', dtype: DType, operands: readonly Vector[]): Vector {
  const { asm } = w
  const single = dtype === 'float32'
  const lanes = single ? 'f32x4' : 'f64x2'
  const width = bytesOf(dtype)
  const [a, b] = operands as [Vector, Vector]
  const scalar = (part: Local, lane: number): void => {
    asm.get(part).lane(wasm.extract_lane[lanes], lane)
    if (single) asm.op(wasm.f64_promote_f32)
  }
  const rest = eachPart(w, [a, b], width, ([x, y]) => {
    const count = isUniform(a) && isUniform(b) ? 1 : 16 / width
    for (let lane = 0; lane < count; lane++) {
      scalar(x!, lane)
      scalar(y!, lane)
      asm.callRemainder()
      if (single) asm.op(wasm.f32_demote_f64)
      if (lane === 0) asm.op(wasm.splat[lanes])
      else asm.lane(wasm.replace_lane[lanes], lane)
    }
  })
  if (op === 'rem') return rest
  const none = zeros(w)
  const signBit = splat(w, dtype, -0)
  return eachPart(w, [rest, b], width, ([r, y]) => {
    // A zero rest takes the divisor's sign; a rest of the other sign moves by one divisor.
    asm.get(y!).get(signBit).op(wasm.v128_and)
    asm.get(r!).get(y!).op(wasm.add[lanes]).get(r!)
    asm
      .get(r!)
      .get(none)
      .op(wasm.lt[lanes])
      .get(y!)
      .get(none)
      .op(wasm.lt[lanes])
      .op(wasm.v128_xor)
      .op(wasm.v128_bitselect)
    asm.get(r!).get(none).op(wasm.eq[lanes]).op(wasm.v128_bitselect)
  })
}

const floatDivide: Emit = /* @__PURE__ */ lanewise(wasm.div)

export const div: Emit = (w, operands, dtype, dtypes) =>
  isFloat(dtype) ? floatDivide(w, operands, dtype, dtypes) : divide(w, 'div', dtype, operands)

export const floorDiv: Emit = (w, operands, dtype) => divide(w, 'floorDiv', dtype, operands)

export const rem: Emit = (w, operands, dtype) => (isFloat(dtype) ? floatRemainder : divide)(w, 'rem', dtype, operands)

export const mod: Emit = (w, operands, dtype) => (isFloat(dtype) ? floatRemainder : divide)(w, 'mod', dtype, operands)

export const shl: Emit = (w, operands, dtype) => shift(w, wasm.shl, dtype, operands)

export const shr: Emit = (w, operands, dtype) =>
  shift(w, sign(dtype) === 's' ? wasm.shr_s : wasm.shr_u, dtype, operands)

// Operations on bits: of integers, of masks, and of float64 as the shared functions need them.
import type { Local } from './assembler.ts'
import { sameWidth } from './comparison.ts'
import type { Emit } from './emitters.ts'
import { push } from './lanewise.ts'
import * as wasm from './opcodes.ts'
import { eachPart, splat, type Writer } from './vector.ts'

/** Bits know no lanes; truth values must be of one width. */
const bitwise =
  (code: number): Emit =>
  (w, operands, dtype) => {
    const vectors = dtype === 'bool' ? sameWidth(w, operands) : operands
    return eachPart(w, vectors, vectors[0]!.width, (parts) => push(w.asm, parts).op(code))
  }

export const and: Emit = /* @__PURE__ */ bitwise(wasm.and.v128)
export const or: Emit = /* @__PURE__ */ bitwise(wasm.or.v128)
export const xor: Emit = /* @__PURE__ */ bitwise(wasm.xor.v128)
export const not: Emit = /* @__PURE__ */ bitwise(wasm.not.v128)

// What follows works on float64; functions/algebra.ts gives the formulas.
const bits = (w: Writer, value: bigint): Local => splat(w, 'uint64', value)
const float = (w: Writer, value: number): Local => splat(w, 'float64', value)

/** Moves the boundary between exponents from 1 to the square root of 1/2. */
const SHIFT = 0x00095f62_00000000n

export const withSign: Emit = (w, operands) =>
  eachPart(w, operands, 8, ([a, b]) =>
    w.asm
      .get(b!)
      .get(a!)
      .get(bits(w, 1n << 63n))
      .op(wasm.bitselect.v128),
  )

export const power2: Emit = (w, operands) =>
  eachPart(w, operands, 8, ([a]) =>
    w.asm
      .get(a!)
      .get(float(w, 2 ** 52 + 1023))
      .op(wasm.add.f64x2)
      .i32(52)
      .op(wasm.shl.i64x2),
  )

export const exponent: Emit = (w, operands) =>
  eachPart(w, operands, 8, ([a]) => {
    w.asm.get(a!).get(bits(w, SHIFT)).op(wasm.add.i64x2).i32(52).op(wasm.shr_u.i64x2)
    w.asm.get(bits(w, 0x43300000_00000000n)).op(wasm.or.v128)
    w.asm.get(float(w, 2 ** 52 + 1023)).op(wasm.sub.f64x2)
  })

export const mantissa: Emit = (w, operands) =>
  eachPart(w, operands, 8, ([a]) => {
    w.asm.get(a!).get(bits(w, SHIFT)).op(wasm.add.i64x2).get(bits(w, 0x000fffff_ffffffffn)).op(wasm.and.v128)
    w.asm.get(bits(w, 0x3fe6a09e_00000000n)).op(wasm.add.i64x2)
  })

export const high: Emit = (w, operands) =>
  eachPart(w, operands, 8, ([a]) => w.asm.get(a!).get(bits(w, 0xffffffff_f8000000n)).op(wasm.and.v128))

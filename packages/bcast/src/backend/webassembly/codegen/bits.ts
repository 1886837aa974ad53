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

export const and: Emit = /* @__PURE__ */ bitwise(wasm.v128_and)
export const or: Emit = /* @__PURE__ */ bitwise(wasm.v128_or)
export const xor: Emit = /* @__PURE__ */ bitwise(wasm.v128_xor)
export const not: Emit = /* @__PURE__ */ bitwise(wasm.v128_not)

// What follows works on float64, and power2 on float32; functions/algebra.ts gives the formulas.
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
      .op(wasm.v128_bitselect),
  )

export const power2: Emit = (w, operands, dtype) =>
  dtype === 'float32'
    ? eachPart(w, operands, 4, ([a]) =>
        w.asm
          .get(a!)
          .get(splat(w, 'float32', 2 ** 23 + 127))
          .op(wasm.f32x4_add)
          .i32(23)
          .op(wasm.i32x4_shl),
      )
    : eachPart(w, operands, 8, ([a]) =>
        w.asm
          .get(a!)
          .get(float(w, 2 ** 52 + 1023))
          .op(wasm.f64x2_add)
          .i32(52)
          .op(wasm.i64x2_shl),
      )

export const exponent: Emit = (w, operands) =>
  eachPart(w, operands, 8, ([a]) => {
    w.asm.get(a!).get(bits(w, SHIFT)).op(wasm.i64x2_add).i32(52).op(wasm.i64x2_shr_u)
    w.asm.get(bits(w, 0x43300000_00000000n)).op(wasm.v128_or)
    w.asm.get(float(w, 2 ** 52 + 1023)).op(wasm.f64x2_sub)
  })

export const mantissa: Emit = (w, operands) =>
  eachPart(w, operands, 8, ([a]) => {
    w.asm.get(a!).get(bits(w, SHIFT)).op(wasm.i64x2_add).get(bits(w, 0x000fffff_ffffffffn)).op(wasm.v128_and)
    w.asm.get(bits(w, 0x3fe6a09e_00000000n)).op(wasm.i64x2_add)
  })

export const high: Emit = (w, operands) =>
  eachPart(w, operands, 8, ([a]) => w.asm.get(a!).get(bits(w, 0xffffffff_f8000000n)).op(wasm.v128_and))

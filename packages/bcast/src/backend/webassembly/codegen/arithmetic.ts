// Arithmetic on vectors. What SIMD lacks (products of 8-bit lanes) is made from what it has.
import { isFloat, isWide, kindOf } from '../../../dtype/dtype.ts'
import type { Emit } from './emitters.ts'
import { lanesOf, lanewise } from './lanewise.ts'
import * as wasm from './opcodes.ts'
import { bytesOf, eachPart, splat, type Vector, type Writer, zeros } from './vector.ts'

export const add: Emit = /* @__PURE__ */ lanewise(wasm.add)
export const sub: Emit = /* @__PURE__ */ lanewise(wasm.sub)
export const neg: Emit = /* @__PURE__ */ lanewise(wasm.neg)
export const sqrt: Emit = /* @__PURE__ */ lanewise(wasm.sqrt)
export const floor: Emit = /* @__PURE__ */ lanewise(wasm.floor)
export const ceil: Emit = /* @__PURE__ */ lanewise(wasm.ceil)
export const round: Emit = /* @__PURE__ */ lanewise(wasm.nearest)

const multiply: Emit = /* @__PURE__ */ lanewise(wasm.mul)
const magnitude: Emit = /* @__PURE__ */ lanewise(wasm.abs)

/** 8-bit lanes multiply as 16-bit ones; the lower bytes are the product modulo 256. */
function multiply8(w: Writer, operands: readonly Vector[]): Vector {
  const even = Array.from({ length: 16 }, (_, i) => i * 2)
  return eachPart(w, operands, 1, ([a, b]) => {
    for (const { i16x8: half } of [wasm.extend_low_u, wasm.extend_high_u]) {
      w.asm.get(a!).op(half).get(b!).op(half).op(wasm.i16x8_mul)
    }
    w.asm.shuffle(even)
  })
}

export const mul: Emit = (w, operands, dtype, dtypes) =>
  bytesOf(dtype) === 1 ? multiply8(w, operands) : multiply(w, operands, dtype, dtypes)

export const abs: Emit = (w, operands, dtype, dtypes) =>
  kindOf(dtype) === 'uint' ? operands[0]! : magnitude(w, operands, dtype, dtypes)

export const sign: Emit = (w, operands, dtype) => {
  const { asm } = w
  const width = bytesOf(dtype)
  const none = zeros(w)
  if (isFloat(dtype)) {
    const lanes = dtype === 'float32' ? 'f32x4' : 'f64x2'
    const [unit, negative] = [splat(w, dtype, 1), splat(w, dtype, -1)]
    return eachPart(w, operands, width, ([a]) => {
      // Adding 0 keeps NaN and turns -0 into 0.
      asm.get(unit).get(negative).get(a!).get(none).op(wasm.add[lanes])
      asm.get(a!).get(none).op(wasm.lt[lanes]).op(wasm.v128_bitselect)
      asm.get(a!).get(none).op(wasm.gt[lanes]).op(wasm.v128_bitselect)
    })
  }
  const lanes = lanesOf(dtype) as wasm.IntegerLanes
  if (kindOf(dtype) === 'uint') {
    const unit = splat(w, dtype, isWide(dtype) ? 1n : 1)
    return eachPart(w, operands, width, ([a]) => asm.get(a!).get(none).op(wasm.ne[lanes]).get(unit).op(wasm.v128_and))
  }
  return eachPart(w, operands, width, ([a]) => {
    // Masks are -1 where true, so their difference is the sign.
    asm.get(a!).get(none).op(wasm.lt_s[lanes]).get(a!).get(none).op(wasm.gt_s[lanes]).op(wasm.sub[lanes])
  })
}

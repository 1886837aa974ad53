// Comparisons and what rests on them: choices and extremes. Truth values are masks as wide as what was compared; what
// SIMD lacks (the order of unsigned 64-bit lanes) is made from what it has.
import { type DType, kindOf } from '../../dtype/dtype.ts'
import type { Assembler, Local } from './assembler.ts'
import type { Emit } from './emitters.ts'
import { lanesOf, push } from './lanewise.ts'
import * as wasm from './opcodes.ts'
import { bytesOf, eachPart, resize, splatBytes, type Vector, type Writer } from './vector.ts'

/** Brings truth values to one width. */
export function sameWidth(w: Writer, vectors: readonly Vector[]): readonly Vector[] {
  const width = Math.max(...vectors.map((vector) => vector.width))
  return vectors.map((vector) => resize(w, vector, width, true))
}

/** The codes of one instruction for floats, signed and unsigned integers. */
interface OrderedCodes {
  readonly float: Readonly<Record<wasm.FloatLanes, number>>
  readonly signed: Readonly<Partial<Record<wasm.IntegerLanes, number>>>
  readonly unsigned: Readonly<Partial<Record<wasm.IntegerLanes, number>>>
}

/** The code for a type; undefined where SIMD has none. */
const codeFor = ({ float, signed, unsigned }: OrderedCodes, dtype: DType): number | undefined => {
  const lanes = lanesOf(dtype)
  if (lanes === 'f32x4' || lanes === 'f64x2') return float[lanes]
  return (kindOf(dtype) === 'int' ? signed : unsigned)[lanes]
}

type Parts = readonly Local[]

/** A comparison by its codes, and by what it is on truth values, where false comes before true. */
const comparison =
  (codes: OrderedCodes, bools: (asm: Assembler, parts: Parts) => void): Emit =>
  (w, operands, _, [dtype]) => {
    const { asm } = w
    if (dtype === 'bool') {
      const masks = sameWidth(w, operands)
      return eachPart(w, masks, masks[0]!.width, (parts) => bools(asm, parts))
    }
    const code = codeFor(codes, dtype!)
    if (code !== undefined) return eachPart(w, operands, bytesOf(dtype!), (parts) => push(asm, parts).op(code))
    // Unsigned 64-bit lanes: with the sign bits flipped it is the signed comparison.
    const flip = asm.constant(splatBytes(8, 1n << 63n))
    return eachPart(w, operands, 8, ([a, b]) => {
      asm.get(a!).get(flip).op(wasm.xor.v128).get(b!).get(flip).op(wasm.xor.v128).op(codes.signed.i64x2!)
    })
  }

export const equal: Emit = /* @__PURE__ */ comparison(
  { float: wasm.eq, signed: wasm.eq, unsigned: wasm.eq },
  (asm, [x, y]) => asm.get(x!).get(y!).op(wasm.xor.v128).op(wasm.not.v128),
)

export const less: Emit = /* @__PURE__ */ comparison(
  { float: wasm.lt, signed: wasm.lt_s, unsigned: wasm.lt_u },
  (asm, [x, y]) => asm.get(y!).get(x!).op(wasm.andnot.v128),
)

export const lessEqual: Emit = /* @__PURE__ */ comparison(
  { float: wasm.le, signed: wasm.le_s, unsigned: wasm.le_u },
  (asm, [x, y]) => asm.get(x!).op(wasm.not.v128).get(y!).op(wasm.or.v128),
)

export const select: Emit = (w, operands, dtype) => {
  const [condition, a, b] = operands as [Vector, Vector, Vector]
  const wide = dtype === 'bool' ? sameWidth(w, operands) : [resize(w, condition, bytesOf(dtype), true), a, b]
  return eachPart(w, wide, wide[1]!.width, ([c, x, y]) => w.asm.get(x!).get(y!).get(c!).op(wasm.bitselect.v128))
}

/** The smaller of two or the larger; `first` says whether the first operand is it where it is less. */
const extreme =
  (codes: OrderedCodes, first: boolean): Emit =>
  (w, operands, dtype) => {
    const code = codeFor(codes, dtype)
    if (code !== undefined) return eachPart(w, operands, bytesOf(dtype), (parts) => push(w.asm, parts).op(code))
    // 64-bit lanes have none.
    const smaller = less(w, operands, 'bool', [dtype])
    return eachPart(w, [...operands, smaller], 8, ([x, y, c]) => {
      push(w.asm, first ? [x!, y!] : [y!, x!])
        .get(c!)
        .op(wasm.bitselect.v128)
    })
  }

export const min: Emit = /* @__PURE__ */ extreme({ float: wasm.min, signed: wasm.min_s, unsigned: wasm.min_u }, true)
export const max: Emit = /* @__PURE__ */ extreme({ float: wasm.max, signed: wasm.max_s, unsigned: wasm.max_u }, false)

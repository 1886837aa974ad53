// Comparisons and what rests on them: choices and extremes. Truth values are masks as wide as what was compared; what
// SIMD lacks (the order of unsigned 64-bit lanes) is made from what it has.
import { type DType, isFloat, kindOf } from '../../../dtype/dtype.ts'
import type { Assembler, Local } from './assembler.ts'
import type { Emit } from './emitters.ts'
import { lanesOf, push } from './lanewise.ts'
import * as wasm from './opcodes.ts'
import { bytesOf, eachPart, integerLanes, resizeMask, splat, type Vector, type Writer } from './vector.ts'

/** Brings truth values to one width. */
export function sameWidth(w: Writer, vectors: readonly Vector[]): readonly Vector[] {
  const width = Math.max(...vectors.map((vector) => vector.width))
  return vectors.map((vector) => resizeMask(w, vector, width))
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
    const flip = splat(w, 'uint64', 1n << 63n)
    return eachPart(w, operands, 8, ([a, b]) => {
      asm.get(a!).get(flip).op(wasm.v128_xor).get(b!).get(flip).op(wasm.v128_xor).op(codes.signed.i64x2!)
    })
  }

export const equal: Emit = /* @__PURE__ */ comparison(
  { float: wasm.eq, signed: wasm.eq, unsigned: wasm.eq },
  (asm, [x, y]) => asm.get(x!).get(y!).op(wasm.v128_xor).op(wasm.v128_not),
)

const lessThan: Emit = /* @__PURE__ */ comparison(
  { float: wasm.lt, signed: wasm.lt_s, unsigned: wasm.lt_u },
  (asm, [x, y]) => asm.get(y!).get(x!).op(wasm.v128_andnot),
)

export const less: Emit = (w, operands, dtype, dtypes) => {
  const truth = lessThan(w, operands, dtype, dtypes)
  return isFloat(dtypes[0]!) ? { ...truth, ordered: operands } : truth
}

export const lessEqual: Emit = /* @__PURE__ */ comparison(
  { float: wasm.le, signed: wasm.le_s, unsigned: wasm.le_u },
  (asm, [x, y]) => asm.get(x!).op(wasm.v128_not).get(y!).op(wasm.v128_or),
)

/**
 * `a < b ? a : b`, and `a < b ? b : a`, are one instruction, which gives the same of the two where they are equal or NaN;
 * the comparison, if nobody else asks for it, is dropped by the runtime's compiler.
 */
function chosen(w: Writer, [condition, a, b]: readonly Vector[], dtype: DType): Vector | undefined {
  const [x, y] = condition!.ordered ?? []
  if (x === undefined || (dtype !== 'float32' && dtype !== 'float64')) return undefined
  const lanes = dtype === 'float32' ? 'f32x4' : 'f64x2'
  const pick = (code: number, vectors: readonly Vector[]): Vector =>
    eachPart(w, vectors, bytesOf(dtype), (parts) => push(w.asm, parts).op(code))
  // pmin(b, a) is `a < b ? a : b`; pmax(a, b) is `a < b ? b : a`.
  if (x === a && y === b) return pick(wasm.pmin[lanes], [y!, x])
  if (x === b && y === a) return pick(wasm.pmax[lanes], [x, y!])
  return undefined
}

export const select: Emit = (w, operands, dtype) => {
  const direct = chosen(w, operands, dtype)
  if (direct !== undefined) return direct
  const [condition, a, b] = operands as [Vector, Vector, Vector]
  const wide = dtype === 'bool' ? sameWidth(w, operands) : [resizeMask(w, condition, bytesOf(dtype)), a, b]
  return eachPart(w, wide, wide[1]!.width, ([c, x, y]) => w.asm.get(x!).get(y!).get(c!).op(wasm.v128_bitselect))
}

/**
 * Extremes of floats: NaN if either is, and -0 below +0. Both ways of asking agree but where an operand is NaN (then
 * one way gives it, and its exponent wins) and for zeros (then signs differ). The platform's own instruction does the
 * same and normalises NaN, which takes as long again.
 */
function extremeFloat(w: Writer, operands: readonly Vector[], dtype: DType, larger: boolean): Vector {
  const { asm } = w
  const lanes = dtype === 'float32' ? 'f32x4' : 'f64x2'
  const code = (larger ? wasm.pmax : wasm.pmin)[lanes]
  const [one, other] = [asm.local('v128'), asm.local('v128')]
  return eachPart(w, operands, bytesOf(dtype), ([a, b]) => {
    asm.get(a!).get(b!).op(code).set(one).get(b!).get(a!).op(code).set(other)
    asm.get(one).get(other).op(wasm.v128_or)
    // Zeros of both signs: -0 is right for the smaller; for the larger, -0 less -0 is +0.
    if (larger) asm.get(one).get(other).op(wasm.v128_xor).op(wasm.sub[lanes])
  })
}

/** The smaller of two or the larger. */
const extreme =
  (codes: Omit<OrderedCodes, 'float'>, larger: boolean): Emit =>
  (w, operands, dtype) => {
    if (isFloat(dtype)) return extremeFloat(w, operands, dtype, larger)
    const code = (kindOf(dtype) === 'int' ? codes.signed : codes.unsigned)[integerLanes(bytesOf(dtype))]
    if (code !== undefined) return eachPart(w, operands, bytesOf(dtype), (parts) => push(w.asm, parts).op(code))
    // 64-bit lanes have none.
    const smaller = less(w, operands, 'bool', [dtype])
    return eachPart(w, [...operands, smaller], 8, ([x, y, c]) => {
      push(w.asm, larger ? [y!, x!] : [x!, y!])
        .get(c!)
        .op(wasm.v128_bitselect)
    })
  }

export const min: Emit = /* @__PURE__ */ extreme({ signed: wasm.min_s, unsigned: wasm.min_u }, false)
export const max: Emit = /* @__PURE__ */ extreme({ signed: wasm.max_s, unsigned: wasm.max_u }, true)

// 16-bit floats, which compute as float32: widened when read and rounded once, ties to even, when a result is made.
import type { DType } from '../../../dtype/dtype.ts'
import type { Local } from './assembler.ts'
import * as wasm from './opcodes.ts'
import { eachPart, resize, splat, type Vector, type Writer } from './vector.ts'

export const isHalf = (dtype: DType): boolean => dtype === 'float16' || dtype === 'bfloat16'

/** The upper two bytes of each element of 4. */
const UPPER_HALVES: readonly number[] = Array.from({ length: 16 }, (_, i) => Math.floor(i / 2) * 4 + 2 + (i % 2))

/** float16 bits to float32: shift the fields into place, rescale, and give infinity and NaN their exponent. */
function widenFloat16(w: Writer, vector: Vector): Vector {
  const { asm } = w
  // With the sign in all upper bits, one shift and one mask move sign, exponent and fraction.
  const words = resize(w, vector, 4, true)
  const fields = splat(w, 'uint32', 0x8fffe000)
  const scale = splat(w, 'float32', 2 ** 112)
  const beyond = splat(w, 'float32', 2 ** 16)
  const infinite = splat(w, 'uint32', 0x7f800000)
  const scaled = asm.local('v128')
  return eachPart(w, [words], 4, ([a]) => {
    asm.get(a!).i32(13).op(wasm.i32x4_shl).get(fields).op(wasm.v128_and).get(scale).op(wasm.f32x4_mul).tee(scaled)
    asm.get(scaled).op(wasm.f32x4_abs).get(beyond).op(wasm.f32x4_ge).get(infinite).op(wasm.v128_and).op(wasm.v128_or)
  })
}

/** Two parts of float32 to the float16 bits of both, ties to even, or one part to the lower half. */
function narrowFloat16(w: Writer, vector: Vector): Vector {
  const { asm } = w
  const words = (value: number): Local => splat(w, 'uint32', value)
  const halves = (value: number): Local => splat(w, 'uint16', value)
  const magnitude = asm.local('v128')
  /** The magnitude's bits, too large where there is no finite result. */
  const rounded = eachPart(w, [vector], 4, ([a]) => {
    asm.get(a!).get(words(0x7fffffff)).op(wasm.v128_and).set(magnitude)
    // Normal results: move the exponent, add half less one plus the last kept bit, shift.
    asm.get(magnitude).i32(13).op(wasm.i32x4_shr_u).get(words(1)).op(wasm.v128_and)
    asm
      .get(magnitude)
      .get(words(0xfff - (112 << 23)))
      .op(wasm.i32x4_add)
      .op(wasm.i32x4_add)
      .i32(13)
      .op(wasm.i32x4_shr_u)
    asm.get(magnitude).get(words(0x38800000)).op(wasm.i32x4_lt_s).op(wasm.v128_or)
    // Subnormal results: adding 0.5 puts the unit of float16's subnormals at float32's last bit, and rounds; for
    // normal ones that is too large.
    asm
      .get(magnitude)
      .get(splat(w, 'float32', 0.5))
      .op(wasm.f32x4_add)
      .get(words(0x3f000000))
      .op(wasm.i32x4_sub)
    asm.op(wasm.i32x4_min_u)
  })
  return together(w, [rounded, vector], ([magnitudes, sources]) => {
    const [low, high] = magnitudes!
    const [first, second] = sources!
    // Overflow and infinity are the largest magnitude but NaN's; NaN gets a bit of its fraction.
    asm.get(low!).get(high!).op(wasm.i16x8_narrow_i32x4_u).get(halves(0x7c00)).op(wasm.i16x8_min_u)
    asm
      .get(first!)
      .get(first!)
      .op(wasm.f32x4_ne)
      .get(second!)
      .get(second!)
      .op(wasm.f32x4_ne)
      .op(wasm.i16x8_narrow_i32x4_s)
    asm.get(halves(0x200)).op(wasm.v128_and).op(wasm.v128_or)
    // Saturation leaves the sign where it belongs.
    asm.get(first!).get(second!).op(wasm.i16x8_narrow_i32x4_s).get(halves(0x8000)).op(wasm.v128_and).op(wasm.v128_or)
  })
}

/** Applies `emit` to pairs of neighbouring parts, which become one of elements of half the width. */
function together(w: Writer, vectors: readonly Vector[], emit: (pairs: readonly (readonly Local[])[]) => void): Vector {
  const [{ parts, width, uniform }] = vectors as [Vector]
  const count = Math.ceil(parts.length / 2)
  return {
    width: width / 2,
    uniform,
    parts: Array.from({ length: count }, (_, i) => {
      emit(vectors.map((vector) => [vector.parts[2 * i]!, vector.parts[2 * i + 1] ?? vector.parts[2 * i]!]))
      const local = w.asm.local('v128')
      w.asm.set(local)
      return local
    }),
  }
}

function widenBfloat16(w: Writer, vector: Vector): Vector {
  const words = resize(w, vector, 4, false)
  return eachPart(w, [words], 4, ([a]) => w.asm.get(a!).i32(16).op(wasm.i32x4_shl))
}

/** float32 to bfloat16 bits, ties to even. */
function narrowBfloat16(w: Writer, vector: Vector): Vector {
  const { asm } = w
  const bits = (value: number): Local => splat(w, 'uint32', value)
  const rounded = eachPart(w, [vector], 4, ([a]) => {
    // NaN keeps its sign and gets a bit that rounding cannot reach.
    asm.get(a!).i32(16).op(wasm.i32x4_shr_u).get(bits(1)).op(wasm.v128_and).get(bits(0x7fff)).op(wasm.i32x4_add)
    asm.get(a!).op(wasm.i32x4_add)
    asm.get(a!).get(bits(0x00400000)).op(wasm.v128_or)
    asm.get(a!).get(a!).op(wasm.f32x4_eq).op(wasm.v128_bitselect)
  })
  return together(w, [rounded], ([pair]) => {
    asm.get(pair![0]!).get(pair![1]!).shuffle(UPPER_HALVES)
  })
}

/** 16-bit floats as float32. */
export const widenHalf = (w: Writer, vector: Vector, from: DType): Vector =>
  from === 'float16' ? widenFloat16(w, vector) : widenBfloat16(w, vector)

/** float32 as 16-bit floats. */
export const narrowHalf = (w: Writer, vector: Vector, to: DType): Vector =>
  to === 'float16' ? narrowFloat16(w, vector) : narrowBfloat16(w, vector)

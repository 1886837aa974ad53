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
    asm.get(a!).i32(13).op(wasm.shl.i32x4).get(fields).op(wasm.and.v128).get(scale).op(wasm.mul.f32x4).tee(scaled)
    asm.get(scaled).op(wasm.abs.f32x4).get(beyond).op(wasm.ge.f32x4).get(infinite).op(wasm.and.v128).op(wasm.or.v128)
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
    asm.get(a!).get(words(0x7fffffff)).op(wasm.and.v128).set(magnitude)
    // Normal results: move the exponent, add half less one plus the last kept bit, shift.
    asm.get(magnitude).i32(13).op(wasm.shr_u.i32x4).get(words(1)).op(wasm.and.v128)
    asm
      .get(magnitude)
      .get(words(0xfff - (112 << 23)))
      .op(wasm.add.i32x4)
      .op(wasm.add.i32x4)
      .i32(13)
      .op(wasm.shr_u.i32x4)
    asm.get(magnitude).get(words(0x38800000)).op(wasm.lt_s.i32x4).op(wasm.or.v128)
    // Subnormal results: adding 0.5 puts the unit of float16's subnormals at float32's last bit, and rounds; for
    // normal ones that is too large.
    asm
      .get(magnitude)
      .get(splat(w, 'float32', 0.5))
      .op(wasm.add.f32x4)
      .get(words(0x3f000000))
      .op(wasm.sub.i32x4)
    asm.op(wasm.min_u.i32x4)
  })
  return together(w, [rounded, vector], ([magnitudes, sources]) => {
    const [low, high] = magnitudes!
    const [first, second] = sources!
    // Overflow and infinity are the largest magnitude but NaN's; NaN gets a bit of its fraction.
    asm.get(low!).get(high!).op(wasm.narrow_i32x4_u.i16x8).get(halves(0x7c00)).op(wasm.min_u.i16x8)
    asm
      .get(first!)
      .get(first!)
      .op(wasm.ne.f32x4)
      .get(second!)
      .get(second!)
      .op(wasm.ne.f32x4)
      .op(wasm.narrow_i32x4_s.i16x8)
    asm.get(halves(0x200)).op(wasm.and.v128).op(wasm.or.v128)
    // Saturation leaves the sign where it belongs.
    asm.get(first!).get(second!).op(wasm.narrow_i32x4_s.i16x8).get(halves(0x8000)).op(wasm.and.v128).op(wasm.or.v128)
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
  return eachPart(w, [words], 4, ([a]) => w.asm.get(a!).i32(16).op(wasm.shl.i32x4))
}

/** float32 to bfloat16 bits, ties to even. */
function narrowBfloat16(w: Writer, vector: Vector): Vector {
  const { asm } = w
  const bits = (value: number): Local => splat(w, 'uint32', value)
  const rounded = eachPart(w, [vector], 4, ([a]) => {
    // NaN keeps its sign and gets a bit that rounding cannot reach.
    asm.get(a!).i32(16).op(wasm.shr_u.i32x4).get(bits(1)).op(wasm.and.v128).get(bits(0x7fff)).op(wasm.add.i32x4)
    asm.get(a!).op(wasm.add.i32x4)
    asm.get(a!).get(bits(0x00400000)).op(wasm.or.v128)
    asm.get(a!).get(a!).op(wasm.eq.f32x4).op(wasm.bitselect.v128)
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

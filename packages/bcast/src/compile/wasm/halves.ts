// 16-bit floats, which compute as float32: widened when read and rounded once, ties to even, when a result is made.
import type { DType } from '../../dtype/dtype.ts'
import type { Local } from './assembler.ts'
import * as wasm from './opcodes.ts'
import { eachPart, resize, splatBytes, splatFloat32, type Vector, type Writer } from './vector.ts'

export const isHalf = (dtype: DType): boolean => dtype === 'float16' || dtype === 'bfloat16'

/** float16 bits to float32: shift the fields into place, rescale, and give infinity and NaN their exponent. */
function widenFloat16(w: Writer, vector: Vector): Vector {
  const { asm } = w
  const words = resize(w, vector, 4, false)
  const magnitude = asm.constant(splatBytes(4, 0x7fffn))
  const scale = asm.constant(splatFloat32(2 ** 112))
  const special = asm.constant(splatBytes(4, 0x7c00n))
  const infinite = asm.constant(splatBytes(4, 0x7f800000n))
  const signBit = asm.constant(splatBytes(4, 0x80000000n))
  return eachPart(w, [words], 4, ([a]) => {
    asm.get(a!).get(magnitude).op(wasm.and.v128).i32(13).op(wasm.shl.i32x4).get(scale).op(wasm.mul.f32x4)
    asm
      .get(a!)
      .get(magnitude)
      .op(wasm.and.v128)
      .get(special)
      .op(wasm.ge_s.i32x4)
      .get(infinite)
      .op(wasm.and.v128)
      .op(wasm.or.v128)
    asm.get(a!).i32(16).op(wasm.shl.i32x4).get(signBit).op(wasm.and.v128).op(wasm.or.v128)
  })
}

/** float32 to float16 bits, ties to even, in 4-byte lanes. */
function narrowFloat16(w: Writer, vector: Vector): Vector {
  const { asm } = w
  const bits = (value: bigint): Local => asm.constant(splatBytes(4, value))
  const magnitude = asm.local('v128')
  const rounded = asm.local('v128')
  const words = eachPart(w, [vector], 4, ([a]) => {
    asm.get(a!).get(bits(0x7fffffffn)).op(wasm.and.v128).set(magnitude)
    // Normal results: move the exponent, add half less one plus the last kept bit, shift. Overflow becomes infinity.
    asm.get(magnitude).i32(13).op(wasm.shr_u.i32x4).get(bits(1n)).op(wasm.and.v128)
    asm
      .get(magnitude)
      .get(bits(BigInt.asUintN(32, -(112n << 23n) + 0xfffn)))
      .op(wasm.add.i32x4)
      .op(wasm.add.i32x4)
      .i32(13)
      .op(wasm.shr_u.i32x4)
    asm.get(bits(0x7c00n)).op(wasm.min_u.i32x4)
    // Subnormal results: adding 0.5 puts the unit of float16's subnormals at float32's last bit, and rounds.
    asm
      .get(magnitude)
      .get(asm.constant(splatFloat32(0.5)))
      .op(wasm.add.f32x4)
      .get(bits(0x3f000000n))
      .op(wasm.sub.i32x4)
    asm.get(magnitude).get(bits(0x38800000n)).op(wasm.ge_s.i32x4).op(wasm.bitselect.v128).set(rounded)
    // NaN stays NaN.
    asm
      .get(bits(0x7e00n))
      .get(rounded)
      .get(magnitude)
      .get(bits(0x7f800000n))
      .op(wasm.gt_s.i32x4)
      .op(wasm.bitselect.v128)
    asm.get(a!).i32(16).op(wasm.shr_u.i32x4).get(bits(0x8000n)).op(wasm.and.v128).op(wasm.or.v128)
  })
  return words
}

function widenBfloat16(w: Writer, vector: Vector): Vector {
  const words = resize(w, vector, 4, false)
  return eachPart(w, [words], 4, ([a]) => w.asm.get(a!).i32(16).op(wasm.shl.i32x4))
}

/** float32 to bfloat16 bits, ties to even, in 4-byte lanes. */
function narrowBfloat16(w: Writer, vector: Vector): Vector {
  const { asm } = w
  const bits = (value: bigint): Local => asm.constant(splatBytes(4, value))
  return eachPart(w, [vector], 4, ([a]) => {
    asm.get(bits(0x7fc0n))
    asm.get(a!).i32(16).op(wasm.shr_u.i32x4).get(bits(1n)).op(wasm.and.v128).get(bits(0x7fffn)).op(wasm.add.i32x4)
    asm.get(a!).op(wasm.add.i32x4).i32(16).op(wasm.shr_u.i32x4)
    asm.get(a!).get(a!).op(wasm.ne.f32x4).op(wasm.bitselect.v128)
    asm.get(a!).i32(16).op(wasm.shr_u.i32x4).get(bits(0x8000n)).op(wasm.and.v128).op(wasm.or.v128)
  })
}

/** 16-bit floats as float32. */
export const widenHalf = (w: Writer, vector: Vector, from: DType): Vector =>
  from === 'float16' ? widenFloat16(w, vector) : widenBfloat16(w, vector)

/** float32 as 16-bit floats. */
export const narrowHalf = (w: Writer, vector: Vector, to: DType): Vector =>
  resize(w, to === 'float16' ? narrowFloat16(w, vector) : narrowBfloat16(w, vector), 2, false)

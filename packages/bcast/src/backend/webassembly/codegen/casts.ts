// Conversions between vectors. Floats to integers truncate and saturate, NaN gives 0; integers wrap; everything to
// bool asks whether it is zero; each float result is rounded once from the exact value.
import { type DType, isFloat, kindOf } from '../../../dtype/dtype.ts'
import type { Local } from './assembler.ts'
import type { Emit } from './emitters.ts'
import { isHalf, narrowHalf, widenHalf } from './halves.ts'
import * as wasm from './opcodes.ts'
import {
  bytesOf,
  eachPart,
  integerLanes,
  maskBytes,
  resize,
  resizeMask,
  splat,
  type Vector,
  type Writer,
  zeros,
} from './vector.ts'

const HIGH_TO_LOW: readonly number[] = /* @__PURE__ */ Array.from({ length: 16 }, (_, i) => (i % 8) + 8)
const LOW_HALVES: readonly number[] = /* @__PURE__ */ Array.from({ length: 16 }, (_, i) => (i < 8 ? i : i + 8))

/** Elements of 4 bytes to elements of 8: `convert` makes the two upper ones of a part from its lower half. */
function spreadOut(w: Writer, vector: Vector, convert: number): Vector {
  const { asm } = w
  const parts: Local[] = []
  const push = (part: Local, high: boolean) => {
    const local = asm.local('v128')
    asm.get(part)
    if (high) asm.get(part).shuffle(HIGH_TO_LOW)
    asm.op(convert).set(local)
    parts.push(local)
  }
  for (const part of vector.parts) {
    push(part, false)
    if (!vector.uniform && w.lanes * vector.width > 8) push(part, true)
  }
  return { width: 8, parts, uniform: vector.uniform }
}

/** Elements of 8 bytes to elements of 4: `convert` leaves two in the lower half of a part. */
function pullTogether(w: Writer, vector: Vector, convert: number): Vector {
  const { asm } = w
  const parts: Local[] = []
  for (let i = 0; i < vector.parts.length; i += 2) {
    const local = asm.local('v128')
    asm.get(vector.parts[i]!).op(convert)
    const second = vector.parts[i + 1]
    if (second !== undefined) asm.get(second).op(convert).shuffle(LOW_HALVES)
    else if (vector.uniform) {
      asm.set(local)
      asm.get(local).get(local).shuffle(LOW_HALVES)
    }
    asm.set(local)
    parts.push(local)
  }
  return { width: 4, parts, uniform: vector.uniform }
}

/** float64 rounded to odd in float32: the last bit says that something was lost, so that the next rounding is the only one. */
function demoteToOdd(w: Writer, vector: Vector): Vector {
  const { asm } = w
  const near = pullTogether(w, vector, wasm.f32x4_demote_f64x2_zero)
  const back = spreadOut(w, near, wasm.f64x2_promote_low_f32x4)
  const inexact = eachPart(w, [back, vector], 8, ([b, x]) =>
    asm.get(b!).get(x!).op(wasm.f64x2_ne).get(x!).get(x!).op(wasm.f64x2_eq).op(wasm.v128_and),
  )
  const tooLarge = eachPart(w, [back, vector], 8, ([b, x]) =>
    asm.get(b!).op(wasm.f64x2_abs).get(x!).op(wasm.f64x2_abs).op(wasm.f64x2_gt),
  )
  const lost = resizeMask(w, inexact, 4)
  const over = resizeMask(w, tooLarge, 4)
  const one = splat(w, 'uint32', 1)
  return eachPart(w, [near, lost, over], 4, ([x, l, o]) => {
    // Toward zero first (one less in magnitude where it was rounded up), then the sticky bit.
    asm.get(x!).get(o!).op(wasm.i32x4_add).get(one).get(l!).op(wasm.v128_and).op(wasm.v128_or)
  })
}

/** 64-bit integers to a float, lane by lane: WebAssembly rounds such a conversion once. */
function wideToFloat(w: Writer, vector: Vector, from: DType, to: 'float32' | 'float64'): Vector {
  const { asm } = w
  const convert = (from === 'int64' ? wasm.convert_i64_s : wasm.convert_i64_u)[to === 'float64' ? 'f64' : 'f32']
  if (to === 'float64') {
    return eachPart(w, [vector], 8, ([a]) => {
      asm.get(a!).lane(wasm.i64x2_extract_lane, 0).op(convert).op(wasm.f64x2_splat)
      asm.get(a!).lane(wasm.i64x2_extract_lane, 1).op(convert).lane(wasm.f64x2_replace_lane, 1)
    })
  }
  const parts: Local[] = []
  for (let i = 0; i < vector.parts.length; i += 2) {
    const local = asm.local('v128')
    const pair = [vector.parts[i]!, ...(vector.parts[i + 1] === undefined ? [] : [vector.parts[i + 1]!])]
    pair.forEach((part, p) => {
      for (const lane of [0, 1]) {
        if (p === 0 && lane === 0)
          asm.get(part).lane(wasm.i64x2_extract_lane, 0).op(convert).op(wasm.f32x4_splat).set(local)
        else
          asm
            .get(local)
            .get(part)
            .lane(wasm.i64x2_extract_lane, lane)
            .op(convert)
            .lane(wasm.f32x4_replace_lane, 2 * p + lane)
            .set(local)
      }
    })
    parts.push(local)
  }
  return { width: 4, parts, uniform: vector.uniform }
}

/** 64-bit integers rounded to odd in float32, for types that keep fewer bits still. */
function wideToFloat32Odd(w: Writer, vector: Vector, from: DType): Vector {
  // float32's range and 24 bits are enough: the lower 32 bits only matter as "not zero".
  const { asm } = w
  const sticky = eachPart(w, [vector], 8, ([a]) => {
    const low = splat(w, 'uint64', 0xfffffn)
    const none = zeros(w)
    const unit = splat(w, 'uint64', 0x100000n)
    asm
      .get(a!)
      .get(splat(w, 'uint64', 0xffffffff_fff00000n))
      .op(wasm.v128_and)
    asm.get(a!).get(low).op(wasm.v128_and).get(none).op(wasm.i64x2_ne).get(unit).op(wasm.v128_and).op(wasm.v128_or)
  })
  const small = eachPart(w, [vector], 8, ([a]) => {
    const limit = splat(w, 'uint64', 1n << 40n)
    if (from === 'uint64') asm.get(a!).i32(40).op(wasm.i64x2_shr_u).get(zeros(w)).op(wasm.i64x2_eq)
    else
      asm
        .get(a!)
        .op(wasm.i64x2_abs)
        .get(limit)
        .op(wasm.i64x2_lt_s)
        .get(a!)
        .op(wasm.i64x2_abs)
        .get(zeros(w))
        .op(wasm.i64x2_ge_s)
        .op(wasm.v128_and)
  })
  const chosen = eachPart(w, [vector, sticky, small], 8, ([a, s, c]) =>
    asm.get(a!).get(s!).get(c!).op(wasm.v128_bitselect),
  )
  return demoteToOdd(w, wideToFloat(w, chosen, from, 'float64'))
}

function toFloat32(w: Writer, vector: Vector, from: DType): Vector {
  if (from === 'float32') return vector
  if (from === 'float64') return pullTogether(w, vector, wasm.f32x4_demote_f64x2_zero)
  if (isHalf(from)) return widenHalf(w, vector, from)
  if (bytesOf(from) === 8) return wideToFloat(w, vector, from, 'float32')
  const signed = kindOf(from) === 'int'
  const words = resize(w, vector, 4, signed)
  return eachPart(w, [words], 4, ([a]) =>
    w.asm.get(a!).op((signed ? wasm.convert_i32x4_s : wasm.convert_i32x4_u).f32x4),
  )
}

function toFloat64(w: Writer, vector: Vector, from: DType): Vector {
  if (from === 'float64') return vector
  if (isFloat(from)) return spreadOut(w, toFloat32(w, vector, from), wasm.f64x2_promote_low_f32x4)
  if (bytesOf(from) === 8) return wideToFloat(w, vector, from, 'float64')
  const signed = kindOf(from) === 'int'
  return spreadOut(
    w,
    resize(w, vector, 4, signed),
    (signed ? wasm.convert_low_i32x4_s : wasm.convert_low_i32x4_u).f64x2,
  )
}

/** A 16-bit float, rounded once: wider sources go to float32 with a sticky bit first. */
function toHalf(w: Writer, vector: Vector, from: DType, to: DType): Vector {
  let source: Vector
  if (from === 'float64') source = demoteToOdd(w, vector)
  else if (from === 'int64' || from === 'uint64') source = wideToFloat32Odd(w, vector, from)
  else if (from === 'int32' || from === 'uint32') source = demoteToOdd(w, toFloat64(w, vector, from))
  else source = toFloat32(w, vector, from)
  return narrowHalf(w, source, to)
}

/** Floats to integers of up to 32 bits: truncate and saturate at 32 bits, then at the type's own range. */
function floatToInteger(w: Writer, vector: Vector, from: DType, to: DType): Vector {
  const { asm } = w
  const signed = kindOf(to) === 'int'
  const width = bytesOf(to)
  let words: Vector
  if (from === 'float64') {
    const truncate = signed || width < 4 ? wasm.trunc_sat_f64x2_s_zero : wasm.trunc_sat_f64x2_u_zero
    words = pullTogether(w, vector, truncate.i32x4)
  } else {
    const truncate = signed || width < 4 ? wasm.trunc_sat_f32x4_s : wasm.trunc_sat_f32x4_u
    words = eachPart(w, [toFloat32(w, vector, from)], 4, ([a]) => asm.get(a!).op(truncate.i32x4))
  }
  if (width === 4) return words
  const count = 2 ** (8 * width)
  const low = signed ? -count / 2 : 0
  const high = low + count - 1
  const kept = eachPart(w, [words], 4, ([a]) => {
    asm
      .get(a!)
      .get(splat(w, 'int32', low))
      .op(wasm.i32x4_max_s)
      .get(splat(w, 'int32', high))
      .op(wasm.i32x4_min_s)
  })
  return resize(w, kept, width, signed)
}

/** Floats to 64-bit integers, lane by lane: WebAssembly's conversion truncates and saturates. */
function floatToWide(w: Writer, vector: Vector, from: DType, to: DType): Vector {
  const { asm } = w
  const convert = (to === 'int64' ? wasm.trunc_sat_f64_s : wasm.trunc_sat_f64_u).i64
  return eachPart(w, [toFloat64(w, vector, from)], 8, ([a]) => {
    asm.get(a!).lane(wasm.f64x2_extract_lane, 0).op(convert).op(wasm.i64x2_splat)
    asm.get(a!).lane(wasm.f64x2_extract_lane, 1).op(convert).lane(wasm.i64x2_replace_lane, 1)
  })
}

/** Truth: elements that are not zero. */
function toMask(w: Writer, vector: Vector, from: DType): Vector {
  const { asm } = w
  const none = zeros(w)
  if (isHalf(from)) return toMask(w, toFloat32(w, vector, from), 'float32')
  const lanes = from === 'float32' ? 'f32x4' : from === 'float64' ? 'f64x2' : integerLanes(vector.width)
  return eachPart(w, [vector], vector.width, ([a]) => asm.get(a!).get(none).op(wasm.ne[lanes]))
}

/** A vector of one type as another. One of bool is a mask; what lies in memory is made so when it is read. */
export const cast: Emit = (w, [vector], to, [from]) => convert(w, vector!, from!, to)

function convert(w: Writer, vector: Vector, from: DType, to: DType): Vector {
  if (from === 'bool') {
    const numbers = maskBytes(w, vector)
    return to === 'uint8' ? numbers : convert(w, numbers, 'uint8', to)
  }
  if (to === 'bool') return toMask(w, vector, from)
  if (to === 'float32') return toFloat32(w, vector, from)
  if (to === 'float64') return toFloat64(w, vector, from)
  if (isHalf(to)) return toHalf(w, vector, from, to)
  if (isFloat(from)) return bytesOf(to) === 8 ? floatToWide(w, vector, from, to) : floatToInteger(w, vector, from, to)
  return resize(w, vector, bytesOf(to), kindOf(from) === 'int')
}

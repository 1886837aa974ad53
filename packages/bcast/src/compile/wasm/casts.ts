// Conversions between vectors. Floats to integers truncate and saturate, NaN gives 0; integers wrap; everything to
// bool asks whether it is zero; each float result is rounded once from the exact value.
import { type DType, isFloat, kindOf } from '../../dtype/dtype.ts'
import type { Local } from './assembler.ts'
import {
  bytesOf,
  eachPart,
  integerLanes,
  resize,
  resizeMask,
  splatBytes,
  splatFloat32,
  type Vector,
  type Writer,
} from './vector.ts'

const HIGH_TO_LOW = Array.from({ length: 16 }, (_, i) => (i % 8) + 8)
/** The upper two bytes of each element of 4. */
const UPPER_HALVES = Array.from({ length: 16 }, (_, i) => Math.floor(i / 2) * 4 + 2 + (i % 2))
const LOW_HALVES = Array.from({ length: 16 }, (_, i) => (i < 8 ? i : i + 8))

/** Elements of 4 bytes to elements of 8: `convert` makes the two upper ones of a part from its lower half. */
function spreadOut(w: Writer, vector: Vector, convert: string): Vector {
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
function pullTogether(w: Writer, vector: Vector, convert: string): Vector {
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

/** float16 bits to float32: shift the fields into place, rescale, and give infinity and NaN their exponent. */
function widenFloat16(w: Writer, vector: Vector): Vector {
  const { asm } = w
  // With the sign in all upper bits, one shift and one mask move sign, exponent and fraction.
  const words = resize(w, vector, 4, true)
  const fields = w.constant(splatBytes(4, 0x8fffe000n))
  const scale = w.constant(splatFloat32(2 ** 112))
  const beyond = w.constant(splatFloat32(2 ** 16))
  const infinite = w.constant(splatBytes(4, 0x7f800000n))
  const scaled = asm.local('v128')
  return eachPart(w, [words], 4, ([a]) => {
    asm.get(a!).i32(13).op('i32x4.shl').get(fields).op('v128.and').get(scale).op('f32x4.mul').tee(scaled)
    asm.get(scaled).op('f32x4.abs').get(beyond).op('f32x4.ge').get(infinite).op('v128.and').op('v128.or')
  })
}

/** Two parts of float32 to the float16 bits of both, ties to even, or one part to the lower half. */
function narrowFloat16(w: Writer, vector: Vector): Vector {
  const { asm } = w
  const words = (value: bigint): Local => w.constant(splatBytes(4, value))
  const halves = (value: bigint): Local => w.constant(splatBytes(2, value))
  const magnitude = asm.local('v128')
  /** The magnitude's bits, too large where there is no finite result. */
  const rounded = eachPart(w, [vector], 4, ([a]) => {
    asm.get(a!).get(words(0x7fffffffn)).op('v128.and').set(magnitude)
    // Normal results: move the exponent, add half less one plus the last kept bit, shift.
    asm.get(magnitude).i32(13).op('i32x4.shr_u').get(words(1n)).op('v128.and')
    asm
      .get(magnitude)
      .get(words(BigInt.asUintN(32, -(112n << 23n) + 0xfffn)))
      .op('i32x4.add')
      .op('i32x4.add')
      .i32(13)
      .op('i32x4.shr_u')
    asm.get(magnitude).get(words(0x38800000n)).op('i32x4.lt_s').op('v128.or')
    // Subnormal results: adding 0.5 puts the unit of float16's subnormals at float32's last bit, and rounds; for
    // normal ones that is too large.
    asm
      .get(magnitude)
      .get(w.constant(splatFloat32(0.5)))
      .op('f32x4.add')
      .get(words(0x3f000000n))
      .op('i32x4.sub')
    asm.op('i32x4.min_u')
  })
  return together(w, [rounded, vector], ([magnitudes, sources]) => {
    const [low, high] = magnitudes!
    const [first, second] = sources!
    // Overflow and infinity are the largest magnitude but NaN's; NaN gets a bit of its fraction.
    asm.get(low!).get(high!).op('i16x8.narrow_i32x4_u').get(halves(0x7c00n)).op('i16x8.min_u')
    asm.get(first!).get(first!).op('f32x4.ne').get(second!).get(second!).op('f32x4.ne').op('i16x8.narrow_i32x4_s')
    asm.get(halves(0x200n)).op('v128.and').op('v128.or')
    // Saturation leaves the sign where it belongs.
    asm.get(first!).get(second!).op('i16x8.narrow_i32x4_s').get(halves(0x8000n)).op('v128.and').op('v128.or')
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
  return eachPart(w, [words], 4, ([a]) => w.asm.get(a!).i32(16).op('i32x4.shl'))
}

/** float32 to bfloat16 bits, ties to even. */
function narrowBfloat16(w: Writer, vector: Vector): Vector {
  const { asm } = w
  const bits = (value: bigint): Local => w.constant(splatBytes(4, value))
  const rounded = eachPart(w, [vector], 4, ([a]) => {
    // NaN keeps its sign and gets a bit that rounding cannot reach.
    asm.get(a!).i32(16).op('i32x4.shr_u').get(bits(1n)).op('v128.and').get(bits(0x7fffn)).op('i32x4.add')
    asm.get(a!).op('i32x4.add')
    asm.get(a!).get(bits(0x00400000n)).op('v128.or')
    asm.get(a!).get(a!).op('f32x4.eq').op('v128.bitselect')
  })
  return together(w, [rounded], ([pair]) => {
    asm.get(pair![0]!).get(pair![1]!).shuffle(UPPER_HALVES)
  })
}

const isHalf = (dtype: DType): boolean => dtype === 'float16' || dtype === 'bfloat16'

/** float64 rounded to odd in float32: the last bit says that something was lost, so that the next rounding is the only one. */
function demoteToOdd(w: Writer, vector: Vector): Vector {
  const { asm } = w
  const near = pullTogether(w, vector, 'f32x4.demote_f64x2_zero')
  const back = spreadOut(w, near, 'f64x2.promote_low_f32x4')
  const inexact = eachPart(w, [back, vector], 8, ([b, x]) =>
    asm.get(b!).get(x!).op('f64x2.ne').get(x!).get(x!).op('f64x2.eq').op('v128.and'),
  )
  const tooLarge = eachPart(w, [back, vector], 8, ([b, x]) =>
    asm.get(b!).op('f64x2.abs').get(x!).op('f64x2.abs').op('f64x2.gt'),
  )
  const lost = resizeMask(w, inexact, 4)
  const over = resizeMask(w, tooLarge, 4)
  const one = w.constant(splatBytes(4, 1n))
  return eachPart(w, [near, lost, over], 4, ([x, l, o]) => {
    // Toward zero first (one less in magnitude where it was rounded up), then the sticky bit.
    asm.get(x!).get(o!).op('i32x4.add').get(one).get(l!).op('v128.and').op('v128.or')
  })
}

/** 64-bit integers to a float, lane by lane: WebAssembly rounds such a conversion once. */
function wideToFloat(w: Writer, vector: Vector, from: DType, to: 'float32' | 'float64'): Vector {
  const { asm } = w
  const convert = `${to === 'float64' ? 'f64' : 'f32'}.convert_i64_${from === 'int64' ? 's' : 'u'}`
  if (to === 'float64') {
    return eachPart(w, [vector], 8, ([a]) => {
      asm.get(a!).lane('i64x2.extract_lane', 0).op(convert).op('f64x2.splat')
      asm.get(a!).lane('i64x2.extract_lane', 1).op(convert).lane('f64x2.replace_lane', 1)
    })
  }
  const parts: Local[] = []
  for (let i = 0; i < vector.parts.length; i += 2) {
    const local = asm.local('v128')
    const pair = [vector.parts[i]!, ...(vector.parts[i + 1] === undefined ? [] : [vector.parts[i + 1]!])]
    pair.forEach((part, p) => {
      for (const lane of [0, 1]) {
        if (p === 0 && lane === 0) asm.get(part).lane('i64x2.extract_lane', 0).op(convert).op('f32x4.splat').set(local)
        else
          asm
            .get(local)
            .get(part)
            .lane('i64x2.extract_lane', lane)
            .op(convert)
            .lane('f32x4.replace_lane', 2 * p + lane)
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
    const low = w.constant(splatBytes(8, 0xfffffn))
    const none = w.constant(new Uint8Array(16))
    const unit = w.constant(splatBytes(8, 0x100000n))
    asm
      .get(a!)
      .get(w.constant(splatBytes(8, 0xffffffff_fff00000n)))
      .op('v128.and')
    asm.get(a!).get(low).op('v128.and').get(none).op('i64x2.ne').get(unit).op('v128.and').op('v128.or')
  })
  const small = eachPart(w, [vector], 8, ([a]) => {
    const limit = w.constant(splatBytes(8, 1n << 40n))
    if (from === 'uint64')
      asm
        .get(a!)
        .i32(40)
        .op('i64x2.shr_u')
        .get(w.constant(new Uint8Array(16)))
        .op('i64x2.eq')
    else
      asm
        .get(a!)
        .op('i64x2.abs')
        .get(limit)
        .op('i64x2.lt_s')
        .get(a!)
        .op('i64x2.abs')
        .get(w.constant(new Uint8Array(16)))
        .op('i64x2.ge_s')
        .op('v128.and')
  })
  const chosen = eachPart(w, [vector, sticky, small], 8, ([a, s, c]) =>
    asm.get(a!).get(s!).get(c!).op('v128.bitselect'),
  )
  return demoteToOdd(w, wideToFloat(w, chosen, from, 'float64'))
}

function toFloat32(w: Writer, vector: Vector, from: DType): Vector {
  if (from === 'float32') return vector
  if (from === 'float64') return pullTogether(w, vector, 'f32x4.demote_f64x2_zero')
  if (from === 'float16') return widenFloat16(w, vector)
  if (from === 'bfloat16') return widenBfloat16(w, vector)
  if (bytesOf(from) === 8) return wideToFloat(w, vector, from, 'float32')
  const signed = kindOf(from) === 'int'
  const words = resize(w, vector, 4, signed)
  return eachPart(w, [words], 4, ([a]) => w.asm.get(a!).op(`f32x4.convert_i32x4_${signed ? 's' : 'u'}`))
}

function toFloat64(w: Writer, vector: Vector, from: DType): Vector {
  if (from === 'float64') return vector
  if (isFloat(from)) return spreadOut(w, toFloat32(w, vector, from), 'f64x2.promote_low_f32x4')
  if (bytesOf(from) === 8) return wideToFloat(w, vector, from, 'float64')
  const signed = kindOf(from) === 'int'
  return spreadOut(w, resize(w, vector, 4, signed), `f64x2.convert_low_i32x4_${signed ? 's' : 'u'}`)
}

/** A 16-bit float, rounded once: wider sources go to float32 with a sticky bit first. */
function toHalf(w: Writer, vector: Vector, from: DType, to: DType): Vector {
  let source: Vector
  if (from === 'float64') source = demoteToOdd(w, vector)
  else if (from === 'int64' || from === 'uint64') source = wideToFloat32Odd(w, vector, from)
  else if (from === 'int32' || from === 'uint32') source = demoteToOdd(w, toFloat64(w, vector, from))
  else source = toFloat32(w, vector, from)
  return to === 'float16' ? narrowFloat16(w, source) : narrowBfloat16(w, source)
}

/** Floats to integers of up to 32 bits: truncate and saturate at 32 bits, then at the type's own range. */
function floatToInteger(w: Writer, vector: Vector, from: DType, to: DType): Vector {
  const { asm } = w
  const signed = kindOf(to) === 'int'
  const width = bytesOf(to)
  const suffix = signed || width < 4 ? 's' : 'u'
  let words: Vector
  if (from === 'float64') words = pullTogether(w, vector, `i32x4.trunc_sat_f64x2_${suffix}_zero`)
  else words = eachPart(w, [toFloat32(w, vector, from)], 4, ([a]) => asm.get(a!).op(`i32x4.trunc_sat_f32x4_${suffix}`))
  if (width === 4) return words
  const bits = BigInt(8 * width)
  const low = signed ? -(1n << (bits - 1n)) : 0n
  const high = signed ? (1n << (bits - 1n)) - 1n : (1n << bits) - 1n
  const kept = eachPart(w, [words], 4, ([a]) => {
    asm
      .get(a!)
      .get(w.constant(splatBytes(4, low)))
      .op('i32x4.max_s')
      .get(w.constant(splatBytes(4, high)))
      .op('i32x4.min_s')
  })
  return resize(w, kept, width, signed)
}

/** Floats to 64-bit integers, lane by lane: WebAssembly's conversion truncates and saturates. */
function floatToWide(w: Writer, vector: Vector, from: DType, to: DType): Vector {
  const { asm } = w
  const convert = `i64.trunc_sat_f64_${to === 'int64' ? 's' : 'u'}`
  return eachPart(w, [toFloat64(w, vector, from)], 8, ([a]) => {
    asm.get(a!).lane('f64x2.extract_lane', 0).op(convert).op('i64x2.splat')
    asm.get(a!).lane('f64x2.extract_lane', 1).op(convert).lane('i64x2.replace_lane', 1)
  })
}

/** Truth: elements that are not zero. */
function toMask(w: Writer, vector: Vector, from: DType): Vector {
  const { asm } = w
  const none = w.constant(new Uint8Array(16))
  if (isHalf(from)) return toMask(w, toFloat32(w, vector, from), 'float32')
  const lanes = from === 'float32' ? 'f32x4' : from === 'float64' ? 'f64x2' : integerLanes(vector.width)
  return eachPart(w, [vector], vector.width, ([a]) => asm.get(a!).get(none).op(`${lanes}.ne`))
}

/** `vector` of type `from` as type `to`. A vector of bool is a mask; one read from memory is made so by kernel.ts. */
export function emitCast(w: Writer, vector: Vector, from: DType, to: DType): Vector {
  if (from === to) return vector
  if (from === 'bool') {
    const unit = w.constant(splatBytes(1, 1n))
    const bytes = resizeMask(w, vector, 1)
    const numbers = eachPart(w, [bytes], 1, ([a]) => w.asm.get(a!).get(unit).op('v128.and'))
    return to === 'uint8' ? numbers : emitCast(w, numbers, 'uint8', to)
  }
  if (to === 'bool') return toMask(w, vector, from)
  if (to === 'float32') return toFloat32(w, vector, from)
  if (to === 'float64') return toFloat64(w, vector, from)
  if (isHalf(to)) return toHalf(w, vector, from, to)
  if (isFloat(from)) return bytesOf(to) === 8 ? floatToWide(w, vector, from, to) : floatToInteger(w, vector, from, to)
  return resize(w, vector, bytesOf(to), kindOf(from) === 'int')
}

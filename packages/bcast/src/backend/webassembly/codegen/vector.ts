// Values of a kernel as vectors: `lanes` elements of `width` bytes in one or more v128 parts. Truth values are masks,
// all bits or none, as wide as what was compared.
import { bitsOf, type DType, makeStorage, type TypedArray } from '../../../dtype/dtype.ts'
import type { Assembler, Local } from './assembler.ts'
import * as wasm from './opcodes.ts'

export interface Vector {
  /** Bytes of one element. */
  readonly width: number
  /** The elements in order, 16 bytes a part; fewer than 16 bytes in all lie at the start of one part. */
  readonly parts: readonly Local[]
  /** The same element in every lane: one part stands for all. */
  readonly uniform: boolean
  /** Of truth values: the floats of which the first was asked to be less, for whoever chooses between the two. */
  readonly ordered?: readonly Vector[]
}

/** What code generation needs of the kernel being written. */
export interface Writer {
  readonly asm: Assembler
  /** Elements of a vector. */
  readonly lanes: number
  /** Elements of the row not yet computed; the lanes beyond do not count. */
  readonly left: Local
  /** Set to 1 when an element has no value. */
  readonly fault: Local
}

export const bytesOf = (dtype: DType): number => bitsOf(dtype) / 8
export const isUniform = ({ uniform }: Vector): boolean => uniform

/** The part that stands for part `i`. */
export const partAt = ({ parts, uniform }: Vector, i: number): Local => parts[uniform ? 0 : i]!

/** Applies `emit` to each part: it gets the operands' parts and must leave one v128 on the stack. */
export function eachPart(
  w: Writer,
  operands: readonly Vector[],
  width: number,
  emit: (parts: readonly Local[]) => void,
): Vector {
  const uniform = operands.every(isUniform)
  const count = uniform ? 1 : Math.max(...operands.map(({ parts }) => parts.length))
  const parts = Array.from({ length: count }, (_, i) => {
    emit(operands.map((operand) => partAt(operand, i)))
    const local = w.asm.local('v128')
    w.asm.set(local)
    return local
  })
  return { width, parts, uniform }
}

/** A local that holds an element in every lane throughout the kernel. Typed arrays lie in memory as vectors do. */
export function splat({ asm }: Writer, dtype: DType, value: number | bigint): Local {
  const elements = makeStorage(dtype, 16 / bytesOf(dtype)) as TypedArray
  const filled = (elements as { fill(value: number | bigint): TypedArray }).fill(value)
  return asm.constant(new Uint8Array(filled.buffer as ArrayBuffer))
}

/** Nothing but zeros. */
export const zeros = (w: Writer): Local => splat(w, 'uint8', 0)

const INTEGER_LANES: Readonly<Record<number, wasm.IntegerLanes>> = { 1: 'i8x16', 2: 'i16x8', 4: 'i32x4', 8: 'i64x2' }

export const integerLanes = (width: number): wasm.IntegerLanes => INTEGER_LANES[width]!

/** Elements of twice the width, with or without sign. */
export function widen(w: Writer, vector: Vector, signed: boolean): Vector {
  const { asm } = w
  const width = vector.width * 2
  // The elements made are at least two bytes wide.
  const lanes = integerLanes(width) as Exclude<wasm.IntegerLanes, 'i8x16'>
  const [low, high] = signed ? [wasm.extend_low_s, wasm.extend_high_s] : [wasm.extend_low_u, wasm.extend_high_u]
  const parts: Local[] = []
  const push = (part: Local, half: typeof low) => {
    const local = asm.local('v128')
    asm.get(part).op(half[lanes]).set(local)
    parts.push(local)
  }
  if (vector.uniform || w.lanes * vector.width <= 8) push(vector.parts[0]!, low)
  else {
    for (const part of vector.parts) {
      push(part, low)
      push(part, high)
    }
  }
  return { width, parts, uniform: vector.uniform }
}

/** The lower half of each element. */
export function halve(w: Writer, vector: Vector): Vector {
  const { asm } = w
  const width = vector.width / 2
  const even = Array.from({ length: 16 }, (_, i) => {
    const element = Math.floor(i / width)
    const byte = element * vector.width + (i % width)
    return byte < 32 ? byte : byte - 32
  })
  const parts: Local[] = []
  for (let i = 0; i < vector.parts.length; i += 2) {
    const local = asm.local('v128')
    asm
      .get(vector.parts[i]!)
      .get(vector.parts[i + 1] ?? vector.parts[i]!)
      .shuffle(even)
      .set(local)
    parts.push(local)
  }
  return { width, parts, uniform: vector.uniform }
}

/** Elements of another width: sign or zeros in front, or the lower bytes. */
export function resize(w: Writer, vector: Vector, width: number, signed: boolean): Vector {
  let result = vector
  while (result.width < width) result = widen(w, result, signed)
  while (result.width > width) result = halve(w, result)
  return result
}

/** Truth values of another width: saturation keeps all bits or none, and is one instruction. */
export function resizeMask(w: Writer, vector: Vector, width: number): Vector {
  const { asm } = w
  if (vector.width <= width || vector.width === 8) {
    const resized = resize(w, vector, vector.width === 8 ? Math.min(width, 4) : width, true)
    return resized.width === width ? resized : resizeMask(w, resized, width)
  }
  const half = vector.width / 2
  const narrow = half === 1 ? wasm.i8x16_narrow_i16x8_s : wasm.i16x8_narrow_i32x4_s
  const parts = Array.from({ length: Math.ceil(vector.parts.length / 2) }, (_, i) => {
    const local = asm.local('v128')
    asm
      .get(vector.parts[2 * i]!)
      .get(vector.parts[2 * i + 1] ?? vector.parts[2 * i]!)
      .op(narrow)
      .set(local)
    return local
  })
  return resizeMask(w, { width: half, parts, uniform: vector.uniform }, width)
}

/** Truth read from memory: bytes that are not zero. */
export const maskOfBytes = (w: Writer, bytes: Vector): Vector => {
  const none = zeros(w)
  return eachPart(w, [bytes], 1, ([a]) => w.asm.get(a!).get(none).op(wasm.i8x16_ne))
}

/** Truth as it lies in memory: bytes of 0 and 1. */
export const maskBytes = (w: Writer, mask: Vector): Vector => {
  const unit = splat(w, 'uint8', 1)
  return eachPart(w, [resizeMask(w, mask, 1)], 1, ([a]) => w.asm.get(a!).get(unit).op(wasm.v128_and))
}

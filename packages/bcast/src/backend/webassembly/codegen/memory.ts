// Vectors from and to memory: whole ones, the same element in every lane, elements a stride apart, and the last few of
// a row. Reading past a row's end is allowed where it stays in the memory; writing past it never is.
import type { DType } from '../../../dtype/dtype.ts'
import type { Motion } from '../../../plan/signature.ts'
import type { Assembler, Local } from './assembler.ts'
import * as wasm from './opcodes.ts'
import { bytesOf, isUniform, type Vector, type Writer } from './vector.ts'

/** An operand while a kernel runs. */
export interface Cursor {
  readonly dtype: DType
  readonly motion: Motion
  /** Where the block of rows begins. */
  readonly address: Local
  /** Where each row of the block has come to; one for all where the rows do not differ. */
  readonly at: readonly Local[]
  readonly step: Local | undefined
  readonly rowStep: Local
}

/** The operand's elements in a row of the block. */
export function loadVector(w: Writer, { dtype, motion, at: places, step }: Cursor, row: number): Vector {
  const { asm, lanes } = w
  const width = bytesOf(dtype)
  const at = places[row] ?? places[0]!
  if (motion === 'splat') {
    const part = asm.local('v128')
    asm
      .get(at)
      .memory(wasm.load_splat[width * 8]!)
      .set(part)
    return { width, parts: [part], uniform: true }
  }
  const total = lanes * width
  const parts = Array.from({ length: Math.max(1, total / 16) }, () => asm.local('v128'))
  if (motion === 'unit') {
    const load = total >= 16 ? wasm.v128_load : wasm.load_zero[total * 8]!
    parts.forEach((part, i) => {
      asm
        .get(at)
        .memory(load, 16 * i)
        .set(part)
    })
    return { width, parts, uniform: false }
  }
  const address = asm.local('i32')
  const gather = (advance: (lane: number) => void) => {
    asm.get(at).set(address)
    for (let lane = 0; lane < lanes; lane++) {
      const part = parts[Math.floor((lane * width) / 16)]!
      asm
        .get(address)
        .get(part)
        .laneMemory(wasm.load_lane[width * 8]!, lane % (16 / width))
        .set(part)
      if (lane + 1 < lanes) advance(lane)
    }
  }
  // Past the row's end a stride could leave the memory, so the last lanes read the last element again.
  asm
    .get(w.left)
    .i32(lanes)
    .op(wasm.i32_ge_s)
    .if(
      () => gather(() => asm.get(address).get(step!).op(wasm.i32_add).set(address)),
      () =>
        gather((lane) => {
          asm.get(address)
          asm
            .get(step!)
            .i32(0)
            .get(w.left)
            .i32(lane + 1)
            .op(wasm.i32_gt_s)
            .select()
          asm.op(wasm.i32_add).set(address)
        }),
    )
  return { width, parts, uniform: false }
}

/** Stores the vector's first elements: all of them, or as many as are left. */
export function storeVector(w: Writer, vector: Vector, at: Local): void {
  const { asm, lanes, left } = w
  const { width } = vector
  const total = lanes * width
  const parts = Array.from({ length: Math.max(1, total / 16) }, (_, i) => vector.parts[isUniform(vector) ? 0 : i]!)
  asm
    .get(left)
    .i32(lanes)
    .op(wasm.i32_ge_s)
    .if(
      () =>
        parts.forEach((part, i) => {
          if (total >= 16)
            asm
              .get(at)
              .get(part)
              .memory(wasm.v128_store, 16 * i)
          else
            asm
              .get(at)
              .get(part)
              .laneMemory(wasm.store_lane[total * 8]!, 0)
        }),
      () => storePart(w, parts, width, at),
    )
}

function storePart(w: Writer, parts: readonly Local[], width: number, at: Local): void {
  const { asm } = w
  const address = asm.local('i32')
  const count = asm.local('i32')
  const rest = asm.local('v128')
  asm.get(at).set(address).get(w.left).set(count)
  asm.block(() => {
    for (const [i, part] of parts.entries()) {
      const whole = 16 / width
      asm.get(part).set(rest)
      if (i + 1 < parts.length) {
        asm
          .get(count)
          .i32(whole)
          .op(wasm.i32_ge_s)
          .if(
            () => {
              asm.get(address).get(rest).memory(wasm.v128_store, 0)
              asm.get(address).i32(16).op(wasm.i32_add).set(address)
              asm.get(count).i32(whole).op(wasm.i32_sub).set(count)
            },
            () => storeBits(w, rest, width, address, count).br(1),
          )
      } else storeBits(w, rest, width, address, count)
    }
  })
}

/** Fewer elements than a vector: by halves, as the bits of the count say. */
function storeBits(w: Writer, rest: Local, width: number, address: Local, count: Local): Assembler {
  const { asm } = w
  for (let bytes = 8; bytes >= width; bytes /= 2) {
    asm
      .get(count)
      .i32(bytes / width)
      .op(wasm.i32_and)
      .if(() => {
        asm
          .get(address)
          .get(rest)
          .laneMemory(wasm.store_lane[bytes * 8]!, 0)
        asm.get(address).i32(bytes).op(wasm.i32_add).set(address)
        const shifted = Array.from({ length: 16 }, (_, i) => Math.min(i + bytes, 15))
        asm.get(rest).get(rest).shuffle(shifted).set(rest)
      })
  }
  return asm
}

// Vectors from and to memory: whole ones, the same element in every lane, elements a stride apart, and the last few of
// a row. Reading past a row's end is allowed where it stays in the memory; writing past it never is.
import type { DType } from '../../dtype/dtype.ts'
import type { Motion } from '../../plan/signature.ts'
import type { Assembler, Local } from './assembler.ts'
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
      .memory(`v128.load${width * 8}_splat`)
      .set(part)
    return { width, parts: [part], uniform: true }
  }
  const total = lanes * width
  const parts = Array.from({ length: Math.max(1, total / 16) }, () => asm.local('v128'))
  if (motion === 'unit') {
    const load = total >= 16 ? 'v128.load' : `v128.load${total * 8}_zero`
    parts.forEach((part, i) => {
      asm
        .get(at)
        .memory(load, 16 * i, Math.log2(width))
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
        .laneMemory(`v128.load${width * 8}_lane`, lane % (16 / width))
        .set(part)
      if (lane + 1 < lanes) advance(lane)
    }
  }
  // Past the row's end a stride could leave the memory, so the last lanes read the last element again.
  asm
    .get(w.left)
    .i32(lanes)
    .op('i32.ge_s')
    .if(
      () => gather(() => asm.get(address).get(step!).op('i32.add').set(address)),
      () =>
        gather((lane) => {
          asm.get(address)
          asm
            .get(step!)
            .i32(0)
            .get(w.left)
            .i32(lane + 1)
            .op('i32.gt_s')
            .select()
          asm.op('i32.add').set(address)
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
    .op('i32.ge_s')
    .if(
      () =>
        parts.forEach((part, i) => {
          if (total >= 16)
            asm
              .get(at)
              .get(part)
              .memory('v128.store', 16 * i, Math.log2(width))
          else
            asm
              .get(at)
              .get(part)
              .laneMemory(`v128.store${total * 8}_lane`, 0)
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
          .op('i32.ge_s')
          .if(
            () => {
              asm.get(address).get(rest).memory('v128.store', 0, Math.log2(width))
              asm.get(address).i32(16).op('i32.add').set(address)
              asm.get(count).i32(whole).op('i32.sub').set(count)
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
      .op('i32.and')
      .if(() => {
        asm
          .get(address)
          .get(rest)
          .laneMemory(`v128.store${bytes * 8}_lane`, 0)
        asm.get(address).i32(bytes).op('i32.add').set(address)
        const shifted = Array.from({ length: 16 }, (_, i) => Math.min(i + bytes, 15))
        asm.get(rest).get(rest).shuffle(shifted).set(rest)
      })
  }
  return asm
}

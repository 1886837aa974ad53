// The kernels of a row times a matrix, which read the matrix where it lies: every element is read once, so that packing
// it would take longer than multiplying. The sum of a column has one lane that takes its products in ascending order,
// from zero, multiplied and added with two roundings, as in the product of matrices.
import type { DType } from '../../../dtype/dtype.ts'
import { Assembler, type Local } from './assembler.ts'
import { increase, lanesOf, readParameters } from './gemm.ts'
import { storeVector } from './memory.ts'
import { type MemoryLimits, wasmModule } from './module.ts'
import * as wasm from './opcodes.ts'
import { bytesOf, type Writer } from './vector.ts'

/** Offsets of the arguments; every entry is an i32. */
export const ROW_PRODUCT = {
  /** Address of the row, whose elements lie side by side. */
  row: 0,
  /** Address of the matrix, and bytes from row to row or from column to column, the way that is not side by side. */
  matrix: 4,
  step: 8,
  columns: 12,
  /** Products of a sum; at least one. */
  length: 16,
  /** Address of the sums, which lie side by side. */
  sums: 20,
} as const

/** Rows of the matrix that are added at once; so many places in memory are read side by side. */
const ROWS = 8
/** Vectors of columns whose sums go on together, so that none waits for another. */
const GROUPS = 2

/** Compiles `run(parameters: i32) -> i32` for a matrix whose columns lie side by side. */
export function compileRowAcross(type: DType, memory: MemoryLimits): Uint8Array {
  const asm = new Assembler()
  const { row, matrix, step, columns, length, sums } = readParameters(asm, ROW_PRODUCT)
  const [width, lanes] = [bytesOf(type), lanesOf(type)]
  const w: Writer = { asm, lanes: (GROUPS * 16) / width, left: asm.local('i32'), fault: asm.local('i32') }
  const at = Array.from({ length: ROWS }, () => asm.local('i32'))
  const factors = Array.from({ length: ROWS }, () => asm.local('v128'))
  const [place, isFirst] = [asm.local('i32'), asm.local('i32')]
  const parts = Array.from({ length: GROUPS }, () => asm.local('v128'))
  const none = asm.constant(new Uint8Array(16))

  /** Adds the products of so many rows to all sums. */
  const takeRows = (count: number): void => {
    for (let r = 0; r < count; r++) {
      asm.get(matrix).set(at[r]!)
      increase(asm, matrix, step)
      asm
        .get(row)
        .memory(wasm.load_splat[width * 8]!, r * width)
        .set(factors[r]!)
    }
    increase(asm, row, count * width)
    asm.get(sums).set(place).get(columns).set(w.left)
    asm.loop(() => {
      asm.get(isFirst).if(
        () => {
          for (const part of parts) asm.get(none).set(part)
        },
        () =>
          parts.forEach((part, i) => {
            asm
              .get(place)
              .memory(wasm.v128_load, 16 * i)
              .set(part)
          }),
      )
      for (let r = 0; r < count; r++) {
        parts.forEach((part, i) => {
          asm.get(part).get(factors[r]!).get(at[r]!)
          asm
            .memory(wasm.v128_load, 16 * i)
            .op(wasm.mul[lanes])
            .op(wasm.add[lanes])
            .set(part)
        })
        increase(asm, at[r]!, GROUPS * 16)
      }
      storeVector(w, { width, parts, uniform: false }, place)
      increase(asm, place, GROUPS * 16)
      asm.get(w.left).i32(w.lanes).op(wasm.i32_sub).tee(w.left).i32(0).op(wasm.i32_gt_s).brIf(0)
    })
    asm.i32(0).set(isFirst)
    asm.get(length).i32(count).op(wasm.i32_sub).set(length)
  }

  asm.i32(1).set(isFirst)
  for (const count of [ROWS, 1]) {
    asm.block(() =>
      asm.loop(() => {
        asm.get(length).i32(count).op(wasm.i32_lt_s).brIf(1)
        takeRows(count)
        asm.br(0)
      }),
    )
  }
  return wasmModule(asm.i32(0).finish(), memory)
}

/** Turns as many vectors as they have lanes: the first gets the first element of each. */
function turned(asm: Assembler, vectors: readonly Local[], width: number): Local[] {
  let rows = vectors
  // Halves of pairs change places, then quarters.
  for (let block = 8; block >= width; block /= 2) {
    const distance = block / width
    const next: Local[] = []
    for (let i = 0; i < rows.length; i++) {
      if ((i & distance) !== 0) continue
      const [low, high] = [rows[i]!, rows[i + distance]!]
      for (const second of [0, 1]) {
        const order = Array.from({ length: 16 }, (_, byte) => {
          const [run, rest] = [Math.floor(byte / block), byte % block]
          return (run % 2) * 16 + (Math.floor(run / 2) * 2 + second) * block + rest
        })
        const local = asm.local('v128')
        asm.get(low).get(high).shuffle(order).set(local)
        next[i + second * distance] = local
      }
    }
    rows = next
  }
  return [...rows]
}

/** Compiles `run(parameters: i32) -> i32` for a matrix the elements of whose columns lie side by side. */
export function compileRowAlong(type: DType, memory: MemoryLimits): Uint8Array {
  const asm = new Assembler()
  const { row, matrix, step, columns, length, sums } = readParameters(asm, ROW_PRODUCT)
  const [width, lanes] = [bytesOf(type), lanesOf(type)]
  const perVector = 16 / width
  const w: Writer = { asm, lanes: GROUPS * perVector, left: columns, fault: asm.local('i32') }
  const at = Array.from({ length: w.lanes }, () => asm.local('i32'))
  const parts = Array.from({ length: GROUPS }, () => asm.local('v128'))
  const [along, from, left] = [asm.local('i32'), asm.local('v128'), asm.local('i32')]
  const none = asm.constant(new Uint8Array(16))
  const element = asm.local('v128')

  const add = (part: Local, product: Local): void => {
    asm.get(part).get(product).op(wasm.add[lanes]).set(part)
  }
  /** Adds the next products of every column, as many as a vector has. */
  const takeVector = (): void => {
    asm.get(along).memory(wasm.v128_load).set(from)
    parts.forEach((part, group) => {
      const products = at.slice(group * perVector, (group + 1) * perVector).map((column) => {
        const local = asm.local('v128')
        asm.get(column).memory(wasm.v128_load).get(from).op(wasm.mul[lanes]).set(local)
        return local
      })
      for (const product of turned(asm, products, width)) add(part, product)
    })
  }
  const takeElement = (): void => {
    asm
      .get(along)
      .memory(wasm.load_splat[width * 8]!)
      .set(from)
    parts.forEach((part, group) => {
      for (let lane = 0; lane < perVector; lane++) {
        asm
          .get(at[group * perVector + lane]!)
          .get(element)
          .laneMemory(wasm.load_lane[width * 8]!, lane)
          .set(element)
      }
      const product = asm.local('v128')
      asm.get(element).get(from).op(wasm.mul[lanes]).set(product)
      add(part, product)
    })
  }

  asm.loop(() => {
    // Columns beyond the last are the last one again.
    asm.get(matrix).set(at[0]!)
    for (let i = 1; i < at.length; i++) {
      asm.get(at[i - 1]!)
      asm.get(step).i32(0).get(columns).i32(i).op(wasm.i32_gt_s).select()
      asm.op(wasm.i32_add).set(at[i]!)
    }
    asm.get(at.at(-1)!).get(step).op(wasm.i32_add).set(matrix)
    for (const part of parts) asm.get(none).set(part)
    asm.get(row).set(along).get(length).set(left)
    for (const [count, take] of [
      [perVector, takeVector],
      [1, takeElement],
    ] as const) {
      asm.block(() =>
        asm.loop(() => {
          asm.get(left).i32(count).op(wasm.i32_lt_s).brIf(1)
          take()
          for (const place of [along, ...at]) increase(asm, place, count * width)
          asm.get(left).i32(count).op(wasm.i32_sub).set(left).br(0)
        }),
      )
    }
    storeVector(w, { width, parts, uniform: false }, sums)
    increase(asm, sums, GROUPS * 16)
    asm.get(columns).i32(w.lanes).op(wasm.i32_sub).tee(columns).i32(0).op(wasm.i32_gt_s).brIf(0)
  })
  return wasmModule(asm.i32(0).finish(), memory)
}

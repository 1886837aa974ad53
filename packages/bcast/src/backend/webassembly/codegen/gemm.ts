// The kernels of a matrix product. Operands are first packed into strips, so that the product reads memory in one
// direction whatever their layout was; strips of A are a few rows tall, strips of B two vectors wide. Every element of
// the result has one lane of one accumulator that takes its products in ascending order, multiplied and added with
// two roundings, so the order of the definition is the order of the machine.
import type { DType } from '../../../dtype/dtype.ts'
import { Assembler, type Local } from './assembler.ts'
import { widenHalf } from './halves.ts'
import { loadVector } from './memory.ts'
import { type MemoryLimits, wasmModule } from './module.ts'
import * as wasm from './opcodes.ts'
import { bytesOf, integerLanes, type Writer } from './vector.ts'

/** Rows of a strip of A: with two vectors of columns the accumulators and what feeds them just fit 16 registers. */
export const STRIP_ROWS = 4
const STRIP_VECTORS = 2
/** Bytes of one row of a strip of B. */
const STRIP_BYTES = STRIP_VECTORS * 16
/** Steps written out one after another in the innermost loop. */
const UNROLLED = 4

/** The type that products of a type are summed in; signs do not matter to sums that wrap. */
export function sumType(dtype: DType): DType {
  if (dtype === 'float16' || dtype === 'bfloat16') return 'float32'
  if (dtype === 'uint32') return 'int32'
  return dtype === 'uint64' ? 'int64' : dtype
}

/** Columns of a strip of B. */
export const stripColumns = (dtype: DType): number => STRIP_BYTES / bytesOf(sumType(dtype))

/** Offsets of the arguments of a packing kernel; every entry is an i32. */
export const PACK = {
  /** Address of the first element. */
  source: 0,
  /** Byte stride from line to line; each lane of a strip is one line. */
  across: 4,
  /** Byte stride along a line. */
  along: 8,
  /** Number of lines. */
  lines: 12,
  /** Elements of a line. */
  length: 16,
  /** Address of the first strip, and bytes from strip to strip. */
  target: 20,
  stripStep: 24,
} as const

/** Offsets of the arguments of a gathering kernel; every entry is an i32. */
export const GATHER = {
  /** Address of the first element. */
  source: 0,
  /** Address of how far each line lies from there, in bytes; whole strips of them. */
  across: 4,
  /** Address of a word for each strip: 1 where its lines lie side by side. */
  unit: 8,
  lines: 12,
  /** Address of how far each element of a line lies from its first, in bytes. */
  along: 16,
  length: 20,
  target: 24,
  stripStep: 28,
} as const

/** Offsets of the arguments of a multiplying kernel; every entry is an i32. */
export const MULTIPLY = {
  /** Addresses of the strips of A and B. */
  a: 0,
  b: 4,
  /** How many of each. */
  rowStrips: 8,
  columnStrips: 12,
  /** Products to be summed; at least one. */
  length: 16,
  /** Address of the sums, row-major. */
  sums: 20,
  /** Byte stride from row to row of the sums. */
  rowStep: 24,
  /** 1 to add to the sums that are there, 0 to start from zero. */
  more: 28,
} as const

/** Bytes of the parameter block of either kernel. */
export const GEMM_PARAMETERS = 32

/** Reads the arguments into locals. */
export function readParameters<K extends string>(
  asm: Assembler,
  offsets: Readonly<Record<K, number>>,
): Record<K, Local> {
  const entries = Object.entries<number>(offsets).map(([name, offset]): [string, Local] => {
    const local = asm.local('i32')
    asm.get(asm.parameter).memory(wasm.i32_load, offset).set(local)
    return [name, local]
  })
  return Object.fromEntries(entries) as Record<K, Local>
}

export const increase = (asm: Assembler, local: Local, by: number | Local): Assembler => {
  if (typeof by === 'number') asm.get(local).i32(by)
  else asm.get(local).get(by)
  return asm.op(wasm.i32_add).set(local)
}

/** Counts a local down and starts the enclosing loop again until it is zero or less. */
const repeat = (asm: Assembler, local: Local, by = 1): Assembler =>
  asm.get(local).i32(by).op(wasm.i32_sub).tee(local).i32(0).op(wasm.i32_gt_s).brIf(0)

/**
 * Compiles `run(parameters: i32) -> i32` that packs lines into strips of `lanes` lines, 16-bit floats as float32: a
 * strip holds the first elements of its lines, then the second ones, and so on. A last strip that lacks lines repeats
 * one or holds what lies behind; its sums are of no consequence.
 */
export function compilePack(dtype: DType, lanes: number, memory: MemoryLimits): Uint8Array {
  const asm = new Assembler()
  const { source, across, along, lines, length, target, stripStep } = readParameters(asm, PACK)
  const width = bytesOf(dtype)
  const at = asm.local('i32')
  const to = asm.local('i32')
  const left = asm.local('i32')
  const writer: Writer = {
    asm,
    lanes,
    left: lines,
    fault: asm.local('i32'),
  }
  const move = (motion: 'unit' | 'strided') => (): void => {
    const read = loadVector(writer, { dtype, motion, address: source, at: [at], step: across, rowStep: along }, 0)
    const { parts } = width === 2 ? widenHalf(writer, read, dtype) : read
    parts.forEach((part, i) => {
      asm
        .get(to)
        .get(part)
        .memory(wasm.v128_store, 16 * i)
    })
    increase(asm, to, 16 * parts.length)
  }

  asm.loop(() => {
    asm.get(source).set(at).get(target).set(to).get(length).set(left)
    asm.loop(() => {
      asm.get(across).i32(width).op(wasm.i32_eq).if(move('unit'), move('strided'))
      increase(asm, at, along)
      repeat(asm, left)
    })
    asm.get(source).get(across).i32(lanes).op(wasm.i32_mul).op(wasm.i32_add).set(source)
    increase(asm, target, stripStep)
    repeat(asm, lines, lanes)
  })
  return wasmModule(asm.i32(0).finish(), memory)
}

/** Compiles `run(parameters: i32) -> i32` that packs lines into strips of B, wherever each line and element lies. */
export function compileGather(dtype: DType, memory: MemoryLimits): Uint8Array {
  const asm = new Assembler()
  const { source, across, unit, lines, along, length, target, stripStep } = readParameters(asm, GATHER)
  const width = bytesOf(dtype)
  const [first, at, to, left] = [asm.local('i32'), asm.local('i32'), asm.local('i32'), asm.local('i32')]
  const lanes = Array.from({ length: STRIP_BYTES / width }, () => asm.local('i32'))
  const parts = Array.from({ length: STRIP_VECTORS }, () => asm.local('v128'))
  /** Goes along the lines; `first` is how far the elements of a step lie from those at the start. */
  const eachStep = (load: () => void) => (): void => {
    asm.loop(() => {
      asm.get(at).memory(wasm.i32_load).set(first)
      load()
      for (const [i, part] of parts.entries()) {
        asm
          .get(to)
          .get(part)
          .memory(wasm.v128_store, 16 * i)
      }
      increase(asm, to, STRIP_BYTES)
      increase(asm, at, 4)
      repeat(asm, left)
    })
  }
  const together = (): void => {
    asm.get(lanes[0]!).get(first).op(wasm.i32_add).set(first)
    for (const [i, part] of parts.entries()) {
      asm
        .get(first)
        .memory(wasm.v128_load, 16 * i)
        .set(part)
    }
  }
  const apart = (): void => {
    for (const [lane, own] of lanes.entries()) {
      const part = parts[Math.floor((lane * width) / 16)]!
      asm
        .get(own)
        .get(first)
        .op(wasm.i32_add)
        .get(part)
        .laneMemory(wasm.load_lane[width * 8]!, lane % (16 / width))
        .set(part)
    }
  }
  asm.loop(() => {
    for (const [i, lane] of lanes.entries()) {
      asm
        .get(across)
        .memory(wasm.i32_load, 4 * i)
        .get(source)
        .op(wasm.i32_add)
        .set(lane)
    }
    asm.get(along).set(at).get(target).set(to).get(length).set(left)
    asm.get(unit).memory(wasm.i32_load).if(eachStep(together), eachStep(apart))
    increase(asm, across, 4 * lanes.length)
    increase(asm, unit, 4)
    increase(asm, target, stripStep)
    repeat(asm, lines, lanes.length)
  })
  return wasmModule(asm.i32(0).finish(), memory)
}

/** The lanes that products of a type are summed in. */
export const lanesOf = (dtype: DType): Exclude<wasm.Lanes, 'i8x16'> =>
  dtype === 'float32' ? 'f32x4' : dtype === 'float64' ? 'f64x2' : (integerLanes(bytesOf(dtype)) as 'i32x4' | 'i64x2')

/**
 * Compiles `run(parameters: i32) -> i32` that adds the products of packed strips to their sums, which are of `type`:
 * each strip of A meets every strip of B.
 */
export function compileMultiply(type: DType, memory: MemoryLimits): Uint8Array {
  const asm = new Assembler()
  const { a, b, rowStrips, columnStrips, length, sums, rowStep, more } = readParameters(asm, MULTIPLY)
  const width = bytesOf(type)
  const lanes = lanesOf(type)
  const accumulators = Array.from({ length: STRIP_ROWS }, () =>
    Array.from({ length: STRIP_VECTORS }, () => asm.local('v128')),
  )
  const columns = accumulators[0]!.map(() => asm.local('v128'))
  const element = asm.local('v128')
  const row = asm.local('i32')
  const column = asm.local('i32')
  const end = asm.local('i32')
  const tile = asm.local('i32')
  const at = asm.local('i32')
  const stripsLeft = asm.local('i32')

  /** Visits the accumulators with the address of their row in `at` and an offset from there. */
  const eachSum = (emit: (sum: Local, offset: number) => void): void => {
    asm.get(tile).set(at)
    for (const accumulator of accumulators) {
      for (const [v, sum] of accumulator.entries()) emit(sum, 16 * v)
      increase(asm, at, rowStep)
    }
  }
  const step = (): void => {
    columns.forEach((vector, v) => {
      asm
        .get(column)
        .memory(wasm.v128_load, 16 * v)
        .set(vector)
    })
    accumulators.forEach((accumulator, r) => {
      asm
        .get(row)
        .memory(wasm.load_splat[width * 8]!, width * r)
        .set(element)
      accumulator.forEach((sum, v) => {
        asm.get(sum).get(element).get(columns[v]!).op(wasm.mul[lanes]).op(wasm.add[lanes]).set(sum)
      })
    })
    increase(asm, row, STRIP_ROWS * width)
    increase(asm, column, STRIP_BYTES)
  }

  const none = asm.constant(new Uint8Array(16))
  asm.loop(() => {
    asm.get(b).set(column).get(sums).set(tile).get(columnStrips).set(stripsLeft)
    asm.loop(() => {
      asm.get(more).if(
        () => eachSum((sum, offset) => asm.get(at).memory(wasm.v128_load, offset).set(sum)),
        () => {
          for (const sum of accumulators.flat()) asm.get(none).set(sum)
        },
      )
      asm.get(a).set(row)
      asm.get(column).get(length).i32(STRIP_BYTES).op(wasm.i32_mul).op(wasm.i32_add).set(end)
      // A way out after every step keeps the platform's compiler from moving the loads of all steps to the front,
      // where they would not fit the registers.
      asm.block(() => {
        asm.loop(() => {
          for (let i = 1; i < UNROLLED; i++) {
            step()
            asm.get(column).get(end).op(wasm.i32_eq).brIf(1)
          }
          step()
          asm.get(column).get(end).op(wasm.i32_ne).brIf(0)
        })
      })
      eachSum((sum, offset) => asm.get(at).get(sum).memory(wasm.v128_store, offset))
      increase(asm, tile, STRIP_BYTES)
      repeat(asm, stripsLeft)
    })
    // The last strip of B has left `row` at the end of the strip of A.
    asm.get(row).set(a)
    asm.get(sums).get(rowStep).i32(STRIP_ROWS).op(wasm.i32_mul).op(wasm.i32_add).set(sums)
    repeat(asm, rowStrips)
  })
  return wasmModule(asm.i32(0).finish(), memory)
}

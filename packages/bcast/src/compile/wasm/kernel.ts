// A program as one WebAssembly function that runs a whole loop nest. Sizes, strides and addresses are arguments in
// memory; only the program and how each operand moves on the inner axis are compiled in, so one kernel serves all
// shapes. Vectors may read past a row's end (lanes of no consequence, memory that exists), never write past it.
import type { DType } from '../../dtype/dtype.ts'
import type { Instruction, Program } from '../../expr/ir.ts'
import { Assembler } from './assembler.ts'
import { emitterOf } from './emitters.ts'
import { isHalf, narrowHalf, widenHalf } from './halves.ts'
import { type Cursor, loadVector, type Motion, storeVector } from './memory.ts'
import { type MemoryLimits, wasmModule } from './module.ts'
import * as wasm from './opcodes.ts'
import { bytesOf, maskBytes, maskOfBytes, type Vector, type Writer } from './vector.ts'

/** Offsets of the arguments in a parameter block; every entry is an i32. */
export const PARAMETERS = {
  /** Elements of the inner axis. */
  inner: 0,
  /** Repetitions of the row loop. */
  rows: 4,
  /** Number of outer loops beyond rows. */
  outer: 8,
  /** For each operand, result last: address, byte stride on the inner axis, byte stride from row to row. */
  operands: 12,
  operandSize: 12,
  /** For each outer loop from the innermost: size, current index, and a byte step for each operand. */
  loopHeader: 8,
} as const

/** Bytes of the parameter block of a kernel. */
export const parameterBytes = (operands: number, outer: number): number =>
  PARAMETERS.operands + operands * PARAMETERS.operandSize + outer * (PARAMETERS.loopHeader + 4 * operands)

/** Elements computed at once: few live values allow longer vectors, which hide the cost of the loop. */
function lanesAtOnce({ inputs, code }: Program): number {
  const result = code.at(-1)!.dtype
  const memory = [...inputs, result].map(bytesOf)
  const widest = Math.max(...memory, ...code.map(({ dtype }) => (dtype === 'bool' ? 1 : bytesOf(dtype))))
  const vectors = code.length <= 8 ? 4 : code.length <= 24 ? 2 : 1
  const lanes = (vectors * 16) / widest
  // The narrowest loads and stores there are take four bytes.
  return Math.max(lanes, 4 / Math.min(...memory))
}

/** Instructions that do not depend on the inner axis: their operands do not. */
function uniformInstructions(code: readonly Instruction[], motions: readonly Motion[]): boolean[] {
  const uniform: boolean[] = []
  for (const { op, args, value } of code) {
    if (op === 'input') uniform.push(motions[value as number] === 'splat')
    else uniform.push(args.every((arg) => uniform[arg]))
  }
  return uniform
}

export interface Kernel {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** How many elements one pass of the inner loop computes. */
  readonly lanes: number
}

/**
 * Compiles `run(parameters: i32) -> i32` for a program whose operands move as `motions` say (the result is always
 * written element by element). It gives 1 when an element had no value, such as a division by zero, else 0.
 */
export function compileKernel(program: Program, motions: readonly Motion[], memory: MemoryLimits): Kernel {
  const lanes = lanesAtOnce(program)
  const asm = new Assembler()
  writeKernel({ asm, lanes, left: asm.local('i32'), fault: asm.local('i32') }, program, motions)
  return { bytes: wasmModule(asm.finish(), memory), lanes }
}

/** A change of type; all but those of 16-bit floats are brought by the operators that need them. */
function cast(w: Writer, vector: Vector, from: DType, to: DType): Vector {
  if (from === to) return vector
  if (isHalf(from) && to === 'float32') return widenHalf(w, vector, from)
  if (from === 'float32' && isHalf(to)) return narrowHalf(w, vector, to)
  return emitterOf('cast')(w, [vector], to, [from])
}

function writeKernel(w: Writer, program: Program, motions: readonly Motion[]): void {
  const { asm, lanes, left } = w
  const { inputs, code } = program
  const { parameter } = asm

  const dtypes = [...inputs, code.at(-1)!.dtype]
  const cursors = dtypes.map((dtype, i): Cursor => {
    const motion = motions[i] ?? 'unit'
    const base = PARAMETERS.operands + i * PARAMETERS.operandSize
    const cursor = {
      dtype,
      motion,
      address: asm.local('i32'),
      at: asm.local('i32'),
      step: motion === 'strided' ? asm.local('i32') : undefined,
      rowStep: asm.local('i32'),
    }
    asm.get(parameter).memory(wasm.load.i32, base).set(cursor.address)
    if (cursor.step !== undefined)
      asm
        .get(parameter)
        .memory(wasm.load.i32, base + 4)
        .set(cursor.step)
    asm
      .get(parameter)
      .memory(wasm.load.i32, base + 8)
      .set(cursor.rowStep)
    return cursor
  })
  const target = cursors.at(-1)!
  const uniform = uniformInstructions(code, motions)
  const values: Vector[] = []

  const emit = (instruction: Instruction): Vector => {
    const { op, args, dtype, value } = instruction
    if (op === 'input') {
      const loaded = loadVector(w, cursors[value as number]!)
      return dtype === 'bool' ? maskOfBytes(w, loaded) : loaded
    }
    if (op === 'constant') return constantVector(w, dtype, value!)
    if (op === 'cast') return cast(w, values[args[0]!]!, code[args[0]!]!.dtype, dtype)
    return emitterOf(op)(
      w,
      args.map((arg) => values[arg]!),
      dtype,
      args.map((arg) => code[arg]!.dtype),
    )
  }

  const row = (): void => {
    for (const { address, at } of cursors) asm.get(address).set(at)
    asm.get(parameter).memory(wasm.load.i32, PARAMETERS.inner).set(left)
    code.forEach((instruction, i) => {
      if (uniform[i]) values[i] = emit(instruction)
    })
    asm.loop(() => {
      code.forEach((instruction, i) => {
        if (!uniform[i]) values[i] = emit(instruction)
      })
      const result = values[code.length - 1]!
      storeVector(w, target.dtype === 'bool' ? maskBytes(w, result) : result, target.at)
      for (const { motion, at, step, dtype } of cursors) {
        if (motion === 'unit')
          asm
            .get(at)
            .i32(lanes * bytesOf(dtype))
            .op(wasm.add.i32)
            .set(at)
        if (motion === 'strided') asm.get(at).get(step!).i32(lanes).op(wasm.mul.i32).op(wasm.add.i32).set(at)
      }
      asm.get(left).i32(lanes).op(wasm.sub.i32).tee(left).i32(0).op(wasm.gt_s.i32).brIf(0)
    })
  }

  const rowsLeft = asm.local('i32')
  const axis = asm.local('i32')
  const loopAt = asm.local('i32')
  const loopSize = PARAMETERS.loopHeader + 4 * cursors.length
  const firstLoop = PARAMETERS.operands + cursors.length * PARAMETERS.operandSize
  asm.block(() => {
    asm.loop(() => {
      asm.get(parameter).memory(wasm.load.i32, PARAMETERS.rows).set(rowsLeft)
      asm.loop(() => {
        row()
        for (const { address, rowStep } of cursors) asm.get(address).get(rowStep).op(wasm.add.i32).set(address)
        asm.get(rowsLeft).i32(1).op(wasm.sub.i32).tee(rowsLeft).brIf(0)
      })
      // The odometer: the first outer loop that is not at its end steps on; those before it start again.
      asm.get(parameter).memory(wasm.load.i32, PARAMETERS.outer).set(axis)
      asm.get(parameter).i32(firstLoop).op(wasm.add.i32).set(loopAt)
      asm.loop(() => {
        asm.get(axis).op(wasm.eqz.i32).brIf(2)
        const index = asm.local('i32')
        asm.get(loopAt).memory(wasm.load.i32, 4).i32(1).op(wasm.add.i32).tee(index)
        asm
          .get(loopAt)
          .memory(wasm.load.i32, 0)
          .op(wasm.lt_s.i32)
          .if(
            () => {
              asm.get(loopAt).get(index).memory(wasm.store.i32, 4)
              cursors.forEach(({ address }, i) => {
                asm
                  .get(address)
                  .get(loopAt)
                  .memory(wasm.load.i32, PARAMETERS.loopHeader + 4 * i)
                  .op(wasm.add.i32)
                  .set(address)
              })
            },
            () => {
              asm.get(loopAt).i32(0).memory(wasm.store.i32, 4)
              asm.get(loopAt).i32(loopSize).op(wasm.add.i32).set(loopAt)
              asm.get(axis).i32(1).op(wasm.sub.i32).set(axis)
              asm.br(1)
            },
          )
      })
      asm.br(0)
    })
  })
  asm.get(w.fault)
}

/** A constant in every lane. */
function constantVector(w: Writer, dtype: DType, value: number | bigint): Vector {
  const bytes = new Uint8Array(16)
  const width = dtype === 'bool' ? 1 : bytesOf(dtype)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < 16; at += width) {
    if (dtype === 'float64') view.setFloat64(at, Number(value), true)
    else if (dtype === 'float32') view.setFloat32(at, Number(value), true)
    else if (width === 8) view.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), true)
    else if (width === 4) view.setInt32(at, Number(value), true)
    else if (width === 2) view.setInt16(at, Number(value), true)
    else view.setInt8(at, dtype === 'bool' ? -Number(value) : Number(value))
  }
  return { width, parts: [w.asm.constant(bytes)], uniform: true }
}

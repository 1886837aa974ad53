// A program as one WebAssembly function that runs a whole loop nest. Sizes, strides and addresses are arguments in
// memory; only the program and how each operand moves on the inner axis are compiled in, so one kernel serves all
// shapes. Vectors may read past a row's end (lanes of no consequence, memory that exists), never write past it.
import type { DType } from '../../dtype/dtype.ts'
import type { Instruction, Program } from '../../expr/ir.ts'
import type { Signature } from '../../plan/signature.ts'
import { Assembler, type Local } from './assembler.ts'
import { emitCast } from './casts.ts'
import { type Cursor, loadVector, storeVector } from './memory.ts'
import { type MemoryLimits, wasmModule } from './module.ts'
import { emitOperation } from './operations.ts'
import { bytesOf, type Vector, type Writer } from './vector.ts'

/** Offsets of the arguments in a parameter block; every entry is an i32. */
export const PARAMETERS = {
  /** Elements of the inner axis. */
  inner: 0,
  /** Repetitions of the row loop, each of which computes as many rows as the kernel does at once. */
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

/** Elements of a row computed at once: few live values allow longer vectors, which hide the cost of the loop. */
function lanesAtOnce({ inputs, code }: Program, rows: number): number {
  const result = code.at(-1)!.dtype
  const memory = [...inputs, result].map(bytesOf)
  const widest = Math.max(...memory, ...code.map(({ dtype }) => (dtype === 'bool' ? 1 : bytesOf(dtype))))
  const vectors = code.length > 24 ? 1 : code.length <= 8 && rows === 1 ? 4 : 2
  const lanes = (vectors * 16) / widest
  // The narrowest loads and stores there are take four bytes.
  return Math.max(lanes, 4 / Math.min(...memory))
}

class KernelWriter implements Writer {
  readonly asm: Assembler = new Assembler(['i32'])
  readonly lanes: number
  readonly left: Local
  readonly fault: Local
  readonly #constants = new Map<string, Local>()
  readonly #pendingConstants: [Local, Uint8Array][] = []

  constructor(lanes: number) {
    this.lanes = lanes
    this.left = this.asm.local('i32')
    this.fault = this.asm.local('i32')
  }

  constant(bytes: Uint8Array): Local {
    const key = bytes.join()
    let local = this.#constants.get(key)
    if (local === undefined) {
      local = this.asm.local('v128')
      this.#constants.set(key, local)
      this.#pendingConstants.push([local, bytes])
    }
    return local
  }

  /** Constants found while writing the body are set before it, so the body is written first and spliced in. */
  get constants(): readonly (readonly [Local, Uint8Array])[] {
    return this.#pendingConstants
  }
}

/** Instructions of which no operand has what `has` asks of an input. */
function without(code: readonly Instruction[], has: (input: number) => boolean): boolean[] {
  const result: boolean[] = []
  for (const { op, args, value } of code) {
    result.push(op === 'input' ? !has(value as number) : args.every((arg) => result[arg]))
  }
  return result
}

export interface Kernel {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The function in text form. */
  readonly text: string
  /** How many elements one pass of the inner loop computes. */
  readonly lanes: number
}

/**
 * Compiles `run(parameters: i32) -> i32` for a program (the result is always written element by element). It gives 1
 * when an element had no value, such as a division by zero, else 0.
 */
export function compileKernel(program: Program, signature: Signature, memory: MemoryLimits): Kernel {
  const lanes = lanesAtOnce(program, signature.rows)
  // Two passes: the first finds the constants, the second sets them before the loops.
  const dry = new KernelWriter(lanes)
  writeKernel(dry, program, signature, [])
  const writer = new KernelWriter(lanes)
  for (const [, bytes] of dry.constants) writer.constant(bytes)
  writeKernel(writer, program, signature, writer.constants)
  const body = writer.asm.finish(['i32'])
  return { bytes: wasmModule(['i32'], ['i32'], body, memory), text: writer.asm.text, lanes }
}

function writeKernel(
  w: KernelWriter,
  program: Program,
  signature: Signature,
  constants: readonly (readonly [Local, Uint8Array])[],
): void {
  const { asm } = w
  for (const [local, bytes] of constants) asm.v128(bytes).set(local)
  const cursors = [...program.inputs, program.code.at(-1)!.dtype].map((dtype, i) => readCursor(w, signature, dtype, i))
  writeNest(w, cursors, signature.rows, () => writeRows(w, program, signature, cursors))
  asm.get(w.fault)
}

/** Reads an operand's part of the parameters. */
function readCursor(w: KernelWriter, { motions, rows, still }: Signature, dtype: DType, i: number): Cursor {
  const { asm } = w
  const motion = motions[i] ?? 'unit'
  const parameter = (offset: number): Local => {
    const local = asm.local('i32')
    asm
      .get(asm.parameter(0))
      .memory('i32.load', PARAMETERS.operands + i * PARAMETERS.operandSize + offset)
      .set(local)
    return local
  }
  return {
    dtype,
    motion,
    address: parameter(0),
    at: Array.from({ length: still[i] ? 1 : rows }, () => asm.local('i32')),
    step: motion === 'strided' ? parameter(4) : undefined,
    rowStep: parameter(8),
  }
}

/** The inner loop over one block of rows. */
function writeRows(
  w: KernelWriter,
  { code }: Program,
  { motions, rows, still: isStill }: Signature,
  cursors: readonly Cursor[],
): void {
  const { asm, lanes, left } = w
  const target = cursors.at(-1)!
  const uniform = without(code, (input) => motions[input] !== 'splat')
  const still = without(code, (input) => !isStill[input])
  /** The value of each instruction in each row; the same in all rows where it is still. */
  const values = Array.from({ length: rows }, (): Vector[] => [])

  const emit = (instruction: Instruction, row: number): Vector => {
    const { op, args, dtype, value } = instruction
    const operands = args.map((arg) => values[row]![arg]!)
    if (op === 'constant') return constantVector(w, dtype, value!)
    if (op === 'cast') return emitCast(w, operands[0]!, code[args[0]!]!.dtype, dtype)
    if (op !== 'input')
      return emitOperation(
        w,
        instruction,
        operands,
        args.map((arg) => code[arg]!.dtype),
      )
    const loaded = loadVector(w, cursors[value as number]!, row)
    return dtype === 'bool' ? emitCast(w, loaded, 'uint8', 'bool') : loaded
  }
  const emitInto = (i: number, row: number): void => {
    if (still[i]) {
      const shared = emit(code[i]!, 0)
      for (const own of values) own[i] = shared
    } else values[row]![i] = emit(code[i]!, row)
  }
  const emitWhere = (row: number, isWanted: (i: number) => boolean): void => {
    for (let i = 0; i < code.length; i++) if (isWanted(i)) emitInto(i, row)
  }

  for (const { address, at, rowStep } of cursors) {
    asm.get(address).set(at[0]!)
    for (let row = 1; row < at.length; row++)
      asm
        .get(at[row - 1]!)
        .get(rowStep)
        .op('i32.add')
        .set(at[row]!)
  }
  asm.get(asm.parameter(0)).memory('i32.load', PARAMETERS.inner).set(left)
  emitWhere(0, (i) => uniform[i]! && still[i]!)
  for (let row = 0; row < rows; row++) emitWhere(row, (i) => uniform[i]! && !still[i])
  asm.loop(() => {
    emitWhere(0, (i) => !uniform[i] && still[i]!)
    for (let row = 0; row < rows; row++) emitWhere(row, (i) => !(uniform[i] || still[i]))
    const results = values.map((own) => memoryForm(w, own[code.length - 1]!, target.dtype))
    for (const [row, result] of results.entries()) storeVector(w, result, target.at[row]!)
    for (const cursor of cursors) advance(w, cursor)
    asm.get(left).i32(lanes).op('i32.sub').tee(left).i32(0).op('i32.gt_s').brIf(0)
  })
}

/** Moves an operand on by one vector. */
function advance({ asm, lanes }: Writer, { motion, at, step, dtype }: Cursor): void {
  if (motion === 'splat') return
  for (const own of at) {
    asm.get(own)
    if (motion === 'unit') asm.i32(lanes * bytesOf(dtype))
    else asm.get(step!).i32(lanes).op('i32.mul')
    asm.op('i32.add').set(own)
  }
}

/** The loops around `block`, which computes a block of rows from the cursors' addresses. */
function writeNest({ asm }: Writer, cursors: readonly Cursor[], rows: number, block: () => void): void {
  const parameters = asm.parameter(0)
  const rowsLeft = asm.local('i32')
  const axis = asm.local('i32')
  const loopAt = asm.local('i32')
  const index = asm.local('i32')
  const loopSize = PARAMETERS.loopHeader + 4 * cursors.length
  const firstLoop = PARAMETERS.operands + cursors.length * PARAMETERS.operandSize
  asm.block(() => {
    asm.loop(() => {
      asm.get(parameters).memory('i32.load', PARAMETERS.rows).set(rowsLeft)
      asm.loop(() => {
        block()
        for (const { address, rowStep } of cursors) {
          asm.get(address).get(rowStep)
          if (rows > 1) asm.i32(rows).op('i32.mul')
          asm.op('i32.add').set(address)
        }
        asm.get(rowsLeft).i32(1).op('i32.sub').tee(rowsLeft).brIf(0)
      })
      // The odometer: the first outer loop that is not at its end steps on; those before it start again.
      asm.get(parameters).memory('i32.load', PARAMETERS.outer).set(axis)
      asm.get(parameters).i32(firstLoop).op('i32.add').set(loopAt)
      asm.loop(() => {
        asm.get(axis).op('i32.eqz').brIf(2)
        asm.get(loopAt).memory('i32.load', 4).i32(1).op('i32.add').tee(index)
        asm
          .get(loopAt)
          .memory('i32.load', 0)
          .op('i32.lt_s')
          .if(
            () => {
              asm.get(loopAt).get(index).memory('i32.store', 4)
              cursors.forEach(({ address }, i) => {
                asm
                  .get(address)
                  .get(loopAt)
                  .memory('i32.load', PARAMETERS.loopHeader + 4 * i)
                  .op('i32.add')
                  .set(address)
              })
            },
            () => {
              asm.get(loopAt).i32(0).memory('i32.store', 4)
              asm.get(loopAt).i32(loopSize).op('i32.add').set(loopAt)
              asm.get(axis).i32(1).op('i32.sub').set(axis)
              asm.br(1)
            },
          )
      })
      asm.br(0)
    })
  })
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
  return { width, parts: [w.constant(bytes)], uniform: true }
}

/** Truth as it lies in memory: bytes of 0 and 1. */
function memoryForm(w: Writer, vector: Vector, dtype: DType): Vector {
  return dtype === 'bool' ? emitCast(w, vector, 'bool', 'uint8') : vector
}

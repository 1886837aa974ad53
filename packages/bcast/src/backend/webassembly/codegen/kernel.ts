// A program as one WebAssembly function that runs a whole loop nest. Sizes, strides and addresses are arguments in
// memory; only the program and how each operand moves on the inner axis are compiled in, so one kernel serves all
// shapes. Vectors may read past a row's end (lanes of no consequence, memory that exists), never write past it.
import { type DType, isWide } from '../../../dtype/dtype.ts'
import type { Instruction, Program } from '../../../expr/ir.ts'
import { without } from '../../../expr/without.ts'
import { PARAMETERS } from '../../../plan/parameters.ts'
import type { Signature } from '../../../plan/signature.ts'
import { Assembler, type Local } from './assembler.ts'
import type { EmitterOf } from './emitters.ts'
import { isHalf, narrowHalf, widenHalf } from './halves.ts'
import { type Cursor, loadVector, storeVector } from './memory.ts'
import { type MemoryLimits, wasmModule } from './module.ts'
import * as wasm from './opcodes.ts'
import { bytesOf, maskBytes, maskOfBytes, splat, type Vector, type Writer } from './vector.ts'

/**
 * Compiles `run(parameters: i32) -> i32` for a program (the result is always written element by element). It gives 1
 * when an element had no value, such as a division by zero, else 0.
 */
export function compileKernel(
  program: Program,
  signature: Signature,
  emitterOf: EmitterOf,
  memory: MemoryLimits,
): Uint8Array {
  const asm = new Assembler()
  const w: Writer = { asm, lanes: signature.lanes, left: asm.local('i32'), fault: asm.local('i32') }
  const cursors = [...program.inputs, program.code.at(-1)!.dtype].map((dtype, i) => readCursor(w, signature, dtype, i))
  writeNest(w, cursors, () =>
    eachRow(w, cursors, signature.rows, () => writeRows(w, program, signature, emitterOf, cursors)),
  )
  return wasmModule(asm.get(w.fault).finish(), memory)
}

/** A change of type; all but those of 16-bit floats are brought by the operators that need them. */
function cast(w: Writer, emitterOf: EmitterOf, vector: Vector, from: DType, to: DType): Vector {
  if (from === to) return vector
  if (isHalf(from) && to === 'float32') return widenHalf(w, vector, from)
  if (from === 'float32' && isHalf(to)) return narrowHalf(w, vector, to)
  return emitterOf('cast')(w, [vector], to, [from])
}

/** Writes instruction `i` of a program, whose operands have their values already. */
export function emitInstruction(
  w: Writer,
  emitterOf: EmitterOf,
  code: readonly Instruction[],
  i: number,
  values: readonly Vector[],
  load: (input: number) => Vector,
): Vector {
  const { op, args, dtype, value } = code[i]!
  const operands = args.map((arg) => values[arg]!)
  if (op === 'constant') return constantVector(w, dtype, value!)
  if (op === 'cast') return cast(w, emitterOf, operands[0]!, code[args[0]!]!.dtype, dtype)
  if (op !== 'input')
    return emitterOf(op)(
      w,
      operands,
      dtype,
      args.map((arg) => code[arg]!.dtype),
    )
  const loaded = load(value as number)
  return dtype === 'bool' ? maskOfBytes(w, loaded) : loaded
}

/** Reads an operand's part of the parameters. */
export function readCursor(w: Writer, { motions, rows, still }: Signature, dtype: DType, i: number): Cursor {
  const { asm } = w
  const motion = motions[i] ?? 'unit'
  const parameter = (offset: number): Local => {
    const local = asm.local('i32')
    asm
      .get(asm.parameter)
      .memory(wasm.i32_load, PARAMETERS.operands + i * PARAMETERS.operandSize + offset)
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
  w: Writer,
  { code }: Program,
  { motions, rows, still: isStill }: Signature,
  emitterOf: EmitterOf,
  cursors: readonly Cursor[],
): void {
  const { asm, lanes, left } = w
  const target = cursors.at(-1)!
  const uniform = without(code, (input) => motions[input] !== 'splat')
  const still = without(code, (input) => !isStill[input])
  /** The value of each instruction in each row; the same in all rows where it is still. */
  const values = Array.from({ length: rows }, (): Vector[] => [])

  const emit = (i: number, row: number): Vector =>
    emitInstruction(w, emitterOf, code, i, values[row]!, (input) => loadVector(w, cursors[input]!, row))
  const emitInto = (i: number, row: number): void => {
    if (still[i]) {
      const shared = emit(i, 0)
      for (const own of values) own[i] = shared
    } else values[row]![i] = emit(i, row)
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
        .op(wasm.i32_add)
        .set(at[row]!)
  }
  asm.get(asm.parameter).memory(wasm.i32_load, PARAMETERS.inner).set(left)
  emitWhere(0, (i) => uniform[i]! && still[i]!)
  for (let row = 0; row < rows; row++) emitWhere(row, (i) => uniform[i]! && !still[i])
  asm.loop(() => {
    emitWhere(0, (i) => !uniform[i] && still[i]!)
    for (let row = 0; row < rows; row++) emitWhere(row, (i) => !(uniform[i] || still[i]))
    const results = values
      .map((own) => own[code.length - 1]!)
      .map((result) => (target.dtype === 'bool' ? maskBytes(w, result) : result))
    for (const [row, result] of results.entries()) storeVector(w, result, target.at[row]!)
    for (const cursor of cursors) advance(w, cursor)
    asm.get(left).i32(lanes).op(wasm.i32_sub).tee(left).i32(0).op(wasm.i32_gt_s).brIf(0)
  })
}

/** Moves an operand on by one vector. */
export function advance({ asm, lanes }: Writer, { motion, at, step, dtype }: Cursor): void {
  if (motion === 'splat') return
  for (const own of at) {
    asm.get(own)
    if (motion === 'unit') asm.i32(lanes * bytesOf(dtype))
    else asm.get(step!).i32(lanes).op(wasm.i32_mul)
    asm.op(wasm.i32_add).set(own)
  }
}

/** The loop over rows, so many of which `block` computes at once from the cursors' addresses. */
export function eachRow({ asm }: Writer, cursors: readonly Cursor[], rows: number, block: () => void): void {
  const rowsLeft = asm.local('i32')
  asm.get(asm.parameter).memory(wasm.i32_load, PARAMETERS.rows).set(rowsLeft)
  asm.loop(() => {
    block()
    for (const { address, rowStep } of cursors) {
      asm.get(address).get(rowStep)
      if (rows > 1) asm.i32(rows).op(wasm.i32_mul)
      asm.op(wasm.i32_add).set(address)
    }
    asm.get(rowsLeft).i32(1).op(wasm.i32_sub).tee(rowsLeft).brIf(0)
  })
}

/** The loops around `rows`, which computes all rows and leaves the cursors' addresses behind the last. */
export function writeNest({ asm }: Writer, cursors: readonly Cursor[], rows: () => void): void {
  const parameters = asm.parameter
  const axis = asm.local('i32')
  const loopAt = asm.local('i32')
  const index = asm.local('i32')
  const loopSize = PARAMETERS.loopHeader + 4 * cursors.length
  const firstLoop = PARAMETERS.operands + cursors.length * PARAMETERS.operandSize
  asm.block(() => {
    asm.loop(() => {
      rows()
      // The odometer: the first outer loop that is not at its end steps on; those before it start again.
      asm.get(parameters).memory(wasm.i32_load, PARAMETERS.outer).set(axis)
      asm.get(parameters).i32(firstLoop).op(wasm.i32_add).set(loopAt)
      asm.loop(() => {
        asm.get(axis).op(wasm.i32_eqz).brIf(2)
        asm.get(loopAt).memory(wasm.i32_load, 4).i32(1).op(wasm.i32_add).tee(index)
        asm
          .get(loopAt)
          .memory(wasm.i32_load, 0)
          .op(wasm.i32_lt_s)
          .if(
            () => {
              asm.get(loopAt).get(index).memory(wasm.i32_store, 4)
              cursors.forEach(({ address }, i) => {
                asm
                  .get(address)
                  .get(loopAt)
                  .memory(wasm.i32_load, PARAMETERS.loopHeader + 4 * i)
                  .op(wasm.i32_add)
                  .set(address)
              })
            },
            () => {
              asm.get(loopAt).i32(0).memory(wasm.i32_store, 4)
              asm.get(loopAt).i32(loopSize).op(wasm.i32_add).set(loopAt)
              asm.get(axis).i32(1).op(wasm.i32_sub).set(axis)
              asm.br(1)
            },
          )
      })
      asm.br(0)
    })
  })
}

/** A constant in every lane; truth is all bits or none. */
export function constantVector(w: Writer, dtype: DType, value: number | bigint): Vector {
  if (dtype === 'bool') return { width: 1, parts: [splat(w, 'int8', -Number(value))], uniform: true }
  const element = isWide(dtype) ? BigInt(value) : Number(value)
  return { width: bytesOf(dtype), parts: [splat(w, dtype, element)], uniform: true }
}

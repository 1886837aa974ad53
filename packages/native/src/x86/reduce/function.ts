// A kernel as a function that the system's C calls: entry and exit, and what its parameters say of operands.
import { WIDE_PARAMETERS as PARAMETERS } from 'bcast/kernels'
import type { Assembler } from '../assembler.ts'
import { type RowPlace, TOLD } from '../context.ts'
import type { StackFrame } from '../frame.ts'
import { R12, R13, R14, R15, RAX, RBP, RBX, RCX, RSP } from '../registers.ts'

/** Registers that belong to whoever calls. */
const SAVED = [RBX, RBP, R12, R13, R14, R15]

/** The function around code that leaves its result in RAX; parameters count from `base`. */
export function writeFunction(asm: Assembler, stack: StackFrame, base: bigint, code: () => void): Uint8Array {
  for (const register of SAVED) asm.push(register)
  asm.move(RBP, RSP)
  const room = asm.reserve(RSP)
  asm.andConstant(RSP, -64).constant(RAX, base).add(TOLD, RAX)
  code()
  asm.move(RSP, RBP)
  for (const register of SAVED.toReversed()) asm.pop(register)
  room(stack.bytes)
  return asm.ret().finish()
}

/** Places for what so many operands have on the stack. */
export const cursorsOn = (stack: StackFrame, operands: number): readonly RowPlace[] =>
  Array.from({ length: operands }, () => ({
    address: stack.room(8),
    rowStep: stack.room(8),
    blockStep: stack.room(8),
  }))

/** Reads where operands lie and how they step, of which a kernel takes so many rows at once. */
export function readCursors(asm: Assembler, cursors: readonly RowPlace[], rowsAtOnce: number): void {
  for (const [i, { address, rowStep, blockStep }] of cursors.entries()) {
    const told = PARAMETERS.operands + i * PARAMETERS.operandSize
    asm.move(RCX, { base: TOLD, displacement: told }).store(address, RCX)
    asm.move(RCX, { base: TOLD, displacement: told + 16 }).store(rowStep, RCX)
    asm.times(RCX, RCX, rowsAtOnce).store(blockStep, RCX)
  }
}

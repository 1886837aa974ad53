// The loops around the inner one, told by parameters: rows, and outer loops, which keep their counters among the
// parameters.
import { WIDE_PARAMETERS as PARAMETERS } from 'bcast/kernels'
import type { Assembler } from './assembler.ts'
import type { StackFrame } from './frame.ts'
import { type Memory, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RDX, RSI } from './registers.ts'

/** Registers that belong to whoever calls. */
export const SAVED: readonly number[] = [RBX, RBP, R12, R13, R14, R15]
/** Where the parameters lie. */
export const TOLD: number = RDI

/** What of an operand lies on the stack: the address of a block of rows, steps to the next row and the next block. */
export interface Cursor {
  readonly address: Memory
  readonly rowStep: Memory
  readonly blockStep: Memory
}

/** Places for so many operands. */
export const cursorsOn = (stack: StackFrame, operands: number): readonly Cursor[] =>
  Array.from({ length: operands }, () => ({
    address: stack.room(8),
    rowStep: stack.room(8),
    blockStep: stack.room(8),
  }))

/** Reads where operands lie and how they step, of which a kernel takes so many rows at once. */
export function readCursors(asm: Assembler, cursors: readonly Cursor[], rowsAtOnce: number): void {
  for (const [i, { address, rowStep, blockStep }] of cursors.entries()) {
    const told = PARAMETERS.operands + i * PARAMETERS.operandSize
    asm.move(RCX, { base: TOLD, displacement: told }).store(address, RCX)
    asm.move(RCX, { base: TOLD, displacement: told + 16 }).store(rowStep, RCX)
    asm.times(RCX, RCX, rowsAtOnce).store(blockStep, RCX)
  }
}

/** The loop over blocks of rows. */
export function writeRows(asm: Assembler, cursors: readonly Cursor[], rowsLeft: Memory, row: () => void): void {
  const rows = asm.label()
  asm.move(RAX, { base: TOLD, displacement: PARAMETERS.rows }).store(rowsLeft, RAX)
  asm.set(rows)
  row()
  for (const { address, blockStep } of cursors) asm.move(RAX, blockStep).addTo(address, RAX)
  asm.subtractConstant(rowsLeft, 1).jumpIf('notEqual', rows)
}

/** The outer loops around what computes all rows and leaves addresses behind the last. */
export function writeNest(asm: Assembler, cursors: readonly Cursor[], rows: () => void): void {
  const [again, axis, next, end] = [asm.label(), asm.label(), asm.label(), asm.label()]
  const loopSize = PARAMETERS.loopHeader + 8 * cursors.length
  const firstLoop = PARAMETERS.operands + cursors.length * PARAMETERS.operandSize
  asm.set(again)
  rows()
  // The odometer: the first outer loop that is not at its end steps on; those before it start again.
  asm.move(RCX, { base: TOLD, displacement: PARAMETERS.outer })
  asm.address(RSI, { base: TOLD, displacement: firstLoop })
  asm.set(axis).compareConstant(RCX, 0).jumpIf('equal', end)
  asm.move(RAX, { base: RSI, displacement: 8 }).addConstant(RAX, 1)
  asm.move(RDX, { base: RSI }).compare(RAX, RDX).jumpIf('greaterEqual', next)
  asm.store({ base: RSI, displacement: 8 }, RAX)
  for (const [i, { address }] of cursors.entries()) {
    asm.move(RAX, { base: RSI, displacement: PARAMETERS.loopHeader + 8 * i }).addTo(address, RAX)
  }
  asm.jump(again)
  asm.set(next).clear(RAX).store({ base: RSI, displacement: 8 }, RAX)
  asm.addConstant(RSI, loopSize).subtractConstant(RCX, 1).jump(axis)
  asm.set(end)
}

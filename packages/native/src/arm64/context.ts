// What the parts of a kernel share while it is written.
import { WIDE_PARAMETERS as PARAMETERS } from 'bcast/kernels'
import type { Frame } from './allocation.ts'
import type { Assembler } from './assembler.ts'
import type { Body } from './body.ts'
import type { StackFrame } from './frame.ts'
import type { Pinning } from './pinning.ts'
import { type Memory, X0 } from './registers.ts'

/** Where the parameters lie, and elements of the row that are left. */
export const PLACE: number = X0
export const LEFT = 1

export interface Writing {
  readonly asm: Assembler
  readonly stack: StackFrame
  readonly body: Body
  readonly pinning: Pinning
}

/** What of an operand lies on the stack: the address of its rows, and how far apart they are. */
export interface RowPlace {
  readonly address: Memory
  readonly rowStep: Memory
}

/** Where something about an operand is told: its address, its step along a row, its step from row to row. */
export const toldOf = (operand: number, word: 0 | 1 | 2): Memory => ({
  base: PLACE,
  displacement: PARAMETERS.operands + operand * PARAMETERS.operandSize + word * 8,
})

export const frameOf = ({ pinning, stack }: Writing, pinned: Frame['pinned']): Frame => ({
  registers: pinning.others,
  pinned,
  slot: (i) => stack.slot(i),
})

/** Loads what has a register throughout. */
export function fill({ asm }: Writing, held: Pinning['constants']): void {
  for (const { register, place } of held) asm.loadVector(register, place)
}

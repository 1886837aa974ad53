// Which programs one kernel can hold. Engines bound the locals of a function and compile long ones slowly; operands
// take a register each.
import type { Instruction, Program } from '../expr/ir.ts'

/** Operands that one kernel reads. */
export const MAX_OPERANDS = 32
/** What the instructions of one kernel may weigh together. */
export const MAX_WEIGHT = 1500

/** Roughly how many locals an instruction takes: those without a vector instruction of their own take many. */
export function weightOf({ op, dtype }: Instruction): number {
  if (op === 'input' || op === 'constant') return 0
  if (op === 'div' || op === 'floorDiv' || op === 'mod' || op === 'rem' || op === 'power' || op === 'cast') return 8
  return dtype === 'int64' || dtype === 'uint64' ? 4 : 1
}

/** Whether one kernel can hold the program. */
export const fits = ({ inputs, code }: Program): boolean =>
  inputs.length <= MAX_OPERANDS &&
  (code.length * 8 <= MAX_WEIGHT || code.reduce((sum, instruction) => sum + weightOf(instruction), 0) <= MAX_WEIGHT)

// Lines whose elements lie side by side, turned in registers: so many lines by as many elements become vectors that hold
// one element of each line.
import type { Assembler } from '../assembler.ts'

/** Where lines lie: the first, and registers of how far the others lie behind it, the first one's left out. */
export interface LinesAt {
  readonly first: number
  readonly steps: readonly number[]
}

/** Sets how far lines lie behind the first, given the step from line to line, which is the first of those. */
export function setSteps(asm: Assembler, steps: readonly number[]): void {
  for (let i = 1; i < steps.length; i++) asm.add(steps[i]!, steps[i - 1]!, steps[0]!)
}

/** Loads so many bytes of each of some lines into registers from 0 on. */
export function loadLines(asm: Assembler, { first, steps }: LinesAt, count: number, bytes: 8 | 16): void {
  asm.loadVector(0, { base: first, displacement: 0 }, bytes)
  for (let line = 1; line < count; line++) asm.loadVectorAt(line, first, steps[line - 1]!, bytes)
}

/**
 * Four lines of four elements of 32 bits, or two of two of 64, in registers from 0 on; those up to 7 are lost. Gives the
 * registers that hold an element of each line, in order.
 */
export function turn(asm: Assembler, width: 4 | 8): readonly number[] {
  if (width === 8) {
    asm.vector('trn1', 8, 2, [0, 1]).vector('trn2', 8, 3, [0, 1])
    return [2, 3]
  }
  for (const pair of [0, 2]) {
    asm.vector('trn1', 4, 4 + pair, [pair, pair + 1]).vector('trn2', 4, 5 + pair, [pair, pair + 1])
  }
  asm.vector('trn1', 8, 0, [4, 6]).vector('trn1', 8, 1, [5, 7])
  asm.vector('trn2', 8, 2, [4, 6]).vector('trn2', 8, 3, [5, 7])
  return [0, 1, 2, 3]
}

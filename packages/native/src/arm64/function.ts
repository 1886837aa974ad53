// A kernel as a function that the system's C calls: entry and exit.
import type { Assembler } from './assembler.ts'
import { FRAME_BYTES } from './frame.ts'
import { type Memory, SP, X0, X9, X29, X30 } from './registers.ts'

/** Registers that belong to whoever calls, in pairs: general ones, and the lower halves of vectors. */
const SAVED = [19, 21, 23, 25, 27]
const SAVED_HALVES = [8, 10, 12, 14]
const SAVED_BYTES = 16 * (1 + SAVED.length + SAVED_HALVES.length)
const saved = (i: number): Memory => ({ base: X29, displacement: 16 * (i + 1) })

/** The function around code that leaves its result in X0; parameters count from `base`. */
export function writeFunction(asm: Assembler, base: bigint, code: () => void): Uint8Array {
  asm.pushPair(X29, X30, SAVED_BYTES).address(X29, { base: SP, displacement: 0 })
  for (const [i, first] of SAVED.entries()) asm.storePair(saved(i), first, first + 1)
  for (const [i, first] of SAVED_HALVES.entries()) asm.storePair(saved(SAVED.length + i), first, first + 1, true)
  asm.takeStack(FRAME_BYTES).constant(X9, base).addWord(X0, X9, X0)
  code()
  for (const [i, first] of SAVED.entries()) asm.loadPair(first, first + 1, saved(i))
  for (const [i, first] of SAVED_HALVES.entries()) asm.loadPair(first, first + 1, saved(SAVED.length + i), true)
  return asm.giveStack(X29).popPair(X29, X30, SAVED_BYTES).ret().finish()
}

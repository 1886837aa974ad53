// The loops around rows, which keep their counters among the parameters.
import { WIDE_PARAMETERS as PARAMETERS } from 'bcast/kernels'
import type { Assembler, Label } from './assembler.ts'
import { PLACE } from './context.ts'
import { type Memory, X9, X10, X11, X12, ZERO } from './registers.ts'

/** The odometer: the first outer loop that is not at its end steps on; those before it start again. */
export function writeOdometer(asm: Assembler, addresses: readonly Memory[], again: Label): void {
  const [axis, next, end] = [asm.label(), asm.label(), asm.label()]
  const loopSize = PARAMETERS.loopHeader + 8 * addresses.length
  const firstLoop = PARAMETERS.operands + addresses.length * PARAMETERS.operandSize
  const [left, loop, count, scratch] = [X9, X10, X11, X12]
  const size: Memory = { base: loop, displacement: 0 }
  const index: Memory = { base: loop, displacement: 8 }
  asm.load(left, { base: PLACE, displacement: PARAMETERS.outer })
  asm.address(loop, { base: PLACE, displacement: firstLoop })
  asm.set(axis).jumpIfZero(left, end)
  asm.load(count, index).addConstant(count, count, 1).load(scratch, size)
  asm.compare(count, scratch).jumpIf('greaterEqual', next).store(index, count)
  for (const [i, address] of addresses.entries()) {
    asm.load(count, { base: loop, displacement: PARAMETERS.loopHeader + 8 * i })
    asm.load(scratch, address).add(scratch, scratch, count).store(address, scratch)
  }
  asm.jump(again)
  asm.set(next).store(index, ZERO).addConstant(loop, loop, loopSize).subtractConstant(left, left, 1).jump(axis)
  asm.set(end)
}

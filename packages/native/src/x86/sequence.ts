// A kernel that runs others, one behind the other, again and again: between one time and the next it moves the pointers of
// their parameters.
import { SEQUENCE } from 'bcast/kernels'
import { Assembler } from './assembler.ts'
import { R12, R13, R14, R15, RAX, RBP, RBX, RDI, RSP } from './registers.ts'

const SAVED = [RBX, RBP, R12, R13, R14, R15]
/** The stack is aligned where functions are called. */
const ALIGNING = 8

/** `int sequence(uint32_t told)`: what it is told (SEQUENCE) lies so far from `base`. */
export function sequenceCode(base: bigint): Uint8Array {
  const asm = new Assembler('vex')
  const [again, kernel, move, moved] = [asm.label(), asm.label(), asm.label(), asm.label()]
  const [told, times, fault, count, entry] = [RBX, R12, R15, R13, RBP]
  for (const register of SAVED) asm.push(register)
  asm.subtractConstant(RSP, ALIGNING)
  asm.constant(RAX, base).moveWord(told, RDI).add(told, RAX).clear(fault)
  asm.move(times, { base: told, displacement: SEQUENCE.times })
  asm.set(again).address(entry, { base: told, displacement: SEQUENCE.entries })
  asm.move(count, { base: told, displacement: SEQUENCE.kernels })
  asm.set(kernel).move(RDI, { base: entry, displacement: 8 }).call({ base: entry, displacement: 0 })
  asm.moveWord(RAX, RAX).or(fault, RAX)
  asm.addConstant(entry, SEQUENCE.entrySize).subtractConstant(count, 1).jumpIf('notEqual', kernel)
  asm.move(count, { base: told, displacement: SEQUENCE.moves })
  asm.compareConstant(count, 0).jumpIf('equal', moved)
  asm.set(move).move(RAX, { base: entry, displacement: 0 }).move(R14, { base: entry, displacement: 8 })
  asm.addTo({ base: RAX, displacement: 0 }, R14)
  asm.addConstant(entry, SEQUENCE.entrySize).subtractConstant(count, 1).jumpIf('notEqual', move)
  asm.set(moved).subtractConstant(times, 1).jumpIf('notEqual', again)
  asm.move(RAX, fault).addConstant(RSP, ALIGNING)
  for (const register of SAVED.toReversed()) asm.pop(register)
  asm.ret()
  return asm.finish()
}

// What kernels of products have in common: how they begin and end, vectors of a tile's width, masks for those that are
// not full.
import { whileHolds } from '../../machine/strips.ts'
import { Assembler } from '../assembler.ts'
import { type Memory, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RSP } from '../registers.ts'
import type { Tile } from './tile.ts'

/** Registers that belong to whoever calls. */
const SAVED = [RBX, RBP, R12, R13, R14, R15]

/** The register that points to what a kernel is told. */
export const TOLD: number = RDI
/** The mask of the last vector of columns. */
export const LAST = 1

/** An argument by its offset. */
export const told = (offset: number): Memory => ({ base: TOLD, displacement: offset })
/** A place on the stack by its number. */
export const slot = (i: number): Memory => ({ base: RSP, displacement: 8 * i })

/** A kernel whose arguments lie at an offset from `base`, with places on the stack. */
export function kernelOf(isWide: boolean, base: bigint, slots: number, write: (asm: Assembler) => void): Uint8Array {
  const asm = new Assembler(isWide ? 'evex' : 'vex')
  for (const register of SAVED) asm.push(register)
  asm
    .subtractConstant(RSP, 8 * slots)
    .constant(RAX, base)
    .add(TOLD, RAX)
  write(asm)
  asm
    .clearUpper()
    .clear(RAX)
    .addConstant(RSP, 8 * slots)
  for (const register of SAVED.toReversed()) asm.pop(register)
  return asm.ret().finish()
}

/** Repeats `body` as long as a register, of which it takes `step` each time, holds at least so much. */
export function whileAtLeast(asm: Assembler, register: number, step: number, body: () => void): void {
  whileHolds(asm, register, step, () => {
    body()
    asm.subtractConstant(register, step)
  })
}

/** Sets a mask to as many lanes as RAX says, at most all of them; RCX is lost. */
export function maskLanes(asm: Assembler, { lanes }: Tile, mask: number): void {
  asm.number(RCX, lanes).compare(RAX, RCX).moveIf('greater', RAX, RCX)
  asm.constant(RCX, -1n).lowBits(RCX, RCX, RAX).mask(mask, RCX)
}

/** Loads a vector register with ones in as many lanes as RAX says, at most all of them; RAX and RCX are lost. */
export function maskRegister(asm: Assembler, { lanes, width }: Tile, to: number): void {
  const ones = asm.literal(new Uint8Array(64).fill(255, 0, 32))
  asm.number(RCX, lanes).compare(RAX, RCX).moveIf('greater', RAX, RCX)
  asm.times(RAX, RAX, -width).address(RCX, ones).add(RAX, RCX)
  asm.vector('vmovdqu', { bits: 256, to, operand: { base: RAX, displacement: 32 } })
}

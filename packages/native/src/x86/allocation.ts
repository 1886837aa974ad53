// Gives the registers that there are to those that a stretch of code speaks of. Where none is free, the value whose next
// use is farthest goes to the stack, and is read from there as an operand.

import { Homes } from '../machine/homes.ts'
import type { Assembler, Operand, VectorOperands } from './assembler.ts'
import { FORMS } from './forms.ts'
import { type Bits, type Literal, type Memory, RAX } from './registers.ts'
import { isScalar, isVirtual, readsOf, type Step, type VectorStep, type Virtual } from './steps.ts'

/**
 * Where values lie that are there before a stretch and stay behind it: in a register, or at a place. What is in a register
 * may be written, by a step that keeps nothing of what it was (`before`).
 */
export type Pinned = ReadonlyMap<number, number | Memory | Literal>

/** What a stretch may use. */
export interface Frame {
  /** Registers that are its own. */
  readonly registers: readonly number[]
  readonly pinned: Pinned
  /** The place of a slot of the stack, by number. */
  slot(i: number): Memory
  /** How whole registers are moved, and how long they are. */
  readonly load: 'vmovdqu' | 'vmovdqu32'
  readonly store: 'vmovdquStore' | 'vmovdqu32Store'
  readonly bits: Bits
}

class Allocation {
  readonly #asm: Assembler
  readonly #frame: Frame
  readonly #homes: Homes

  constructor(asm: Assembler, steps: readonly Step[], frame: Frame) {
    this.#asm = asm
    this.#frame = frame
    const { store, bits } = frame
    this.#homes = new Homes(steps.map(readsOf), frame.registers, (slot, register) =>
      asm.vector(store, { bits, to: register, operand: frame.slot(slot) }),
    )
  }

  get slots(): number {
    return this.#homes.slots
  }

  /** The register of a value; one that lies elsewhere is loaded, for this step alone where it is pinned. */
  #register(value: Virtual, borrowed: number[]): number {
    const place = this.#frame.pinned.get(value.virtual)
    if (typeof place === 'number') return place
    const home = this.#homes.of(value)
    if (home?.register !== undefined) return home.register
    const register = this.#homes.takeForStep()
    const { load, bits } = this.#frame
    this.#asm.vector(load, { bits, to: register, operand: place ?? this.#frame.slot(home!.slot!) })
    if (home === undefined) borrowed.push(register)
    else home.register = register
    return register
  }

  #operand(operand: Virtual | Memory | Literal): Operand {
    if (!isVirtual(operand)) return operand
    const place = this.#frame.pinned.get(operand.virtual)
    if (place !== undefined) return place
    const { register, slot } = this.#homes.of(operand)!
    return register ?? this.#frame.slot(slot!)
  }

  write(step: Step, now: number): void {
    if (isScalar(step)) step.scalar(this.#asm)
    else this.#write(step, now)
  }

  #write(step: VectorStep, now: number): void {
    const reads = this.#homes.begin(now)
    const borrowed: number[] = []
    const { bits, before, from, stored, selector, immediate, mask } = step
    const source = from && this.#register(from, borrowed)
    const given = stored && this.#register(stored, borrowed)
    const chosen = selector && this.#register(selector, borrowed)
    // Shifts by a constant have no form of AVX2 that reads memory.
    const isRead = FORMS[step.name].extension === undefined || !isVirtual(step.operand)
    const operand =
      step.operandMask ??
      (step.operand && (isRead ? this.#operand(step.operand) : this.#register(step.operand as Virtual, borrowed)))
    const kept = before && this.#register(before, borrowed)
    let target = step.toMask
    const carried = step.to && this.#frame.pinned.get(step.to.virtual)
    if (typeof carried === 'number') target = carried
    else if (step.to !== undefined) {
      if (kept === undefined) this.#homes.release(reads, false)
      else if (this.#homes.isLast(before!)) target = this.#homes.leave(before!)
      target ??= this.#homes.take()
      this.#homes.put(step.to, target)
      if (kept !== undefined && kept !== target) {
        this.#asm.vector(this.#frame.load, { bits: this.#frame.bits, to: target, operand: kept })
      }
    }
    // What is narrowed or stored stands first, and what is written last.
    const operands: VectorOperands = {
      bits,
      to: given ?? target!,
      operand: operand ?? target!,
      ...(source === undefined ? {} : { from: source }),
      ...(chosen !== undefined ? { immediate: chosen << 4 } : immediate === undefined ? {} : { immediate }),
      ...(mask === undefined ? {} : { mask }),
    }
    if (step.ahead !== undefined) this.#asm.prefetch(step.ahead)
    if (step.pointer !== undefined) this.#asm.move(RAX, step.pointer)
    this.#asm.vector(step.name, operands)
    this.#homes.give(borrowed)
    this.#homes.release(reads, true)
    if (step.to !== undefined && carried === undefined) this.#homes.release([step.to], true)
  }
}

/** Writes a stretch of code; gives how many slots of the stack it uses. */
export function writeSteps(asm: Assembler, steps: readonly Step[], frame: Frame): number {
  const allocation = new Allocation(asm, steps, frame)
  for (const [i, step] of steps.entries()) allocation.write(step, i)
  return allocation.slots
}

// Gives the registers that there are to those that a stretch of code speaks of. Where none is free, the value whose next
// use is farthest goes to the stack.
import { Homes } from '../machine/homes.ts'
import type { Assembler } from './assembler.ts'
import type { Literal, Memory } from './registers.ts'
import { readsOf, type Step, type Virtual } from './steps.ts'

/**
 * Where values lie that are there before a stretch and stay behind it: in a register, or at a place. What is in a register
 * may be written, by a step that keeps nothing of what it was (`before`) and reads all before it writes.
 */
export type Pinned = ReadonlyMap<number, number | Memory | Literal>

/** What a stretch may use. */
export interface Frame {
  /** Registers that are its own. */
  readonly registers: readonly number[]
  readonly pinned: Pinned
  /** The place of a slot of the stack, by number. */
  slot(i: number): Memory
}

class Allocation {
  readonly #asm: Assembler
  readonly #frame: Frame
  readonly #homes: Homes
  /** Registers that a step has for its own time alone. */
  readonly #borrowed = new Map<number, number>()

  constructor(asm: Assembler, steps: readonly Step[], frame: Frame) {
    this.#asm = asm
    this.#frame = frame
    this.#homes = new Homes(steps.map(readsOf), frame.registers, (slot, register) =>
      asm.storeVector(frame.slot(slot), register),
    )
  }

  /** The register of a value; one that lies elsewhere is loaded, for this step alone where it is pinned. */
  #register(value: Virtual): number {
    const { virtual } = value
    const place = this.#frame.pinned.get(virtual)
    if (typeof place === 'number') return place
    const home = this.#homes.of(value)
    const known = home?.register ?? this.#borrowed.get(virtual)
    if (known !== undefined) return known
    const register = this.#homes.takeForStep()
    this.#asm.loadVector(register, place ?? this.#frame.slot(home!.slot!))
    if (home === undefined) this.#borrowed.set(virtual, register)
    else home.register = register
    return register
  }

  /** The register that a step writes. */
  #target(step: Step): number {
    const { before, early, to } = step
    if (to === undefined) return 0
    const carried = this.#frame.pinned.get(to.virtual)
    if (typeof carried === 'number') return carried
    const kept = before && this.#register(before)
    if (before === undefined && early !== true) this.#homes.release(step.reads, true)
    const isLeft = before !== undefined && this.#homes.isLast(before)
    const target = isLeft ? this.#homes.leave(before) : this.#homes.take()
    if (kept !== undefined && kept !== target) this.#asm.moveVector(target, kept)
    this.#homes.put(to, target)
    return target
  }

  write(step: Step, now: number): void {
    const all = this.#homes.begin(now)
    const reads = step.reads.map((read) => this.#register(read))
    const target = this.#target(step)
    step.write(this.#asm, target, reads)
    this.#homes.give(this.#borrowed.values())
    this.#borrowed.clear()
    this.#homes.release(all, true)
    // Of what is pinned there is no home.
    if (step.to !== undefined) this.#homes.release([step.to], true)
  }
}

/** Writes a stretch of code. */
export function writeSteps(asm: Assembler, steps: readonly Step[], frame: Frame): void {
  const allocation = new Allocation(asm, steps, frame)
  for (const [i, step] of steps.entries()) allocation.write(step, i)
}

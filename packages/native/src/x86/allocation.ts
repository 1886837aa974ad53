// Gives the registers that there are to those that a stretch of code speaks of. Where none is free, the value whose next
// use is farthest goes to the stack, and is read from there as an operand.
import type { Assembler, Operand, VectorOperands } from './assembler.ts'
import { FORMS } from './forms.ts'
import { type Bits, type Literal, type Memory, RAX } from './registers.ts'
import { isScalar, isVirtual, readsOf, type Step, type VectorStep, type Virtual, writtenBy } from './steps.ts'

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

/** Where a value lies at the moment; in both places where it was read back. */
interface Home {
  register: number | undefined
  slot: number | undefined
}

const NEVER = Number.POSITIVE_INFINITY

class Allocation {
  readonly #asm: Assembler
  readonly #frame: Frame
  readonly #homes = new Map<number, Home>()
  readonly #free: number[]
  readonly #freeSlots: number[] = []
  /** Positions of the steps that read a value, the last first. */
  readonly #uses = new Map<number, number[]>()
  readonly #reads: readonly (readonly Virtual[])[]
  /** The step that is written, and registers that it needs. */
  #now = 0
  readonly #busy = new Set<number>()
  slots = 0

  constructor(asm: Assembler, steps: readonly Step[], frame: Frame) {
    this.#asm = asm
    this.#frame = frame
    this.#free = [...frame.registers]
    this.#reads = steps.map(readsOf)
    for (let i = steps.length - 1; i >= 0; i--) {
      for (const { virtual } of this.#reads[i]!) {
        const own = this.#uses.get(virtual)
        if (own === undefined) this.#uses.set(virtual, [i])
        else own.push(i)
      }
    }
  }

  /** The step that reads a value next, after the present one. */
  #next(id: number): number {
    const own = this.#uses.get(id)
    while (own !== undefined && own.length > 0 && own.at(-1)! <= this.#now) own.pop()
    return own?.at(-1) ?? NEVER
  }

  #take(): number {
    return this.#free.pop() ?? this.#evict()
  }

  #evict(): number {
    let worst: Home | undefined
    let farthest = -1
    for (const [id, home] of this.#homes) {
      if (home.register === undefined || this.#busy.has(home.register)) continue
      const next = this.#next(id)
      if (next > farthest) {
        worst = home
        farthest = next
      }
    }
    const register = worst!.register!
    if (worst!.slot === undefined) {
      worst!.slot = this.#freeSlots.pop() ?? this.slots++
      const { store, bits } = this.#frame
      this.#asm.vector(store, { bits, to: register, operand: this.#frame.slot(worst!.slot) })
    }
    worst!.register = undefined
    return register
  }

  /** The register of a value; one that lies elsewhere is loaded, for this step alone where it is pinned. */
  #register({ virtual }: Virtual, borrowed: number[]): number {
    const place = this.#frame.pinned.get(virtual)
    if (typeof place === 'number') return place
    const home = this.#homes.get(virtual)
    if (home?.register !== undefined) return home.register
    const register = this.#take()
    this.#busy.add(register)
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
    const { register, slot } = this.#homes.get(operand.virtual)!
    return register ?? this.#frame.slot(slot!)
  }

  /** Gives up what nobody reads any more: registers when a step has them, everything when it is over. */
  #release(values: readonly Virtual[], isOver: boolean): void {
    for (const { virtual } of values) {
      const home = this.#homes.get(virtual)
      if (home === undefined || this.#next(virtual) !== NEVER) continue
      if (home.register !== undefined) this.#free.push(home.register)
      home.register = undefined
      // A slot may be what the step reads, and is not to be written before.
      if (isOver && home.slot !== undefined) this.#freeSlots.push(home.slot)
      if (isOver) this.#homes.delete(virtual)
    }
  }

  /** Whether a value is read once more, here, and lies in a register of the stretch. */
  #isLast({ virtual }: Virtual, reads: readonly Virtual[]): boolean {
    const times = reads.filter((read) => read.virtual === virtual).length
    return times === 1 && this.#homes.get(virtual)?.register !== undefined && this.#next(virtual) === NEVER
  }

  /** Leaves the register of a value to another. */
  #leave({ virtual }: Virtual): number {
    const { register, slot } = this.#homes.get(virtual)!
    if (slot !== undefined) this.#freeSlots.push(slot)
    this.#homes.delete(virtual)
    return register!
  }

  write(step: Step, now: number): void {
    if (isScalar(step)) step.scalar(this.#asm)
    else this.#write(step, now)
  }

  #write(step: VectorStep, now: number): void {
    this.#now = now
    this.#busy.clear()
    const reads = this.#reads[now]!
    for (const { virtual } of reads) {
      const register = this.#homes.get(virtual)?.register
      if (register !== undefined) this.#busy.add(register)
    }
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
      if (kept === undefined) this.#release(reads, false)
      else if (this.#isLast(before!, reads)) target = this.#leave(before!)
      target ??= this.#take()
      this.#homes.set(step.to.virtual, { register: target, slot: undefined })
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
    this.#free.push(...borrowed)
    this.#release(reads, true)
    if (step.to !== undefined && carried === undefined) this.#release([step.to], true)
  }
}

/** Writes a stretch of code; gives how many slots of the stack it uses. */
export function writeSteps(asm: Assembler, steps: readonly Step[], frame: Frame): number {
  const allocation = new Allocation(asm, steps, frame)
  for (const [i, step] of steps.entries()) allocation.write(step, i)
  return allocation.slots
}

/** How many values are there at once at most, those that are pinned left out. */
export function pressure(steps: readonly Step[], isPinned: (virtual: number) => boolean): number {
  const last = new Map<number, number>()
  const reads = steps.map(readsOf)
  for (let i = 0; i < reads.length; i++) for (const { virtual } of reads[i]!) last.set(virtual, i)
  const live = new Set<number>()
  let most = 0
  for (const [i, step] of steps.entries()) {
    const written = writtenBy(step)
    if (written !== undefined) live.add(written.virtual)
    most = Math.max(most, live.size)
    for (const { virtual } of reads[i]!) if (last.get(virtual) === i && !isPinned(virtual)) live.delete(virtual)
  }
  return most
}

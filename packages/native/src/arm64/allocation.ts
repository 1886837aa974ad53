// Gives the registers that there are to those that a stretch of code speaks of. Where none is free, the value whose next
// use is farthest goes to the stack.
import type { Assembler } from './assembler.ts'
import type { Literal, Memory } from './registers.ts'
import { readsOf, type Step, type Virtual } from './steps.ts'

/** Where values lie that are there before a stretch and stay behind it: in a register, or at a place. */
export type Pinned = ReadonlyMap<number, number | Memory | Literal>

/** What a stretch may use. */
export interface Frame {
  /** Registers that are its own. */
  readonly registers: readonly number[]
  readonly pinned: Pinned
  /** The place of a slot of the stack, by number. */
  slot(i: number): Memory
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
  /** The step that is written, registers that it needs, and those that it has for its own time alone. */
  #now = 0
  readonly #busy = new Set<number>()
  readonly #borrowed = new Map<number, number>()
  #slots = 0

  constructor(asm: Assembler, steps: readonly Step[], frame: Frame) {
    this.#asm = asm
    this.#frame = frame
    this.#free = [...frame.registers]
    for (let i = steps.length - 1; i >= 0; i--) {
      for (const { virtual } of readsOf(steps[i]!)) {
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
      worst!.slot = this.#freeSlots.pop() ?? this.#slots++
      this.#asm.storeVector(this.#frame.slot(worst!.slot), register)
    }
    worst!.register = undefined
    return register
  }

  /** The register of a value; one that lies elsewhere is loaded, for this step alone where it is pinned. */
  #register({ virtual }: Virtual): number {
    const place = this.#frame.pinned.get(virtual)
    if (typeof place === 'number') return place
    const home = this.#homes.get(virtual)
    const known = home?.register ?? this.#borrowed.get(virtual)
    if (known !== undefined) return known
    const register = this.#take()
    this.#busy.add(register)
    this.#asm.loadVector(register, place ?? this.#frame.slot(home!.slot!))
    if (home === undefined) this.#borrowed.set(virtual, register)
    else home.register = register
    return register
  }

  /** Gives up what nobody reads any more. */
  #release(values: readonly Virtual[]): void {
    for (const { virtual } of values) {
      const home = this.#homes.get(virtual)
      if (home === undefined || this.#next(virtual) !== NEVER) continue
      if (home.register !== undefined) this.#free.push(home.register)
      if (home.slot !== undefined) this.#freeSlots.push(home.slot)
      this.#homes.delete(virtual)
    }
  }

  /** Whether a value is read once more, here, and lies in a register of the stretch. */
  #isLast({ virtual }: Virtual, step: Step): boolean {
    const times = readsOf(step).filter((read) => read.virtual === virtual).length
    return times === 1 && this.#homes.get(virtual)?.register !== undefined && this.#next(virtual) === NEVER
  }

  /** Leaves the register of a value to another. */
  #leave({ virtual }: Virtual): number {
    const { register, slot } = this.#homes.get(virtual)!
    if (slot !== undefined) this.#freeSlots.push(slot)
    this.#homes.delete(virtual)
    return register!
  }

  /** The register that a step writes. */
  #target(step: Step): number {
    const { before, early, to } = step
    if (to === undefined) return 0
    const kept = before && this.#register(before)
    if (before === undefined && early !== true) this.#release(step.reads)
    const target = before !== undefined && this.#isLast(before, step) ? this.#leave(before) : this.#take()
    if (kept !== undefined && kept !== target) this.#asm.moveVector(target, kept)
    this.#homes.set(to.virtual, { register: target, slot: undefined })
    return target
  }

  write(step: Step, now: number): void {
    this.#now = now
    this.#busy.clear()
    for (const { virtual } of readsOf(step)) {
      const register = this.#homes.get(virtual)?.register
      if (register !== undefined) this.#busy.add(register)
    }
    const reads = step.reads.map((read) => this.#register(read))
    const target = this.#target(step)
    step.write(this.#asm, target, reads)
    this.#free.push(...this.#borrowed.values())
    this.#borrowed.clear()
    this.#release(readsOf(step))
    if (step.to !== undefined) this.#release([step.to])
  }
}

/** Writes a stretch of code. */
export function writeSteps(asm: Assembler, steps: readonly Step[], frame: Frame): void {
  const allocation = new Allocation(asm, steps, frame)
  for (const [i, step] of steps.entries()) allocation.write(step, i)
}

/** How many values are there at once at most, those that are pinned left out. */
export function pressure(steps: readonly Step[], isPinned: (virtual: number) => boolean): number {
  const last = new Map<number, number>()
  for (const [i, step] of steps.entries()) for (const { virtual } of readsOf(step)) last.set(virtual, i)
  const live = new Set<number>()
  let most = 0
  for (const [i, step] of steps.entries()) {
    if (step.to !== undefined) live.add(step.to.virtual)
    most = Math.max(most, live.size)
    for (const { virtual } of readsOf(step)) if (last.get(virtual) === i && !isPinned(virtual)) live.delete(virtual)
  }
  return most
}

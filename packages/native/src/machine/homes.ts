// Where the values of a stretch of code lie while it is written: in registers as long as there are any, then on the stack.
// Where no register is free, the value whose next use is farthest leaves its own.

/** A vector register by its number among those of a stretch, of which there may be any number. */
export interface Virtual {
  readonly virtual: number
}

/** Where a value lies at the moment; in both places where it was read back. */
export interface Home {
  register: number | undefined
  slot: number | undefined
}

const NEVER = Number.POSITIVE_INFINITY

export class Homes {
  /** What each step reads. */
  readonly #reads: readonly (readonly Virtual[])[]
  /** Writes the code that stores a register to a slot of the stack. */
  readonly #spill: (slot: number, register: number) => void
  readonly #homes = new Map<number, Home>()
  readonly #free: number[]
  readonly #freeSlots: number[] = []
  /** Positions of the steps that read a value, the last first. */
  readonly #uses = new Map<number, number[]>()
  /** The step that is written, and registers that it needs. */
  #now = 0
  readonly #busy = new Set<number>()
  /** Slots that were needed so far. */
  slots = 0

  constructor(
    reads: readonly (readonly Virtual[])[],
    registers: readonly number[],
    spill: (slot: number, register: number) => void,
  ) {
    this.#reads = reads
    this.#spill = spill
    this.#free = [...registers]
    for (let i = reads.length - 1; i >= 0; i--) {
      for (const { virtual } of reads[i]!) {
        const own = this.#uses.get(virtual)
        if (own === undefined) this.#uses.set(virtual, [i])
        else own.push(i)
      }
    }
  }

  /** Begins a step; gives what it reads. */
  begin(now: number): readonly Virtual[] {
    this.#now = now
    this.#busy.clear()
    const reads = this.#reads[now]!
    for (const { virtual } of reads) {
      const register = this.#homes.get(virtual)?.register
      if (register !== undefined) this.#busy.add(register)
    }
    return reads
  }

  /** Where a value lies; undefined for one that is not the stretch's own. */
  of({ virtual }: Virtual): Home | undefined {
    return this.#homes.get(virtual)
  }

  put({ virtual }: Virtual, register: number): void {
    this.#homes.set(virtual, { register, slot: undefined })
  }

  /** A register, of whoever needs it last. */
  take(): number {
    return this.#free.pop() ?? this.#evict()
  }

  /** A register that no other operand of the step may take. */
  takeForStep(): number {
    const register = this.take()
    this.#busy.add(register)
    return register
  }

  give(registers: Iterable<number>): void {
    this.#free.push(...registers)
  }

  /** The step that reads a value next, after the present one. */
  #next(id: number): number {
    const own = this.#uses.get(id)
    while (own !== undefined && own.length > 0 && own.at(-1)! <= this.#now) own.pop()
    return own?.at(-1) ?? NEVER
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
      this.#spill(worst!.slot, register)
    }
    worst!.register = undefined
    return register
  }

  /** Gives up what nobody reads any more: registers when a step has them, everything when it `isOver`. */
  release(values: readonly Virtual[], isOver: boolean): void {
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
  isLast({ virtual }: Virtual): boolean {
    const times = this.#reads[this.#now]!.filter((read) => read.virtual === virtual).length
    return times === 1 && this.#homes.get(virtual)?.register !== undefined && this.#next(virtual) === NEVER
  }

  /** Leaves the register of a value to another. */
  leave({ virtual }: Virtual): number {
    const { register, slot } = this.#homes.get(virtual)!
    if (slot !== undefined) this.#freeSlots.push(slot)
    this.#homes.delete(virtual)
    return register!
  }
}

/** How many values are there at once at most, those that are pinned left out. */
export function pressure(
  reads: readonly (readonly Virtual[])[],
  written: readonly (Virtual | undefined)[],
  isPinned: (virtual: number) => boolean,
): number {
  const last = new Map<number, number>()
  for (const [i, own] of reads.entries()) for (const { virtual } of own) last.set(virtual, i)
  const live = new Set<number>()
  let most = 0
  for (const [i, own] of reads.entries()) {
    const value = written[i]
    if (value !== undefined) live.add(value.virtual)
    most = Math.max(most, live.size)
    for (const { virtual } of own) if (last.get(virtual) === i && !isPinned(virtual)) live.delete(virtual)
  }
  return most
}

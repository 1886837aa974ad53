// The stack of a kernel: places are given out one behind the other, as long as there is room.

import { Unsupported } from '../machine/unsupported.ts'
import { type Memory, RSP } from './registers.ts'

/** Bytes of the stack that a kernel takes at most: threads have megabytes, and some of them are taken. */
const MOST_BYTES = 1 << 18

export class StackFrame {
  #end = 0
  readonly #slots: Memory[] = []

  /** So many bytes, aligned to their number, or to that of the longest register. */
  room(bytes: number): Memory {
    const unit = Math.min(bytes, 64)
    const at = Math.ceil(this.#end / unit) * unit
    this.#end = at + bytes
    if (this.#end > MOST_BYTES) throw new Unsupported('so many values at once')
    return { base: RSP, displacement: at }
  }

  /** Slots of whole registers by number, which stretches of code share. */
  slot(i: number): Memory {
    while (this.#slots.length <= i) this.#slots.push(this.room(64))
    return this.#slots[i]!
  }

  /** Bytes that were given out. */
  get bytes(): number {
    return Math.ceil(this.#end / 64) * 64
  }
}

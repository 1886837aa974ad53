// The stack of a kernel: places are given out one behind the other, as long as there is room.
import { type Memory, RSP } from './registers.ts'
import { Unsupported } from './vectors.ts'

/** Bytes of the stack that a kernel takes. */
export const FRAME_BYTES = 16_384

export class StackFrame {
  #end = 0
  readonly #slots: Memory[] = []

  /** So many bytes, aligned to their number. */
  room(bytes: 8 | 64): Memory {
    const at = Math.ceil(this.#end / bytes) * bytes
    this.#end = at + bytes
    if (this.#end > FRAME_BYTES) throw new Unsupported('so many values at once')
    return { base: RSP, displacement: at }
  }

  /** Slots of whole registers by number, which stretches of code share. */
  slot(i: number): Memory {
    while (this.#slots.length <= i) this.#slots.push(this.room(64))
    return this.#slots[i]!
  }
}

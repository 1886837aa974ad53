// The stack of a kernel: places are given out one behind the other, as long as there is room.

import { Unsupported } from '../machine/unsupported.ts'
import { type Memory, SP } from './registers.ts'

/** Bytes of the stack that a kernel takes, beside the registers it saves. */
export const FRAME_BYTES = 16_384

export class StackFrame {
  #end = 0
  readonly #slots: Memory[] = []

  /** So many bytes, aligned to 8 or 16. */
  room(bytes: number): Memory {
    const aligned = bytes === 8 ? 8 : 16
    const at = Math.ceil(this.#end / aligned) * aligned
    this.#end = at + bytes
    if (this.#end > FRAME_BYTES) throw new Unsupported('so many values at once')
    return { base: SP, displacement: at }
  }

  /** Slots of vectors by number, which stretches of code share. */
  slot(i: number): Memory {
    while (this.#slots.length <= i) this.#slots.push(this.room(16))
    return this.#slots[i]!
  }
}

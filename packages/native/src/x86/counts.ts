// Which lanes of a pass count, as masks.
import { compared } from './comparison.ts'
import type { Bits } from './registers.ts'
import type { Virtual } from './steps.ts'
import type { Writer } from './vectors.ts'

const SIGNED = { 1: 'int8', 2: 'int16', 4: 'int32', 8: 'int64' } as const
const LETTERS = { 1: 'b', 2: 'w', 4: 'd', 8: 'q' } as const

/** The lanes of a part that count. */
export function counted(w: Writer, width: 1 | 2 | 4 | 8, bits: Bits, part: number): Virtual {
  if (w.pass === 'whole') {
    // Few narrow elements do not fill the shortest register.
    return w.literal(new Uint8Array(w.whole / 8).fill(255, 0, w.lanes * width))
  }
  const [whole, own] = [w.whole / 8 / width, bits / 8 / width]
  const bytes = new Uint8Array(w.whole / 8)
  for (let i = 0; i < whole; i++) bytes[i * width] = i + part * own
  const all = w.step({ name: `vpbroadcast${LETTERS[width]}`, bits, operand: w.counted })
  return compared(w, 'less', SIGNED[width], bits, w.literal(bytes), all)
}

// Elements without a value, such as quotients by zero: their masks are gathered, and the kernel says at its end whether
// there was any. Lanes beyond a row are computed too, and do not count.
import { compared } from './comparison.ts'
import type { Bits } from './registers.ts'
import type { Virtual } from './steps.ts'
import type { Writer } from './vectors.ts'

const SIGNED = { 1: 'int8', 2: 'int16', 4: 'int32', 8: 'int64' } as const
const LETTERS = { 1: 'b', 2: 'w', 4: 'd', 8: 'q' } as const

/** Says that elements of part `part` of a vector have no value where a mask is set. */
export function fault(w: Writer, mask: Virtual, width: 1 | 2 | 4 | 8, bits: Bits, part: number): void {
  const counts = w.pass === 'partial' ? w.and(bits, mask, counted(w, width, bits, part)) : mask
  w.fault ??= w.place()
  const gathered = w.step({ name: w.isWide ? 'vpord' : 'vpor', bits, from: counts, operand: w.fault })
  w.put(bits, gathered, w.fault)
}

/** The lanes of a part that count. */
function counted(w: Writer, width: 1 | 2 | 4 | 8, bits: Bits, part: number): Virtual {
  const [whole, own] = [w.whole / 8 / width, bits / 8 / width]
  const bytes = new Uint8Array(w.whole / 8)
  for (let i = 0; i < whole; i++) bytes[i * width] = i + part * own
  const all = w.step({ name: `vpbroadcast${LETTERS[width]}`, bits, operand: w.counted })
  return compared(w, 'less', SIGNED[width], bits, w.literal(bytes), all)
}

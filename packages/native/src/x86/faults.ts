// Elements without a value, such as quotients by zero: their masks are gathered, and the kernel says at its end whether
// there was any. Lanes beyond a row are computed too, and do not count.
import { counted } from './counts.ts'
import type { Bits } from './registers.ts'
import type { Virtual } from './steps.ts'
import type { Writer } from './vectors.ts'

/** Says that elements of part `part` of a vector have no value where a mask is set. */
export function fault(w: Writer, mask: Virtual, width: 1 | 2 | 4 | 8, bits: Bits, part: number): void {
  const counts =
    w.pass === 'still' || (w.pass === 'whole' && w.lanes * width * 8 >= bits)
      ? mask
      : w.and(bits, mask, counted(w, width, bits, part))
  w.fault ??= w.place()
  const gathered = w.step({ name: w.isWide ? 'vpord' : 'vpor', bits, from: counts, operand: w.fault })
  w.put(bits, gathered, w.fault)
}

// Steps that go element by element over memory of the stack: what vectors cannot do.
import type { Assembler } from './assembler.ts'
import { type Bits, type Memory, RCX, RDI, RDX, RSI } from './registers.ts'
import type { Writer } from './vectors.ts'

/** Registers that such a step uses beside RAX, and leaves as they were. RDI counts bytes. */
const USED = [RCX, RDX, RSI, RDI]
/** The buffer that keeps them meanwhile. */
const KEPT = 7

/** The element at hand of a buffer. */
export type ElementOf = (buffer: number) => Memory

/** Does the same for each element of buffers. */
export function elementwise(
  w: Writer,
  bits: Bits,
  width: number,
  write: (asm: Assembler, of: ElementOf) => void,
): void {
  const kept = w.buffer(KEPT)
  const places = USED.map((_, i) => ({ ...kept, displacement: kept.displacement! + 8 * i }))
  const buffers = Array.from({ length: KEPT }, (_, i) => ({ ...w.buffer(i), index: RDI, scale: 1 as const }))
  w.steps.push({
    scalar(asm) {
      for (const [i, register] of USED.entries()) asm.store(places[i]!, register)
      const again = asm.label()
      asm.clear(RDI).set(again)
      write(asm, (buffer) => buffers[buffer]!)
      asm
        .addConstant(RDI, width)
        .compareConstant(RDI, bits / 8)
        .jumpIf('less', again)
      for (const [i, register] of USED.entries()) asm.move(register, places[i]!)
    },
  })
}

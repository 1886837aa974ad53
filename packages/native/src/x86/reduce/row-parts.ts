// What kernels do for a row before they compute it, and for less than a vector of it: nothing is read or written beyond a
// row, whose last elements go through masks, or over the stack where there are none.
import { writeSteps } from '../allocation.ts'
import type { Assembler } from '../assembler.ts'
import { AT, COUNTED } from '../body.ts'
import { fill, frameOf, type RowPlace, TOLD, type Writing } from '../context.ts'
import { type Memory, RAX, RCX, RDI, RSI } from '../registers.ts'
import { readsOf, type Step } from '../steps.ts'
import { bytesOf } from '../vectors.ts'

const BROADCASTS = { 1: 'b', 2: 'w', 4: 'd', 8: 'q' } as const

/** Puts where an operand's row begins into a register. */
export function rowOf(
  asm: Assembler,
  register: number,
  places: readonly RowPlace[],
  { operand, row }: { readonly operand: number; readonly row: number },
): void {
  const { address, rowStep } = places[operand]!
  if (row === 0) asm.move(register, address)
  else asm.times(register, rowStep, row).add(register, address)
}

/** What is the same along the rows of a block. */
export function writeStill(context: Writing, places: readonly RowPlace[]): void {
  const { asm, body, pinning } = context
  const { before, kept, others, perRow } = pinning
  const frame = frameOf(context, before)
  const { bits } = frame
  const again = new Set(body.hoistedSteps.flatMap((step) => readsOf(step).map(({ virtual }) => virtual)))
  const direct = new Map(perRow.map(({ virtual, register }) => [virtual, register] as const))
  const there = new Set<number>()
  for (const splat of body.splats) {
    const { virtual } = splat.value
    rowOf(asm, RAX, places, splat)
    const width = bytesOf(body.dtypes[splat.operand]!) as 1 | 2 | 4 | 8
    // What only the row reads goes straight to its register.
    const own = again.has(virtual) ? undefined : direct.get(virtual)
    const to = own ?? others[0]!
    asm.vector(`vpbroadcast${BROADCASTS[width]}`, { bits, to, operand: { base: RAX } })
    if (own === undefined) asm.vector(frame.store, { bits, to, operand: before.get(virtual) as Memory })
    else there.add(virtual)
  }
  const stores = kept.map(({ value, place }): Step => ({ name: frame.store, bits, stored: value, operand: place }))
  writeSteps(asm, [...body.hoistedSteps, ...stores], frame)
  fill(
    context,
    perRow.filter(({ virtual }) => !there.has(virtual)),
  )
}

/** Sets the masks to as many lanes as RAX says, which is below 64, and takes RAX. */
export function countLanes({ asm, body }: Writing): void {
  const [first, second] = COUNTED
  asm.lowBits(RAX, asm.literal(new Uint8Array(8).fill(255)), RAX).mask(first, RAX)
  // Only elements of eight bytes take a second register.
  if (body.w.parts(8) > 1) asm.shiftMask(second, first, 8)
}

/** Copies as many elements as are counted to buffers of the stack, of operands that masks do not read. */
export function copyRest({ asm, body }: Writing, told: Memory, at: Memory): void {
  const { pointers, dtypes, w } = body
  const copied = pointers.filter(({ operand, buffer }) => buffer !== undefined && operand < dtypes.length - 1)
  if (copied.length === 0) return
  asm.store(told, TOLD).store(at, AT)
  for (const { operand, place, buffer } of copied) {
    const width = bytesOf(dtypes[operand]!)
    asm.move(AT, at).move(RSI, place)
    asm.address(RSI, { base: RSI, index: AT, scale: width as 1 | 2 | 4 | 8 })
    asm.address(RDI, buffer!).times(RCX, w.counted, width).copyBytes()
  }
  asm.move(AT, at).move(TOLD, told)
  const taken = pointers.find(({ register }) => register === RSI)
  if (taken !== undefined) asm.move(RSI, taken.place)
}

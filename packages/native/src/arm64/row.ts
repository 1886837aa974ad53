// What kernels do for a row before they compute it, and for less than a vector of it: nothing is read or written beyond a
// row, whose last elements go over the stack.
import { bytesOf } from '../machine/types.ts'
import { writeSteps } from './allocation.ts'
import type { Assembler } from './assembler.ts'
import { fill, frameOf, LEFT, type RowPlace, type Writing } from './context.ts'
import { type Memory, X9, X10, X11, X12, X13 } from './registers.ts'
import type { Step } from './steps.ts'

/** Puts where an operand's row begins into a register. */
function rowOf(
  asm: Assembler,
  to: number,
  places: readonly RowPlace[],
  { operand, row }: { readonly operand: number; readonly row: number },
): void {
  const { address, rowStep } = places[operand]!
  asm.load(to, address)
  if (row > 0) asm.load(X10, rowStep).constant(X11, BigInt(row)).multiply(X10, X10, X11).add(to, to, X10)
}

/** What is the same along the rows of a block, and pointers to them. */
export function beginRows(writing: Writing, places: readonly RowPlace[]): void {
  const { asm, body, pinning } = writing
  const { before, kept, others, perRow } = pinning
  const to = others[0]!
  for (const splat of body.splats) {
    rowOf(asm, X9, places, splat)
    asm.spread(to, X9, bytesOf(body.dtypes[splat.operand]!))
    asm.storeVector(before.get(splat.value.virtual) as Memory, to)
  }
  const stores = kept.map(
    ({ value, place }): Step => ({ reads: [value], write: (own, _, [a]) => own.storeVector(place, a!) }),
  )
  writeSteps(asm, [...body.hoistedSteps, ...stores], frameOf(writing, before))
  fill(writing, perRow)
  for (const pointer of body.pointers) {
    rowOf(asm, pointer.register ?? X9, places, pointer)
    if (pointer.register === undefined) asm.store(pointer.place, X9)
  }
}

/** Copies as many elements as are left to buffers of the stack, or the result from there. */
export function copyRest({ asm, body }: Writing, direction: 'in' | 'out', repeatsFirst: boolean): void {
  const { pointers, dtypes } = body
  const [elements, copied, count, value, step] = [X9, X10, X11, X12, X13]
  for (const { operand, place, register, buffer, step: told } of pointers) {
    if ((operand === dtypes.length - 1) !== (direction === 'out')) continue
    const width = bytesOf(dtypes[operand]!)
    const again = asm.label()
    if (register === undefined) asm.load(elements, place)
    else asm.move(elements, register)
    if (told !== undefined) asm.load(step, told)
    asm.address(copied, buffer).move(count, LEFT).set(again)
    if (direction === 'out') asm.loadNext(value, copied, width, width).storeNext(elements, value, width)
    else {
      asm.loadNext(value, elements, width, told === undefined ? width : 0).storeNext(copied, value, width)
      if (told !== undefined) asm.add(elements, elements, step)
    }
    asm.subtractConstant(count, count, 1).jumpUnlessZero(count, again)
    if (direction === 'in' && repeatsFirst) repeatFirst(asm, buffer, width, body.w.lanes)
  }
}

/** Lanes that do not count get what the first one has, so that none of them has a fault of its own. */
function repeatFirst(asm: Assembler, buffer: Memory, width: number, lanes: number): void {
  const [copied, count, value] = [X10, X11, X12]
  const again = asm.label()
  asm.load(value, buffer, width).constant(count, BigInt(lanes)).subtract(count, count, LEFT)
  asm.set(again).storeNext(copied, value, width).subtractConstant(count, count, 1).jumpUnlessZero(count, again)
}

// What all kernels have around their own loops: entry and exit, values that do not change, the first and last elements of a
// row, of which less than a vector counts.
import { type Frame, writeSteps } from './allocation.ts'
import { Assembler } from './assembler.ts'
import { AT, COUNTED, type Elements } from './elements.ts'
import { FRAME_BYTES, type StackFrame } from './frame.ts'
import { type Cursor, cursorsOn, readCursors, SAVED, TOLD } from './nest.ts'
import { type Pinning, pin } from './pinning.ts'
import { type Memory, RAX, RBP, RCX, RDI, RSI, RSP } from './registers.ts'
import type { Step } from './steps.ts'
import { bytesOf } from './vectors.ts'

const BROADCASTS = { 1: 'b', 2: 'w', 4: 'd', 8: 'q' } as const

export class LoopWriter {
  readonly asm: Assembler
  readonly stack: StackFrame
  readonly elements: Elements
  readonly pinning: Pinning
  readonly cursors: readonly Cursor[]
  /** Where rows begin that are computed together. */
  rows: readonly Cursor[]
  readonly rowsLeft: Memory
  /** How many elements count in a partial pass. */
  readonly counted: Memory
  readonly told: Memory
  readonly at: Memory

  /** For stretches of code over elements, and so many operands; `carried` registers are left for what loops carry. */
  constructor(
    elements: Elements,
    stack: StackFrame,
    stretches: readonly (readonly Step[])[],
    { operands, carried }: { readonly operands: number; readonly carried: number },
  ) {
    this.asm = new Assembler(elements.w.isWide ? 'evex' : 'vex')
    this.stack = stack
    this.elements = elements
    this.pinning = pin(this.asm, elements, stretches, stack, carried)
    this.cursors = cursorsOn(stack, operands)
    this.rows = this.cursors
    this.rowsLeft = stack.room(8)
    this.counted = stack.room(8)
    this.told = stack.room(8)
    this.at = stack.room(8)
  }

  /** The function around `loops`; parameters count from `base`. */
  function(base: bigint, rowsAtOnce: number, loops: () => void): Uint8Array {
    const { asm } = this
    for (const register of SAVED) asm.push(register)
    asm.move(RBP, RSP).subtractConstant(RSP, FRAME_BYTES).andConstant(RSP, -64)
    asm.constant(RAX, base).add(TOLD, RAX)
    readCursors(asm, this.cursors, rowsAtOnce)
    this.fill(this.pinning.constants)
    loops()
    asm.clearUpper().clear(RAX).move(RSP, RBP)
    for (const register of SAVED.toReversed()) asm.pop(register)
    return asm.ret().finish()
  }

  fill(held: Pinning['constants']): void {
    for (const { register, place } of held) {
      const { load, bits } = this.frame(this.pinning.pinned)
      this.asm.vector(load, { bits, to: register, operand: place })
    }
  }

  frame(pinned: Frame['pinned']): Frame {
    const { isWide, whole: bits } = this.elements.w
    return {
      registers: this.pinning.others,
      pinned,
      slot: (i) => this.stack.slot(i),
      ...(isWide
        ? { load: 'vmovdqu32', store: 'vmovdqu32Store', bits }
        : { load: 'vmovdqu', store: 'vmovdquStore', bits }),
    }
  }

  /** Puts where an operand's row begins into RAX. */
  rowOf({ operand, row }: { readonly operand: number; readonly row: number }): void {
    const { address, rowStep } = this.rows[operand]!
    if (row === 0) this.asm.move(RAX, address)
    else this.asm.times(RAX, rowStep, row).add(RAX, address)
  }

  /** What is the same along the rows of a block. */
  rowValues(): void {
    const asm = this.asm
    const { before, kept, others, perRow } = this.pinning
    const frame = this.frame(before)
    const [bits, to] = [frame.bits, others[0]!]
    for (const splat of this.elements.splats) {
      this.rowOf(splat)
      const width = bytesOf(this.elements.dtypes[splat.operand]!) as 1 | 2 | 4 | 8
      asm.vector(`vpbroadcast${BROADCASTS[width]}`, { bits, to, operand: { base: RAX } })
      asm.vector(frame.store, { bits, to, operand: before.get(splat.value.virtual) as Memory })
    }
    const stores = kept.map(({ value, place }): Step => ({ name: frame.store, bits, stored: value, operand: place }))
    writeSteps(asm, [...this.elements.hoistedSteps, ...stores], frame)
    this.fill(perRow)
  }

  /** Sets the masks to as many lanes as RAX says. */
  countLanes(): void {
    const asm = this.asm
    const [first, second] = COUNTED
    asm.store(this.told, TOLD).constant(TOLD, -1n).lowBits(TOLD, TOLD, RAX).mask(first, TOLD).move(TOLD, this.told)
    // Only elements of eight bytes take a second register.
    if (this.elements.w.parts(8) > 1) asm.shiftMask(second, first, 8)
  }

  /** Copies as many elements as are counted to buffers of the stack, or the result from there. */
  copyRest(direction: 'in' | 'out'): void {
    const asm = this.asm
    const { pointers, dtypes, inputs } = this.elements
    asm.store(this.told, TOLD).store(this.at, AT)
    for (const { operand, place, buffer } of pointers) {
      if (operand < inputs !== (direction === 'in')) continue
      const width = bytesOf(dtypes[operand]!)
      const [elements, copied] = direction === 'in' ? [RSI, RDI] : [RDI, RSI]
      asm.move(AT, this.at).move(elements, place)
      asm.address(elements, { base: elements, index: AT, scale: width as 1 | 2 | 4 | 8 })
      asm.address(copied, buffer!).times(RCX, this.counted, width).copyBytes()
    }
    asm.move(AT, this.at).move(TOLD, this.told)
    const taken = pointers.find(({ register }) => register === RSI)
    if (taken !== undefined) asm.move(RSI, taken.place)
  }
}

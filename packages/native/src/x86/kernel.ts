// A program as one function that runs a whole loop nest, told by the words that kernels of WebAssembly are told by. Nothing
// is read or written beyond a row: its last elements go through masks, or over the stack where there are none.
import { WIDE_PARAMETERS as PARAMETERS, type Program, type Signature } from 'bcast/kernels'
import { type Frame, writeSteps } from './allocation.ts'
import { Assembler } from './assembler.ts'
import { AT, Body, COUNTED } from './body.ts'
import { FRAME_BYTES, StackFrame } from './frame.ts'
import { type Pinning, pin } from './pinning.ts'
import { type Memory, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP } from './registers.ts'
import type { Step } from './steps.ts'
import { bytesOf, type Level } from './vectors.ts'

export interface KernelOptions {
  readonly level: Level
  /** The address that the parameters' own counts from. */
  readonly base: bigint
  /** Whether results go past the caches, because nobody reads them soon. */
  readonly streams: boolean
}

/** Registers that belong to whoever calls. */
const SAVED = [RBX, RBP, R12, R13, R14, R15]
/** Elements of the row that are left, and where the parameters lie. */
const LEFT: number = RDX
const TOLD: number = RDI
const BROADCASTS = { 1: 'b', 2: 'w', 4: 'd', 8: 'q' } as const

/** What of an operand lies on the stack: the address of a block of rows, steps to the next row and the next block. */
interface Cursor {
  readonly address: Memory
  readonly rowStep: Memory
  readonly blockStep: Memory
}

/** The machine code of `int run(uint32_t parameters)`. Throws Unsupported where a program has none. */
export function compileKernel(program: Program, signature: Signature, options: KernelOptions): Uint8Array {
  return new KernelWriter(program, signature, options).write()
}

class KernelWriter {
  readonly #asm: Assembler
  readonly #stack = new StackFrame()
  readonly #body: Body
  readonly #options: KernelOptions
  /** Vectors of a row that a whole pass computes, which hides the cost of the loop. */
  readonly #vectors: number
  readonly #whole: readonly Step[]
  readonly #partial: readonly Step[]
  readonly #pinning: Pinning
  readonly #cursors: readonly Cursor[]
  readonly #rowsLeft: Memory
  readonly #counted: Memory
  readonly #told: Memory
  readonly #at: Memory

  constructor(program: Program, signature: Signature, options: KernelOptions) {
    const { level, streams } = options
    const { length } = program.code
    const stack = this.#stack
    this.#options = options
    this.#asm = new Assembler(level === 'avx512' ? 'evex' : 'vex')
    this.#body = new Body(program, signature, level, streams, stack)
    this.#vectors = signature.rows > 1 || length > 24 ? 1 : length > 8 ? 2 : 4
    this.#whole = this.#body.steps('whole', this.#vectors)
    this.#partial = this.#body.steps('partial', 1)
    this.#pinning = pin(this.#asm, this.#body, [this.#whole, this.#partial], stack)
    this.#cursors = this.#body.dtypes.map(() => ({
      address: stack.room(8),
      rowStep: stack.room(8),
      blockStep: stack.room(8),
    }))
    this.#rowsLeft = stack.room(8)
    this.#counted = stack.room(8)
    this.#told = stack.room(8)
    this.#at = stack.room(8)
  }

  write(): Uint8Array {
    const asm = this.#asm
    for (const register of SAVED) asm.push(register)
    asm.move(RBP, RSP).subtractConstant(RSP, FRAME_BYTES).andConstant(RSP, -64)
    asm.constant(RAX, this.#options.base).add(TOLD, RAX)
    for (const [i, { address, rowStep, blockStep }] of this.#cursors.entries()) {
      const told = PARAMETERS.operands + i * PARAMETERS.operandSize
      asm.move(RCX, { base: TOLD, displacement: told }).store(address, RCX)
      asm.move(RCX, { base: TOLD, displacement: told + 16 }).store(rowStep, RCX)
      asm.times(RCX, RCX, this.#body.signature.rows).store(blockStep, RCX)
    }
    this.#fill(this.#pinning.constants)
    this.#nest()
    if (this.#body.streams) asm.fence()
    asm.clearUpper().clear(RAX).move(RSP, RBP)
    for (const register of SAVED.toReversed()) asm.pop(register)
    return asm.ret().finish()
  }

  #fill(held: Pinning['constants']): void {
    for (const { register, place } of held) {
      const { load, bits } = this.#frame(this.#pinning.pinned)
      this.#asm.vector(load, { bits, to: register, operand: place })
    }
  }

  #frame(pinned: Frame['pinned']): Frame {
    const { isWide, whole: bits } = this.#body.w
    return {
      registers: this.#pinning.others,
      pinned,
      slot: (i) => this.#stack.slot(i),
      ...(isWide
        ? { load: 'vmovdqu32', store: 'vmovdqu32Store', bits }
        : { load: 'vmovdqu', store: 'vmovdquStore', bits }),
    }
  }

  /** The loops around the inner one. Outer loops keep their counters among the parameters. */
  #nest(): void {
    const asm = this.#asm
    const [again, rows, axis, next, end] = [asm.label(), asm.label(), asm.label(), asm.label(), asm.label()]
    const loopSize = PARAMETERS.loopHeader + 8 * this.#cursors.length
    const firstLoop = PARAMETERS.operands + this.#cursors.length * PARAMETERS.operandSize
    asm.set(again)
    asm.move(RAX, { base: TOLD, displacement: PARAMETERS.rows }).store(this.#rowsLeft, RAX)
    asm.set(rows)
    this.#row()
    for (const { address, blockStep } of this.#cursors) asm.move(RAX, blockStep).addTo(address, RAX)
    asm.subtractConstant(this.#rowsLeft, 1).jumpIf('notEqual', rows)
    // The odometer: the first outer loop that is not at its end steps on; those before it start again.
    asm.move(RCX, { base: TOLD, displacement: PARAMETERS.outer })
    asm.address(RSI, { base: TOLD, displacement: firstLoop })
    asm.set(axis).compareConstant(RCX, 0).jumpIf('equal', end)
    asm.move(RAX, { base: RSI, displacement: 8 }).addConstant(RAX, 1)
    asm.move(RDX, { base: RSI }).compare(RAX, RDX).jumpIf('greaterEqual', next)
    asm.store({ base: RSI, displacement: 8 }, RAX)
    for (const [i, { address }] of this.#cursors.entries()) {
      asm.move(RAX, { base: RSI, displacement: PARAMETERS.loopHeader + 8 * i }).addTo(address, RAX)
    }
    asm.jump(again)
    asm.set(next).clear(RAX).store({ base: RSI, displacement: 8 }, RAX)
    asm.addConstant(RSI, loopSize).subtractConstant(RCX, 1).jump(axis)
    asm.set(end)
  }

  /** Puts where an operand's row begins into RAX. */
  #rowOf({ operand, row }: { readonly operand: number; readonly row: number }): void {
    const { address, rowStep } = this.#cursors[operand]!
    if (row === 0) this.#asm.move(RAX, address)
    else this.#asm.times(RAX, rowStep, row).add(RAX, address)
  }

  /** What is the same along the rows of a block. */
  #rowValues(): void {
    const asm = this.#asm
    const { before, kept, others, perRow } = this.#pinning
    const frame = this.#frame(before)
    const [bits, to] = [frame.bits, others[0]!]
    for (const splat of this.#body.splats) {
      this.#rowOf(splat)
      const width = bytesOf(this.#body.dtypes[splat.operand]!) as 1 | 2 | 4 | 8
      asm.vector(`vpbroadcast${BROADCASTS[width]}`, { bits, to, operand: { base: RAX } })
      asm.vector(frame.store, { bits, to, operand: before.get(splat.value.virtual) as Memory })
    }
    const stores = kept.map(({ value, place }): Step => ({ name: frame.store, bits, stored: value, operand: place }))
    writeSteps(asm, [...this.#body.hoistedSteps, ...stores], frame)
    this.#fill(perRow)
  }

  /** One block of rows: whole passes, and partial ones for what is left, or until streaming stores are aligned. */
  #row(): void {
    const asm = this.#asm
    const { w, pointers, dtypes } = this.#body
    const frame = this.#frame(this.#pinning.pinned)
    this.#rowValues()
    for (const pointer of pointers) {
      this.#rowOf(pointer)
      asm.store(pointer.place, RAX)
      if (pointer.register !== undefined) asm.move(pointer.register, RAX)
    }
    asm.clear(AT).move(LEFT, { base: TOLD, displacement: PARAMETERS.inner })
    const [check, partial, whole, rest, end] = [asm.label(), asm.label(), asm.label(), asm.label(), asm.label()]
    const elements = this.#vectors * w.lanes
    if (this.#body.streams) {
      const width = bytesOf(dtypes.at(-1)!)
      asm
        .move(RAX, pointers.at(-1)!.place)
        .negate(RAX)
        .andConstant(RAX, w.bits(width) / 8 - 1)
      if (width > 1) asm.shiftRight(RAX, Math.log2(width))
      asm.compareConstant(RAX, 0).jumpIf('equal', check)
      asm.compare(LEFT, RAX).moveIf('less', RAX, LEFT).jump(partial)
    }
    asm.set(check).compareConstant(LEFT, elements).jumpIf('less', rest)
    asm.set(whole)
    writeSteps(asm, this.#whole, frame)
    asm.addConstant(AT, elements).subtractConstant(LEFT, elements)
    asm.compareConstant(LEFT, elements).jumpIf('greaterEqual', whole)
    asm.set(rest).compareConstant(LEFT, 0).jumpIf('lessEqual', end)
    asm.number(RAX, w.lanes).compare(LEFT, RAX).moveIf('less', RAX, LEFT)
    asm.set(partial).store(this.#counted, RAX)
    if (w.isWide) this.#countLanes()
    else this.#copyRest('in')
    writeSteps(asm, this.#partial, frame)
    if (!w.isWide) this.#copyRest('out')
    asm.move(RAX, this.#counted).add(AT, RAX).subtract(LEFT, RAX).jump(check)
    asm.set(end)
  }

  /** Sets the masks to as many lanes as RAX says. */
  #countLanes(): void {
    const asm = this.#asm
    const [first, second] = COUNTED
    asm.store(this.#told, TOLD).constant(TOLD, -1n).lowBits(TOLD, TOLD, RAX).mask(first, TOLD).move(TOLD, this.#told)
    // Only elements of eight bytes take a second register.
    if (this.#body.w.parts(8) > 1) asm.shiftMask(second, first, 8)
  }

  /** Copies as many elements as are counted to buffers of the stack, or the result from there. */
  #copyRest(direction: 'in' | 'out'): void {
    const asm = this.#asm
    const { pointers, dtypes } = this.#body
    const result = dtypes.length - 1
    asm.store(this.#told, TOLD).store(this.#at, AT)
    for (const { operand, place, buffer } of pointers) {
      if ((operand === result) !== (direction === 'out')) continue
      const width = bytesOf(dtypes[operand]!)
      const [elements, copied] = direction === 'in' ? [RSI, RDI] : [RDI, RSI]
      asm.move(AT, this.#at).move(elements, place)
      asm.address(elements, { base: elements, index: AT, scale: width as 1 | 2 | 4 | 8 })
      asm.address(copied, buffer!).times(RCX, this.#counted, width).copyBytes()
    }
    asm.move(AT, this.#at).move(TOLD, this.#told)
    const taken = pointers.find(({ register }) => register === RSI)
    if (taken !== undefined) asm.move(RSI, taken.place)
  }
}

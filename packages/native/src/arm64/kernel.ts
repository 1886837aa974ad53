// A program as one function that runs a whole loop nest on AArch64, told by words of 64 bits. Nothing is read or written
// beyond a row: its last elements go over the stack.
import { canFault, WIDE_PARAMETERS as PARAMETERS, type Program, type Signature } from 'bcast/kernels'
import { bytesOf } from '../machine/types.ts'
import { type Frame, writeSteps } from './allocation.ts'
import { Assembler } from './assembler.ts'
import { Body } from './body.ts'
import { FRAME_BYTES, StackFrame } from './frame.ts'
import { FAULT } from './lanes.ts'
import { type Pinning, pin } from './pinning.ts'
import { type Memory, SP, X0, X9, X10, X11, X12, X13, X29, X30, ZERO } from './registers.ts'
import type { Step } from './steps.ts'

export interface KernelOptions {
  /** The address that the place of the parameters counts from. */
  readonly base: bigint
  /** Whether results go past the caches, because nobody reads them soon. */
  readonly streams: boolean
}

/** Where the parameters lie, and elements of the row that are left. */
const PLACE = X0
const LEFT = 1

/** Registers that belong to whoever calls, in pairs: general ones, and the lower halves of vectors. */
const SAVED = [19, 21, 23, 25, 27]
const SAVED_HALVES = [8, 10, 12, 14]
const SAVED_BYTES = 16 * (1 + SAVED.length + SAVED_HALVES.length)
const saved = (i: number): Memory => ({ base: X29, displacement: 16 * (i + 1) })

/** What of an operand lies on the stack: the address of a block of rows, and the step to the next block. */
interface Cursor {
  readonly address: Memory
  readonly blockStep: Memory
}

/** The machine code of `int run(uint32_t parameters)`. Throws Unsupported where a program has none. */
export function compileKernel(program: Program, signature: Signature, options: KernelOptions): Uint8Array {
  return new KernelWriter(program, signature, options).write()
}

class KernelWriter {
  readonly #asm = new Assembler()
  readonly #stack = new StackFrame()
  readonly #body: Body
  readonly #base: bigint
  readonly #canFault: boolean
  /** Vectors of a row that a whole pass computes, which hides the cost of the loop. */
  readonly #vectors: number
  readonly #whole: readonly Step[]
  readonly #single: readonly Step[]
  readonly #partial: readonly Step[]
  readonly #pinning: Pinning
  readonly #cursors: readonly Cursor[]
  readonly #rowsLeft: Memory

  constructor(program: Program, signature: Signature, { base, streams }: KernelOptions) {
    const { length } = program.code
    const stack = this.#stack
    this.#base = base
    this.#canFault = canFault(program)
    this.#body = new Body(program, signature, streams, stack)
    // What goes past the caches goes in pairs.
    this.#vectors = signature.rows > 1 || length > 24 ? (streams ? 2 : 1) : length > 8 ? 2 : 4
    this.#whole = this.#body.steps('whole', this.#vectors)
    this.#single = this.#body.steps('whole', 1)
    this.#partial = this.#body.steps('partial', 1)
    this.#pinning = pin(this.#asm, this.#body, [this.#whole, this.#single, this.#partial], stack)
    this.#cursors = this.#body.dtypes.map(() => ({ address: stack.room(8), blockStep: stack.room(8) }))
    this.#rowsLeft = stack.room(8)
  }

  write(): Uint8Array {
    const asm = this.#asm
    asm.pushPair(X29, X30, SAVED_BYTES).address(X29, { base: SP, displacement: 0 })
    for (const [i, first] of SAVED.entries()) asm.storePair(saved(i), first, first + 1)
    for (const [i, first] of SAVED_HALVES.entries()) asm.storePair(saved(SAVED.length + i), first, first + 1, true)
    asm.takeStack(FRAME_BYTES).constant(X9, this.#base).addWord(PLACE, X9, PLACE).move(FAULT, ZERO)
    for (const [i, { address, blockStep }] of this.#cursors.entries()) {
      asm.load(X9, this.#told(i, 0)).store(address, X9)
      asm.load(X9, this.#told(i, 2)).constant(X10, BigInt(this.#body.signature.rows))
      asm.multiply(X9, X9, X10).store(blockStep, X9)
    }
    this.#fill(this.#pinning.constants)
    this.#nest()
    asm.move(X0, FAULT)
    for (const [i, first] of SAVED.entries()) asm.loadPair(first, first + 1, saved(i))
    for (const [i, first] of SAVED_HALVES.entries()) asm.loadPair(first, first + 1, saved(SAVED.length + i), true)
    return asm.giveStack(X29).popPair(X29, X30, SAVED_BYTES).ret().finish()
  }

  /** Where something about an operand is told: its address, its step along a row, its step from row to row. */
  #told(operand: number, word: number): Memory {
    return { base: PLACE, displacement: PARAMETERS.operands + operand * PARAMETERS.operandSize + word * 8 }
  }

  #fill(held: Pinning['constants']): void {
    for (const { register, place } of held) this.#asm.loadVector(register, place)
  }

  #frame(pinned: Frame['pinned']): Frame {
    return { registers: this.#pinning.others, pinned, slot: (i) => this.#stack.slot(i) }
  }

  /** The loops around the inner one. Outer loops keep their counters among the parameters. */
  #nest(): void {
    const asm = this.#asm
    const [again, rows, axis, next, end] = [asm.label(), asm.label(), asm.label(), asm.label(), asm.label()]
    const loopSize = PARAMETERS.loopHeader + 8 * this.#cursors.length
    const firstLoop = PARAMETERS.operands + this.#cursors.length * PARAMETERS.operandSize
    const [left, loop, count, scratch] = [X9, X10, X11, X12]
    const size: Memory = { base: loop, displacement: 0 }
    const index: Memory = { base: loop, displacement: 8 }
    asm.set(again)
    asm.load(left, { base: PLACE, displacement: PARAMETERS.rows }).store(this.#rowsLeft, left)
    asm.set(rows)
    this.#row()
    for (const { address, blockStep } of this.#cursors) {
      asm.load(X9, address).load(X10, blockStep).add(X9, X9, X10).store(address, X9)
    }
    asm.load(left, this.#rowsLeft).subtractConstant(left, left, 1).store(this.#rowsLeft, left)
    asm.jumpUnlessZero(left, rows)
    // The odometer: the first outer loop that is not at its end steps on; those before it start again.
    asm.load(left, { base: PLACE, displacement: PARAMETERS.outer })
    asm.address(loop, { base: PLACE, displacement: firstLoop })
    asm.set(axis).jumpIfZero(left, end)
    asm.load(count, index).addConstant(count, count, 1).load(scratch, size)
    asm.compare(count, scratch).jumpIf('greaterEqual', next).store(index, count)
    for (const [i, { address }] of this.#cursors.entries()) {
      asm.load(count, { base: loop, displacement: PARAMETERS.loopHeader + 8 * i })
      asm.load(scratch, address).add(scratch, scratch, count).store(address, scratch)
    }
    asm.jump(again)
    asm.set(next).store(index, ZERO).addConstant(loop, loop, loopSize).subtractConstant(left, left, 1).jump(axis)
    asm.set(end)
  }

  /** Puts where an operand's row begins into a register. */
  #rowOf({ operand, row }: { readonly operand: number; readonly row: number }, to: number): void {
    const asm = this.#asm
    asm.load(to, this.#cursors[operand]!.address)
    if (row === 0) return
    asm.load(X10, this.#told(operand, 2)).constant(X11, BigInt(row)).multiply(X10, X10, X11).add(to, to, X10)
  }

  /** What is the same along the rows of a block. */
  #rowValues(): void {
    const asm = this.#asm
    const { before, kept, others, perRow } = this.#pinning
    const to = others[0]!
    for (const splat of this.#body.splats) {
      this.#rowOf(splat, X9)
      asm.spread(to, X9, bytesOf(this.#body.dtypes[splat.operand]!))
      asm.storeVector(before.get(splat.value.virtual) as Memory, to)
    }
    const stores = kept.map(
      ({ value, place }): Step => ({ reads: [value], write: (own, _, [a]) => own.storeVector(place, a!) }),
    )
    writeSteps(asm, [...this.#body.hoistedSteps, ...stores], this.#frame(before))
    this.#fill(perRow)
  }

  /** One block of rows: passes over several vectors, over one, and over the elements that are left. */
  #row(): void {
    const asm = this.#asm
    const { w, pointers } = this.#body
    const frame = this.#frame(this.#pinning.pinned)
    this.#rowValues()
    for (const pointer of pointers) {
      this.#rowOf(pointer, pointer.register ?? X9)
      if (pointer.register === undefined) asm.store(pointer.place, X9)
    }
    asm.load(LEFT, { base: PLACE, displacement: PARAMETERS.inner })
    const passes: readonly (readonly [readonly Step[], number])[] =
      this.#vectors > 1
        ? [
            [this.#whole, this.#vectors],
            [this.#single, 1],
          ]
        : [[this.#whole, 1]]
    for (const [steps, vectors] of passes) {
      const [again, rest] = [asm.label(), asm.label()]
      const elements = vectors * w.lanes
      asm.compareConstant(LEFT, elements).jumpIf('less', rest)
      asm.set(again)
      writeSteps(asm, steps, frame)
      this.#body.advance(asm, vectors)
      asm.subtractConstant(LEFT, LEFT, elements).compareConstant(LEFT, elements).jumpIf('greaterEqual', again)
      asm.set(rest)
    }
    const end = asm.label()
    asm.jumpIfZero(LEFT, end)
    this.#copyRest('in')
    writeSteps(asm, this.#partial, frame)
    this.#copyRest('out')
    asm.set(end)
  }

  /** Copies as many elements as are left to buffers of the stack, or the result from there. */
  #copyRest(direction: 'in' | 'out'): void {
    const asm = this.#asm
    const { pointers, dtypes } = this.#body
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
      if (direction === 'in' && this.#canFault) this.#repeatFirst(buffer, width)
    }
  }

  /** Lanes that do not count get what the first one has, so that none of them has a fault of its own. */
  #repeatFirst(buffer: Memory, width: number): void {
    const asm = this.#asm
    const [copied, count, value] = [X10, X11, X12]
    const again = asm.label()
    asm.load(value, buffer, width).constant(count, BigInt(this.#body.w.lanes)).subtract(count, count, LEFT)
    asm.set(again).storeNext(copied, value, width).subtractConstant(count, count, 1).jumpUnlessZero(count, again)
  }
}

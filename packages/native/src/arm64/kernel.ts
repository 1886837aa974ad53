// A program as one function that runs a whole loop nest on AArch64, told by words of 64 bits. Nothing is read or written
// beyond a row: its last elements go over the stack.
import { canFault, WIDE_PARAMETERS as PARAMETERS, type Program, type Signature } from 'bcast/kernels'
import { writeSteps } from './allocation.ts'
import { Assembler } from './assembler.ts'
import { Body } from './body.ts'
import { fill, frameOf, LEFT, PLACE, type RowPlace, toldOf, type Writing } from './context.ts'
import { StackFrame } from './frame.ts'
import { writeFunction } from './function.ts'
import { FAULT } from './lanes.ts'
import { writeOdometer } from './nest.ts'
import { type Pinning, pin } from './pinning.ts'
import { type Memory, X0, X9, X10, ZERO } from './registers.ts'
import { beginRows, copyRest } from './row.ts'
import type { Step } from './steps.ts'

export interface KernelOptions {
  /** The address that the place of the parameters counts from. */
  readonly base: bigint
  /** Whether results go past the caches, because nobody reads them soon. */
  readonly streams: boolean
}

/** What of an operand lies on the stack: the address of a block of rows, and the step to the next block. */
interface Cursor {
  readonly address: Memory
  readonly blockStep: Memory
}

/** The machine code of `int run(uint32_t parameters)`. Throws Unsupported where a program has none. */
export function compileKernel(program: Program, signature: Signature, options: KernelOptions): Uint8Array {
  return new KernelWriter(program, signature, options).write()
}

class KernelWriter implements Writing {
  readonly asm = new Assembler()
  readonly stack = new StackFrame()
  readonly body: Body
  readonly pinning: Pinning
  readonly #base: bigint
  readonly #canFault: boolean
  /** Vectors of a row that a whole pass computes, which hides the cost of the loop. */
  readonly #vectors: number
  readonly #whole: readonly Step[]
  readonly #single: readonly Step[]
  readonly #partial: readonly Step[]
  readonly #cursors: readonly Cursor[]
  /** Where rows begin, and how far apart those of a block are. */
  readonly #rows: readonly RowPlace[]
  readonly #rowsLeft: Memory

  constructor(program: Program, signature: Signature, { base, streams }: KernelOptions) {
    const { length } = program.code
    const { stack } = this
    this.#base = base
    this.#canFault = canFault(program)
    this.body = new Body(program, signature, { streams }, stack)
    // What goes past the caches goes in pairs.
    this.#vectors = signature.rows > 1 || length > 24 ? (streams ? 2 : 1) : length > 8 ? 2 : 4
    this.#whole = this.body.steps('whole', this.#vectors)
    this.#single = this.body.steps('whole', 1)
    this.#partial = this.body.steps('partial', 1)
    this.pinning = pin(this.asm, this.body, [this.#whole, this.#single, this.#partial], stack)
    this.#cursors = this.body.dtypes.map(() => ({ address: stack.room(8), blockStep: stack.room(8) }))
    this.#rows = this.#cursors.map(({ address }, i) => ({ address, rowStep: toldOf(i, 2) }))
    this.#rowsLeft = stack.room(8)
  }

  write(): Uint8Array {
    const { asm } = this
    return writeFunction(asm, this.#base, () => {
      asm.move(FAULT, ZERO)
      for (const [i, { address, blockStep }] of this.#cursors.entries()) {
        asm.load(X9, toldOf(i, 0)).store(address, X9)
        asm.load(X9, toldOf(i, 2)).constant(X10, BigInt(this.body.signature.rows))
        asm.multiply(X9, X9, X10).store(blockStep, X9)
      }
      fill(this, this.pinning.constants)
      this.#nest()
      asm.move(X0, FAULT)
    })
  }

  /** The loops around the inner one. */
  #nest(): void {
    const { asm } = this
    const [again, rows] = [asm.label(), asm.label()]
    const left = X9
    asm.set(again)
    asm.load(left, { base: PLACE, displacement: PARAMETERS.rows }).store(this.#rowsLeft, left)
    asm.set(rows)
    this.#row()
    for (const { address, blockStep } of this.#cursors) {
      asm.load(X9, address).load(X10, blockStep).add(X9, X9, X10).store(address, X9)
    }
    asm.load(left, this.#rowsLeft).subtractConstant(left, left, 1).store(this.#rowsLeft, left)
    asm.jumpUnlessZero(left, rows)
    const addresses = this.#cursors.map(({ address }) => address)
    writeOdometer(asm, addresses, again)
  }

  /** One block of rows: passes over several vectors, over one, and over the elements that are left. */
  #row(): void {
    const { asm, body } = this
    const { w } = body
    const frame = frameOf(this, this.pinning.pinned)
    beginRows(this, this.#rows)
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
      body.advance(asm, elements)
      asm.subtractConstant(LEFT, LEFT, elements).compareConstant(LEFT, elements).jumpIf('greaterEqual', again)
      asm.set(rest)
    }
    const end = asm.label()
    asm.jumpIfZero(LEFT, end)
    copyRest(this, 'in', this.#canFault)
    writeSteps(asm, this.#partial, frame)
    copyRest(this, 'out', false)
    asm.set(end)
  }
}

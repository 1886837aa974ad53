// A program as one function that runs a whole loop nest, told by the words that kernels of WebAssembly are told by. Nothing
// is read or written beyond a row: its last elements go through masks, or over the stack where there are none.
import { WIDE_PARAMETERS as PARAMETERS, type Program, type Signature } from 'bcast/kernels'
import { writeSteps } from './allocation.ts'
import { Body } from './body.ts'
import { AT } from './elements.ts'
import { StackFrame } from './frame.ts'
import { LoopWriter } from './loops.ts'
import { TOLD, writeNest, writeRows } from './nest.ts'
import { RAX, RDX } from './registers.ts'
import type { Step } from './steps.ts'
import { bytesOf, type Level } from './vectors.ts'

export interface KernelOptions {
  readonly level: Level
  /** The address that the parameters' own counts from. */
  readonly base: bigint
  /** Whether results go past the caches, because nobody reads them soon. */
  readonly streams: boolean
}

/** Elements of the row that are left. */
const LEFT: number = RDX

/** The machine code of `int run(uint32_t parameters)`. Throws Unsupported where a program has none. */
export function compileKernel(program: Program, signature: Signature, options: KernelOptions): Uint8Array {
  const { level, streams, base } = options
  const { length } = program.code
  const stack = new StackFrame()
  const body = new Body(program, signature, level, streams, stack)
  const vectors = signature.rows > 1 || length > 24 ? 1 : length > 8 ? 2 : 4
  return new KernelWriter(body, stack, vectors).write(base)
}

class KernelWriter extends LoopWriter {
  readonly #streams: boolean
  /** Vectors of a row that a whole pass computes, which hides the cost of the loop. */
  readonly #vectors: number
  readonly #whole: readonly Step[]
  readonly #partial: readonly Step[]

  constructor(body: Body, stack: StackFrame, vectors: number) {
    const whole = body.steps('whole', vectors)
    const partial = body.steps('partial', 1)
    super(body, stack, [whole, partial], { operands: body.dtypes.length, carried: 0 })
    this.#streams = body.streams
    this.#vectors = vectors
    this.#whole = whole
    this.#partial = partial
  }

  write(base: bigint): Uint8Array {
    const { asm, cursors, rowsLeft } = this
    return this.function(base, this.elements.signature.rows, () => {
      writeNest(asm, cursors, () => writeRows(asm, cursors, rowsLeft, () => this.#row()))
      if (this.#streams) asm.fence()
    })
  }

  /** One block of rows: whole passes, and partial ones for what is left, or until streaming stores are aligned. */
  #row(): void {
    const asm = this.asm
    const { w, pointers, dtypes } = this.elements
    const frame = this.frame(this.pinning.pinned)
    this.rowValues()
    for (const pointer of pointers) {
      this.rowOf(pointer)
      asm.store(pointer.place, RAX)
      if (pointer.register !== undefined) asm.move(pointer.register, RAX)
    }
    asm.clear(AT).move(LEFT, { base: TOLD, displacement: PARAMETERS.inner })
    const [check, partial, whole, rest, end] = [asm.label(), asm.label(), asm.label(), asm.label(), asm.label()]
    const elements = this.#vectors * w.lanes
    if (this.#streams) {
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
    asm.set(partial).store(this.counted, RAX)
    if (w.isWide) this.countLanes()
    else this.copyRest('in')
    writeSteps(asm, this.#partial, frame)
    if (!w.isWide) this.copyRest('out')
    asm.move(RAX, this.counted).add(AT, RAX).subtract(LEFT, RAX).jump(check)
    asm.set(end)
  }
}

// One block of rows: what is the same along it, whole passes, passes of one vector, and a partial one for what is left, or
// until streaming stores are aligned. Nothing is read or written beyond a row: its last elements go through masks, or over
// the stack where there are none.
import { writeSteps } from './allocation.ts'
import { type Context, frameOf, LEFT } from './context.ts'
import { AT } from './elements.ts'
import { type Memory, RAX } from './registers.ts'
import { copyRest, countLanes, type RowPlace, rowOf, writeStill } from './row-parts.ts'
import type { Step } from './steps.ts'
import { bytesOf } from './vectors.ts'

/** Writes the code of a block of rows, which has as many elements as `inner` says. */
export function writeRow(context: Context, places: readonly RowPlace[], inner: Memory): void {
  new RowWriter(context, places).write(inner)
}

class RowWriter {
  readonly #context: Context
  readonly #places: readonly RowPlace[]
  readonly #told: Memory
  readonly #at: Memory

  constructor(context: Context, places: readonly RowPlace[]) {
    this.#context = context
    this.#places = places
    this.#told = context.stack.room(8)
    this.#at = context.stack.room(8)
  }

  write(inner: Memory): void {
    const { asm, body, pinning, passes } = this.#context
    const { w, pointers, dtypes, streams } = body
    const { vectors, whole, single, partial } = passes
    const frame = frameOf(this.#context, pinning.pinned)
    writeStill(this.#context, this.#places)
    for (const pointer of pointers) {
      const { register = RAX } = pointer
      rowOf(asm, register, this.#places, pointer)
      if (pointer.register === undefined || pointer.buffer !== undefined) asm.store(pointer.place, register)
    }
    asm.clear(AT).move(LEFT, inner)
    const [check, some, one, rest, end] = [asm.label(), asm.label(), asm.label(), asm.label(), asm.label()]
    if (streams) {
      const width = bytesOf(dtypes.at(-1)!)
      asm
        .move(RAX, pointers.at(-1)!.register ?? pointers.at(-1)!.place)
        .negate(RAX)
        .andConstant(RAX, w.bits(width) / 8 - 1)
      if (width > 1) asm.shiftRight(RAX, Math.log2(width))
      asm.compareConstant(RAX, 0).jumpIf('equal', check)
      asm.compare(LEFT, RAX).moveIf('less', RAX, LEFT).jump(some)
    }
    asm.set(check)
    this.#repeat(whole, vectors * w.lanes, one)
    asm.set(one)
    if (single !== undefined) this.#repeat(single, w.lanes, rest)
    asm.set(rest).move(RAX, LEFT).compareConstant(RAX, 0).jumpIf('lessEqual', end)
    asm.set(some).store(w.counted, RAX)
    if (w.isWide) countLanes(this.#context, this.#told)
    else copyRest(this.#context, this.#told, this.#at, 'in')
    writeSteps(asm, partial, frame)
    if (!w.isWide) copyRest(this.#context, this.#told, this.#at, 'out')
    asm.move(RAX, w.counted).add(AT, RAX).subtract(LEFT, RAX)
    // Elements before the first aligned one leave others behind them.
    if (streams) asm.jumpIf('notEqual', check)
    asm.set(end)
  }

  /** Passes of so many elements as long as there are as many; goes to `short` where there are fewer from the first on. */
  #repeat(steps: readonly Step[], elements: number, short: ReturnType<Context['asm']['label']>): void {
    const { asm, pinning } = this.#context
    const again = asm.label()
    asm.compareConstant(LEFT, elements).jumpIf('less', short)
    asm.set(again)
    writeSteps(asm, steps, frameOf(this.#context, pinning.pinned))
    asm.addConstant(AT, elements).subtractConstant(LEFT, elements)
    asm.compareConstant(LEFT, elements).jumpIf('greaterEqual', again)
  }
}

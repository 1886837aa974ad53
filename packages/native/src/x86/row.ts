// One block of rows: what is the same along it, whole passes, passes of one vector, and a partial one for what is left, or
// until streaming stores are aligned. Nothing is read or written beyond a row: its last elements go through masks, or over
// the stack where there are none.
import { writeSteps } from './allocation.ts'
import { AT, COUNTED } from './body.ts'
import { type Context, fill, frameOf, LEFT, TOLD } from './context.ts'
import { type Memory, RAX, RCX, RDI, RSI } from './registers.ts'
import { readsOf, type Step } from './steps.ts'
import { bytesOf } from './vectors.ts'

const BROADCASTS = { 1: 'b', 2: 'w', 4: 'd', 8: 'q' } as const

/** Where the rows of an operand begin, and the step between them. */
export interface RowPlace {
  readonly address: Memory
  readonly rowStep: Memory
}

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

  /** Puts where an operand's row begins into a register. */
  #rowOf(register: number, { operand, row }: { readonly operand: number; readonly row: number }): void {
    const { asm } = this.#context
    const { address, rowStep } = this.#places[operand]!
    if (row === 0) asm.move(register, address)
    else asm.times(register, rowStep, row).add(register, address)
  }

  /** What is the same along the rows of a block. */
  #still(): void {
    const { asm, body, pinning } = this.#context
    const { before, kept, others, perRow } = pinning
    const frame = frameOf(this.#context, before)
    const { bits } = frame
    const again = new Set(body.hoistedSteps.flatMap((step) => readsOf(step).map(({ virtual }) => virtual)))
    const direct = new Map(perRow.map(({ virtual, register }) => [virtual, register] as const))
    const there = new Set<number>()
    for (const splat of body.splats) {
      const { virtual } = splat.value
      this.#rowOf(RAX, splat)
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
      this.#context,
      perRow.filter(({ virtual }) => !there.has(virtual)),
    )
  }

  write(inner: Memory): void {
    const { asm, body, pinning, passes } = this.#context
    const { w, pointers, dtypes, streams } = body
    const { vectors, whole, single, partial } = passes
    const frame = frameOf(this.#context, pinning.pinned)
    this.#still()
    for (const pointer of pointers) {
      const { register = RAX } = pointer
      this.#rowOf(register, pointer)
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
    if (w.isWide) this.#countLanes()
    else this.#copyRest('in')
    writeSteps(asm, partial, frame)
    if (!w.isWide) this.#copyRest('out')
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

  /** Sets the masks to as many lanes as RAX says. */
  #countLanes(): void {
    const { asm, body } = this.#context
    const [first, second] = COUNTED
    asm.store(this.#told, TOLD).constant(TOLD, -1n).lowBits(TOLD, TOLD, RAX).mask(first, TOLD).move(TOLD, this.#told)
    // Only elements of eight bytes take a second register.
    if (body.w.parts(8) > 1) asm.shiftMask(second, first, 8)
  }

  /** Copies as many elements as are counted to buffers of the stack, or the result from there. */
  #copyRest(direction: 'in' | 'out'): void {
    const { asm, body } = this.#context
    const { pointers, dtypes, w } = body
    const result = dtypes.length - 1
    asm.store(this.#told, TOLD).store(this.#at, AT)
    for (const { operand, place, buffer } of pointers) {
      if ((operand === result) !== (direction === 'out')) continue
      const width = bytesOf(dtypes[operand]!)
      const [elements, copied] = direction === 'in' ? [RSI, RDI] : [RDI, RSI]
      asm.move(AT, this.#at).move(elements, place)
      asm.address(elements, { base: elements, index: AT, scale: width as 1 | 2 | 4 | 8 })
      asm.address(copied, buffer!).times(RCX, w.counted, width).copyBytes()
    }
    asm.move(AT, this.#at).move(TOLD, this.#told)
    const taken = pointers.find(({ register }) => register === RSI)
    if (taken !== undefined) asm.move(RSI, taken.place)
  }
}

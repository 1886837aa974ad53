// Rows: what is the same along one, whole passes, passes of one vector, and a partial one for what is left, or until
// streaming stores are aligned. Nothing is read or written beyond a row: its last elements go through masks, or over the
// stack where there are none.
import { writeSteps } from './allocation.ts'
import { AT, COUNTED, type Pointer, type Splat } from './body.ts'
import { type Context, fill, frameOf, LEFT, type RowPlace, TOLD } from './context.ts'
import { type Memory, RAX, RCX, RDI, RSI } from './registers.ts'
import { readsOf, type Step } from './steps.ts'
import { bytesOf } from './vectors.ts'

const BROADCASTS = { 1: 'b', 2: 'w', 4: 'd', 8: 'q' } as const

/**
 * Writes the code of as many blocks of rows as `count` says, which has none left behind them, of as many elements as
 * `inner` says. Addresses step on.
 */
export function writeRows(context: Context, places: readonly RowPlace[], count: Memory, inner: Memory): void {
  new RowWriter(context, places, inner).write(count)
}

/** Says how many elements are left at the end of each row, where that is known before: where stores need not be aligned. */
export function writeCounts(context: Context, inner: Memory): void {
  const { asm, body } = context
  const { streams, w } = body
  if (streams) return
  asm
    .move(RAX, inner)
    .andConstant(RAX, w.lanes - 1)
    .store(w.counted, RAX)
  if (w.isWide) countLanes(context)
}

/** Sets the masks to as many lanes as RAX says, which is below 64, and takes RAX. */
function countLanes({ asm, body }: Context): void {
  const [first, second] = COUNTED
  asm.lowBits(RAX, asm.literal(new Uint8Array(8).fill(255)), RAX).mask(first, RAX)
  // Only elements of eight bytes take a second register.
  if (body.w.parts(8) > 1) asm.shiftMask(second, first, 8)
}

class RowWriter {
  readonly #context: Context
  readonly #places: readonly RowPlace[]
  readonly #inner: Memory
  readonly #told: Memory
  readonly #at: Memory
  readonly #kept: Memory
  /** Whether every operand has a register that holds its address from row to row. */
  readonly #isHeld: boolean

  constructor(context: Context, places: readonly RowPlace[], inner: Memory) {
    const { stack, body } = context
    this.#context = context
    this.#places = places
    this.#inner = inner
    this.#told = stack.room(8)
    this.#at = stack.room(8)
    this.#kept = stack.room(8)
    this.#isHeld =
      body.signature.rows === 1 && [...body.pointers, ...body.splats].every(({ register }) => register !== undefined)
  }

  write(count: Memory): void {
    const { asm, body } = this.#context
    const held = this.#isHeld ? [...body.pointers, ...body.splats] : []
    for (const { operand, register } of held) asm.move(register!, this.#places[operand]!.address)
    const again = asm.label()
    asm.set(again)
    this.#row()
    if (this.#isHeld) for (const { operand, register } of held) asm.add(register!, this.#places[operand]!.rowStep)
    else for (const { address, blockStep } of this.#places) asm.move(RAX, blockStep).addTo(address, RAX)
    asm.subtractConstant(count, 1).jumpIf('notEqual', again)
    for (const { operand, register } of held) asm.store(this.#places[operand]!.address, register!)
  }

  /** Puts where an operand's row begins into a register. */
  #rowOf(register: number, { operand, row }: Pointer | Splat): void {
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
      const base = this.#isHeld ? splat.register! : RAX
      if (!this.#isHeld) this.#rowOf(RAX, splat)
      const width = bytesOf(body.dtypes[splat.operand]!) as 1 | 2 | 4 | 8
      // What only the row reads goes straight to its register.
      const own = again.has(virtual) ? undefined : direct.get(virtual)
      const to = own ?? others[0]!
      asm.vector(`vpbroadcast${BROADCASTS[width]}`, { bits, to, operand: { base } })
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

  #row(): void {
    const { asm, body, pinning, passes } = this.#context
    const { w, pointers, dtypes, streams } = body
    const { vectors, whole, single, partial } = passes
    this.#still()
    if (!this.#isHeld) {
      for (const pointer of pointers) {
        const { register = RAX } = pointer
        this.#rowOf(register, pointer)
        if (pointer.register === undefined) asm.store(pointer.place, register)
      }
    }
    asm.clear(AT).move(LEFT, this.#inner)
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
    asm.set(rest).compareConstant(LEFT, 0).jumpIf('lessEqual', end)
    if (streams) {
      asm.move(RAX, LEFT).set(some).store(w.counted, RAX)
      if (w.isWide) countLanes(this.#context)
    }
    if (!w.isWide) this.#copyRest('in')
    writeSteps(asm, partial, frameOf(this.#context, pinning.pinned))
    if (!w.isWide) this.#copyRest('out')
    // Elements before the first aligned one leave others behind them.
    if (streams) asm.move(RAX, w.counted).add(AT, RAX).subtract(LEFT, RAX).jumpIf('notEqual', check)
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

  /** Copies as many elements as are counted to buffers of the stack, or the result from there. */
  #copyRest(direction: 'in' | 'out'): void {
    const { asm, body } = this.#context
    const { pointers, dtypes, w } = body
    const result = dtypes.length - 1
    // Copying takes registers whose values are kept meanwhile.
    const kept = this.#kept
    asm.store(this.#told, TOLD).store(this.#at, AT).store(kept, RSI)
    for (const { operand, register, place, buffer } of pointers) {
      if (buffer === undefined || (operand === result) !== (direction === 'out')) continue
      const width = bytesOf(dtypes[operand]!)
      const [elements, copied] = direction === 'in' ? [RSI, RDI] : [RDI, RSI]
      asm.move(AT, this.#at).move(elements, register === undefined ? place : register === RSI ? kept : register)
      asm.address(elements, { base: elements, index: AT, scale: width as 1 | 2 | 4 | 8 })
      asm.address(copied, buffer).times(RCX, w.counted, width)
      this.#copyBytes(width, w.lanes * width)
    }
    asm.move(AT, this.#at).move(TOLD, this.#told).move(RSI, kept)
  }

  /** Copies RCX bytes, fewer than `most`, from RSI to RDI, of elements of a width: as the bits of their number say. */
  #copyBytes(width: number, most: number): void {
    const { asm, pinning } = this.#context
    const vector = pinning.others[0]!
    for (let bytes = most / 2; bytes >= width; bytes /= 2) {
      const next = asm.label()
      asm.testConstant(RCX, bytes).jumpIf('equal', next)
      if (bytes >= 16) {
        const bits = (8 * bytes) as 128 | 256
        asm.vector('vmovdqu', { bits, to: vector, operand: { base: RSI } })
        asm.vector('vmovdquStore', { bits, to: vector, operand: { base: RDI } })
      } else asm.moveElement(bytes, RAX, { base: RSI }).storeElement(bytes, { base: RDI }, RAX)
      asm.addConstant(RSI, bytes).addConstant(RDI, bytes).set(next)
    }
  }
}

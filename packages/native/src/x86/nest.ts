// The loops around the inner one. Where operands are packed, rows go in groups and their elements in chunks, so that what
// is packed stays in the nearest cache.
import { WIDE_PARAMETERS as PARAMETERS } from 'bcast/kernels'
import { type Context, fill, type RowPlace, TOLD } from './context.ts'
import { type Packing, pack } from './packing.ts'
import { type Memory, RAX, RCX, RDX, RSI } from './registers.ts'
import { writeCounts, writeRows } from './row.ts'
import { bytesOf } from './vectors.ts'

export function writeNest(context: Context, packing: Packing | undefined): void {
  const { asm, cursors, stack, rowsTold } = context
  const again = asm.label()
  const rowsLeft = stack.room(8)
  if (packing === undefined) writeCounts(context, { base: TOLD, displacement: PARAMETERS.inner })
  asm.set(again).times(RAX, { base: TOLD, displacement: PARAMETERS.rows }, rowsTold).store(rowsLeft, RAX)
  if (packing === undefined) {
    writeRows(context, cursors, rowsLeft, { base: TOLD, displacement: PARAMETERS.inner })
  } else new Groups(context, packing, rowsLeft).write()
  writeOdometer(context, again)
}

/** The first outer loop that is not at its end steps on; those before it start again. They count among the parameters. */
export function writeOdometer(
  { asm, cursors }: Pick<Context, 'asm' | 'cursors'>,
  again: ReturnType<Context['asm']['label']>,
): void {
  const [axis, next, end] = [asm.label(), asm.label(), asm.label()]
  const loopSize = PARAMETERS.loopHeader + 8 * cursors.length
  const firstLoop = PARAMETERS.operands + cursors.length * PARAMETERS.operandSize
  asm.move(RCX, { base: TOLD, displacement: PARAMETERS.outer })
  asm.address(RSI, { base: TOLD, displacement: firstLoop })
  asm.set(axis).compareConstant(RCX, 0).jumpIf('equal', end)
  asm.move(RAX, { base: RSI, displacement: 8 }).addConstant(RAX, 1)
  asm.move(RDX, { base: RSI }).compare(RAX, RDX).jumpIf('greaterEqual', next)
  asm.store({ base: RSI, displacement: 8 }, RAX)
  for (const [i, { address }] of cursors.entries()) {
    asm.move(RAX, { base: RSI, displacement: PARAMETERS.loopHeader + 8 * i }).addTo(address, RAX)
  }
  asm.jump(again)
  asm.set(next).clear(RAX).store({ base: RSI, displacement: 8 }, RAX)
  asm.addConstant(RSI, loopSize).subtractConstant(RCX, 1).jump(axis)
  asm.set(end)
}

/** Rows in groups, elements in chunks. */
class Groups {
  readonly #context: Context
  readonly #packing: Packing
  readonly #rowsLeft: Memory
  readonly #group: Memory
  readonly #done: Memory
  readonly #chunk: Memory
  readonly #rows: Memory
  /** Where the rows of the chunk begin, and how they step. */
  readonly #places: readonly RowPlace[]

  constructor(context: Context, packing: Packing, rowsLeft: Memory) {
    const { stack, cursors } = context
    this.#context = context
    this.#packing = packing
    this.#rowsLeft = rowsLeft
    this.#group = stack.room(8)
    this.#done = stack.room(8)
    this.#chunk = stack.room(8)
    this.#rows = stack.room(8)
    this.#places = cursors.map((cursor, i) => {
      const rowStep = packing.packed.find(({ operand }) => operand === i)?.rowStep ?? cursor.rowStep
      return { address: stack.room(8), rowStep, blockStep: rowStep }
    })
  }

  /** The smaller of what is left and a bound, put where it is asked for. */
  #least(bound: Memory, place: Memory): void {
    this.#context.asm.move(RCX, bound).compare(RAX, RCX).moveIf('greater', RAX, RCX).store(place, RAX)
  }

  write(): void {
    const { asm, cursors } = this.#context
    const { packed, rows, columns } = this.#packing
    const inner: Memory = { base: TOLD, displacement: PARAMETERS.inner }
    const [groups, chunks] = [asm.label(), asm.label()]
    asm.set(groups).move(RAX, this.#rowsLeft)
    this.#least(rows, this.#group)
    asm.clear(RAX).store(this.#done, RAX)
    asm.set(chunks).move(RAX, inner).subtract(RAX, this.#done)
    this.#least(columns, this.#chunk)
    const portion = { group: this.#group, done: this.#done, chunk: this.#chunk }
    for (const one of packed) pack(this.#context, this.#packing, one, portion)
    this.#begin()
    // Packing takes registers of its own.
    fill(this.#context, this.#context.pinning.constants)
    writeCounts(this.#context, this.#chunk)
    asm.move(RAX, this.#group).store(this.#rows, RAX)
    writeRows(this.#context, this.#places, this.#rows, this.#chunk)
    asm.move(RAX, this.#done).add(RAX, this.#chunk).store(this.#done, RAX)
    asm.compare(RAX, inner).jumpIf('less', chunks)
    for (const { address, rowStep } of cursors) asm.move(RAX, rowStep).multiply(RAX, this.#group).addTo(address, RAX)
    asm.move(RAX, this.#group).move(RCX, this.#rowsLeft).subtract(RCX, RAX).store(this.#rowsLeft, RCX)
    asm.compareConstant(RCX, 0).jumpIf('notEqual', groups)
  }

  /** Where the first row of the chunk begins. */
  #begin(): void {
    const { asm, body, cursors } = this.#context
    for (const [i, { address }] of cursors.entries()) {
      const own = this.#packing.packed.find(({ operand }) => operand === i)
      if (own !== undefined) asm.address(RAX, own.buffer)
      else if (body.signature.motions[i] === 'splat') asm.move(RAX, address)
      else asm.times(RAX, this.#done, bytesOf(body.dtypes[i]!)).add(RAX, address)
      asm.store(this.#places[i]!.address, RAX)
    }
  }
}

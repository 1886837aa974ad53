// Operands with a stride on the inner axis, packed into rows one element behind the other before they are read. One whose
// columns lie as rows should (x + y.T) is turned over its diagonal block by block in registers, so that each line of it is
// read once.
import { WIDE_PARAMETERS as PARAMETERS } from 'bcast/kernels'
import type { Assembler, Label, Operand } from './assembler.ts'
import { type Context, TOLD } from './context.ts'
import type { StackFrame } from './frame.ts'
import { type Memory, R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBX, RCX, RDX, RSI } from './registers.ts'

/** Bytes that packed rows take together: they stay in the nearest cache. */
const ROOM = 1 << 15
/** Rows of a group and elements of a chunk where an operand lies across: lines are used up, pages stay known. */
const ACROSS = { rows: 128, columns: 64 }
/** Elements of a chunk elsewhere, where rows go one by one: more would keep memory waiting for what is computed. */
const ALONG = 512
/** Bytes ahead that memory is asked for meanwhile: while what was packed is computed with, the processor foresees nothing. */
const AHEAD = 3072

export interface Packed {
  readonly operand: number
  readonly width: 1 | 2 | 4 | 8
  readonly buffer: Memory
  /** Bytes from a packed row to the next: none where all rows are one. */
  readonly rowStep: Memory
}

export interface Packing {
  readonly packed: readonly Packed[]
  /** Rows of a group and elements of a chunk: where something lies across, and as they are in this call. */
  readonly across: { readonly rows: number; readonly columns: number }
  readonly rows: Memory
  readonly columns: Memory
}

/** Where operands of so many bytes an element are packed. */
export function packingOf(
  operands: readonly { readonly operand: number; readonly width: number }[],
  stack: StackFrame,
): Packing {
  const bytes = operands.reduce((sum, { width }) => sum + width, 0)
  let { rows, columns } = ACROSS
  while (columns > 8 && rows * columns * bytes > ROOM) columns /= 2
  while (rows > 16 && rows * columns * bytes > ROOM) rows /= 2
  const packed = operands.map(({ operand, width }) => ({
    operand,
    width: width as Packed['width'],
    buffer: stack.room(rows * columns * width),
    rowStep: stack.room(8),
  }))
  return { packed, across: { rows, columns }, rows: stack.room(8), columns: stack.room(8) }
}

/** Says how rows are packed, before any loop. */
export function writePackedSteps({ asm, cursors }: Context, { packed, across, rows, columns }: Packing): void {
  const { rows: tall, columns: narrow } = across
  asm
    .number(RAX, 1)
    .number(RCX, Math.min(ALONG, tall * narrow))
    .number(RSI, tall)
    .number(R8, narrow)
  for (const { operand, width } of packed) {
    asm.move(RDX, cursors[operand]!.rowStep)
    asm.compareConstant(RDX, width).moveIf('equal', RAX, RSI).moveIf('equal', RCX, R8)
  }
  asm.store(rows, RAX).store(columns, RCX)
  for (const { operand, width, rowStep } of packed) {
    asm.clear(RSI).times(RAX, RCX, width).move(RDX, cursors[operand]!.rowStep)
    asm.compareConstant(RDX, 0).moveIf('equal', RAX, RSI).store(rowStep, RAX)
  }
}

/** Registers while an operand is packed. */
const [SOURCE, TARGET, STEP, THREE, COUNT] = [RSI, R8, R9, R10, RCX]
const [FIRST, ROW_STEP, ROWS_LEFT, COLUMNS_LEFT, BUFFER, STRIPE, STRIPE_BUFFER] = [RBX, R12, R13, R14, R15, R11, RDX]

/** The part of an operand that is packed: rows of the group, and elements of a row before the chunk and in it. */
export interface Portion {
  readonly group: Memory
  readonly done: Memory
  readonly chunk: Memory
}

/** Packs the elements of a chunk of a group's rows. */
export function pack({ asm, cursors }: Context, { across }: Packing, packed: Packed, portion: Portion): void {
  const { operand, width, buffer, rowStep: pitch } = packed
  const { address, rowStep } = cursors[operand]!
  const { group, done, chunk } = portion
  const [plain, end] = [asm.label(), asm.label()]
  asm.move(STEP, { base: TOLD, displacement: PARAMETERS.operands + operand * PARAMETERS.operandSize + 8 })
  asm.address(THREE, { base: STEP, index: STEP, scale: 2 })
  const begin = (): void => {
    asm.move(FIRST, done).multiply(FIRST, STEP).add(FIRST, address)
    asm.move(ROWS_LEFT, group).address(BUFFER, buffer)
  }
  begin()
  asm.move(ROW_STEP, rowStep)
  if (width >= 4) {
    const side = 32 / width
    asm.compareConstant(ROW_STEP, width).jumpIf('notEqual', plain)
    asm.compareConstant(ROWS_LEFT, side).jumpIf('less', plain)
    writeTurned(asm, width as 4 | 8, pitch, across.columns * width, portion)
    // Rows that are left go as rows do.
    begin()
    asm
      .move(RAX, ROWS_LEFT)
      .andConstant(ROWS_LEFT, side - 1)
      .subtract(RAX, ROWS_LEFT)
    asm.address(FIRST, { base: FIRST, index: RAX, scale: width as 4 | 8 })
    asm.times(RAX, RAX, across.columns * width).add(BUFFER, RAX)
    asm.compareConstant(ROWS_LEFT, 0).jumpIf('equal', end)
  }
  asm.set(plain)
  // All rows are one where they do not step.
  asm.number(RAX, 1).compareConstant(ROW_STEP, 0).moveIf('equal', ROWS_LEFT, RAX)
  writeLines(asm, width, pitch, chunk)
  asm.set(end)
}

/** As many rows as are left, each of so many elements. */
function writeLines(asm: Assembler, width: Packed['width'], pitch: Memory, count: Operand): void {
  const rows = asm.label()
  asm.set(rows).move(SOURCE, FIRST).move(TARGET, BUFFER).move(COUNT, count)
  writeLine(asm, width)
  asm.add(FIRST, ROW_STEP).add(BUFFER, pitch)
  asm.subtractConstant(ROWS_LEFT, 1).jumpIf('notEqual', rows)
}

/** Elements from SOURCE on, STEP apart, one behind the other from TARGET on; there is one at least. */
function writeLine(asm: Assembler, width: Packed['width']): void {
  const [any, end] = [asm.label(), asm.label()]
  if (width >= 4) writeKnownSteps(asm, width as 4 | 8, any)
  asm.set(any)
  const [four, rest, one] = [asm.label(), asm.label(), asm.label()]
  const sources: Memory[] = [
    { base: SOURCE },
    { base: SOURCE, index: STEP },
    { base: SOURCE, index: STEP, scale: 2 },
    { base: SOURCE, index: THREE },
  ]
  asm.compareConstant(COUNT, 4).jumpIf('less', rest)
  asm.set(four)
  for (const [i, source] of sources.entries()) {
    const register = [RAX, RDX][i % 2]!
    asm.moveElement(width, register, source)
    asm.storeElement(width, { base: TARGET, displacement: i * width }, register)
  }
  asm.address(SOURCE, { base: SOURCE, index: STEP, scale: 4 }).addConstant(TARGET, 4 * width)
  asm.subtractConstant(COUNT, 4).compareConstant(COUNT, 4).jumpIf('greaterEqual', four)
  asm.set(rest).compareConstant(COUNT, 0).jumpIf('equal', end)
  asm.set(one).moveElement(width, RAX, { base: SOURCE }).storeElement(width, { base: TARGET }, RAX)
  asm.add(SOURCE, STEP).addConstant(TARGET, width).subtractConstant(COUNT, 1).jumpIf('notEqual', one)
  asm.set(end)
}

/** The steps that are met most: every other element, and backwards. What is left, one element at least, is any line. */
function writeKnownSteps(asm: Assembler, width: 4 | 8, any: Label): void {
  const count = 32 / width
  const [other, others, backwards, back] = [asm.label(), asm.label(), asm.label(), asm.label()]
  asm.compareConstant(STEP, 2 * width).jumpIf('equal', other)
  asm.compareConstant(STEP, -width).jumpIf('equal', backwards).jump(any)
  const next = (again: Label): void => {
    asm.addConstant(TARGET, 32).subtractConstant(COUNT, count)
    asm.compareConstant(COUNT, count).jumpIf('greater', again)
    asm.jump(any)
  }
  // The element behind the last that is taken is read, too, and there is one, because it is not the last of the line.
  asm.set(other).compareConstant(COUNT, count).jumpIf('lessEqual', any)
  asm.set(others)
  asm.vector('vmovdqu', { bits: 256, to: 0, operand: { base: SOURCE } })
  asm.vector('vmovdqu', { bits: 256, to: 1, operand: { base: SOURCE, displacement: 32 } })
  if (width === 4) asm.vector('vshufps', { bits: 256, to: 0, from: 0, operand: 1, immediate: 0x88 })
  else asm.vector('vunpcklpd', { bits: 256, to: 0, from: 0, operand: 1 })
  asm.vector('vpermpd', { bits: 256, to: 0, operand: 0, immediate: 0xd8 })
  asm.vector('vmovdquStore', { bits: 256, to: 0, operand: { base: TARGET } })
  asm.prefetch({ base: SOURCE, displacement: AHEAD })
  asm.addConstant(SOURCE, 64)
  next(others)
  asm.set(backwards).compareConstant(COUNT, count).jumpIf('lessEqual', any)
  asm.set(back)
  const from = { base: SOURCE, displacement: width - 32 }
  if (width === 4) {
    asm.vector('vpshufd', { bits: 256, to: 0, operand: from, immediate: 0x1b })
    asm.vector('vpermpd', { bits: 256, to: 0, operand: 0, immediate: 0x4e })
  } else asm.vector('vpermpd', { bits: 256, to: 0, operand: from, immediate: 0x1b })
  asm.vector('vmovdquStore', { bits: 256, to: 0, operand: { base: TARGET } })
  asm.prefetch({ base: SOURCE, displacement: -AHEAD })
  asm.addConstant(SOURCE, -32)
  next(back)
}

/**
 * Blocks of as many rows as columns, turned in registers: down some columns, then down the next, so that lines are read
 * one behind the other. Then the columns that are left.
 */
function writeTurned(asm: Assembler, width: 4 | 8, own: Memory, pitch: number, { group, chunk }: Portion): void {
  const side = 32 / width
  const [stripes, blocks, edge, end] = [asm.label(), asm.label(), asm.label(), asm.label()]
  asm.move(STRIPE, FIRST).move(STRIPE_BUFFER, BUFFER).move(COLUMNS_LEFT, chunk)
  asm.compareConstant(COLUMNS_LEFT, side).jumpIf('less', edge)
  asm.set(stripes).move(SOURCE, STRIPE).move(TARGET, STRIPE_BUFFER).move(ROWS_LEFT, group)
  asm.set(blocks)
  turnBlock(asm, width, pitch)
  asm.addConstant(SOURCE, 32).addConstant(TARGET, side * pitch)
  asm.subtractConstant(ROWS_LEFT, side).compareConstant(ROWS_LEFT, side).jumpIf('greaterEqual', blocks)
  asm.address(STRIPE, { base: STRIPE, index: STEP, scale: side as 4 | 8 }).addConstant(STRIPE_BUFFER, 32)
  asm.subtractConstant(COLUMNS_LEFT, side).compareConstant(COLUMNS_LEFT, side).jumpIf('greaterEqual', stripes)
  asm.set(edge).compareConstant(COLUMNS_LEFT, 0).jumpIf('equal', end)
  asm.move(FIRST, STRIPE).move(BUFFER, STRIPE_BUFFER).move(ROWS_LEFT, group).andConstant(ROWS_LEFT, -side)
  writeLines(asm, width, own, COLUMNS_LEFT)
  asm.set(end)
}

/** Turns a block: columns from SOURCE on, STEP apart, to rows from TARGET on. */
function turnBlock(asm: Assembler, width: 4 | 8, pitch: number): void {
  const of = (name: 'vunpcklps' | 'vunpckhps' | 'vunpcklpd' | 'vunpckhpd', to: number, from: number, operand: number) =>
    asm.vector(name, { bits: 256, to, from, operand })
  const placesOf = (base: number): readonly Memory[] => [
    { base },
    { base, index: STEP },
    { base, index: STEP, scale: 2 },
    { base, index: THREE },
  ]
  const load = (first: number, base: number): void => {
    for (const [i, operand] of placesOf(base).entries()) asm.vector('vmovdqu', { bits: 256, to: first + i, operand })
  }
  /** Row `i` from the lower halves of two registers, and a row half a block below from the upper ones. */
  const store = (i: number, low: number, high: number): void => {
    for (const [half, immediate] of [0x20, 0x31].entries()) {
      asm.vector('vperm2f128', { bits: 256, to: 15, from: low, operand: high, immediate })
      const row = i + half * (16 / width)
      asm.vector('vmovdquStore', { bits: 256, to: 15, operand: { base: TARGET, displacement: row * pitch } })
    }
  }
  // The block beside it comes next but for those below: the processor sees no order in columns.
  asm.address(COUNT, { base: SOURCE, index: STEP, scale: (32 / width) as 4 | 8 })
  for (const place of placesOf(COUNT)) asm.prefetch(place)
  if (width === 4) {
    asm.address(COUNT, { base: COUNT, index: STEP, scale: 4 })
    for (const place of placesOf(COUNT)) asm.prefetch(place)
  }
  load(0, SOURCE)
  if (width === 8) {
    of('vunpcklpd', 4, 0, 1)
    of('vunpckhpd', 5, 0, 1)
    of('vunpcklpd', 6, 2, 3)
    of('vunpckhpd', 7, 2, 3)
    store(0, 4, 6)
    store(1, 5, 7)
    return
  }
  asm.address(RAX, { base: SOURCE, index: STEP, scale: 4 })
  load(4, RAX)
  // In each half of four columns: pairs of columns, then pairs of pairs.
  for (const half of [0, 4]) {
    of('vunpcklps', 8, half, half + 1)
    of('vunpckhps', 9, half, half + 1)
    of('vunpcklps', 10, half + 2, half + 3)
    of('vunpckhps', 11, half + 2, half + 3)
    of('vunpcklpd', half, 8, 10)
    of('vunpckhpd', half + 1, 8, 10)
    of('vunpcklpd', half + 2, 9, 11)
    of('vunpckhpd', half + 3, 9, 11)
  }
  for (let i = 0; i < 4; i++) store(i, i, i + 4)
}

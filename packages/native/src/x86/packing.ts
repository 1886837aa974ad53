// Operands with a stride on the inner axis, packed into rows one element behind the other before they are read. One whose
// columns lie as rows should (x + y.T) is turned over its diagonal block by block in registers, so that each line of it is
// read once.
import { WIDE_PARAMETERS as PARAMETERS } from 'bcast/kernels'
import type { Assembler, Label } from './assembler.ts'
import { type Context, TOLD } from './context.ts'
import type { StackFrame } from './frame.ts'
import { type Memory, R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBX, RCX, RDX, RSI } from './registers.ts'

/** Bytes that packed rows take together: they stay in the nearest cache. */
const ROOM = 1 << 15
/** Rows of a group, and elements of a chunk, where there is room. */
const ROWS = 16
const COLUMNS = 256

export interface Packed {
  readonly operand: number
  readonly width: 1 | 2 | 4 | 8
  readonly buffer: Memory
  /** Bytes from a packed row to the next: none where all rows are one. */
  readonly rowStep: Memory
}

export interface Packing {
  readonly packed: readonly Packed[]
  /** Rows of a group, elements of a chunk. */
  readonly rows: number
  readonly columns: number
}

/** Where operands of so many bytes an element are packed. */
export function packingOf(
  operands: readonly { readonly operand: number; readonly width: number }[],
  stack: StackFrame,
): Packing {
  const bytes = operands.reduce((sum, { width }) => sum + width, 0)
  let columns = COLUMNS
  while (columns > 32 && columns * bytes * ROWS > ROOM) columns /= 2
  const packed = operands.map(({ operand, width }) => ({
    operand,
    width: width as Packed['width'],
    buffer: stack.room(ROWS * columns * width),
    rowStep: stack.room(8),
  }))
  return { packed, rows: ROWS, columns }
}

/** Says how packed rows step, before any loop. */
export function writePackedSteps({ asm, cursors }: Context, { packed, columns }: Packing): void {
  for (const { operand, width, rowStep } of packed) {
    asm
      .clear(RCX)
      .number(RAX, columns * width)
      .move(RDX, cursors[operand]!.rowStep)
    asm.compareConstant(RDX, 0).moveIf('equal', RAX, RCX).store(rowStep, RAX)
  }
}

/** Registers while an operand is packed. */
const [SOURCE, TARGET, STEP, THREE, COUNT] = [RSI, R8, R9, R10, RCX]
const [FIRST, ROW_STEP, ROWS_LEFT, COLUMNS_LEFT, BUFFER, AROUND] = [RBX, R12, R13, R14, R15, R11]

/** Packs the elements of a chunk of a group's rows. */
export function pack(
  { asm, cursors }: Context,
  { columns }: Packing,
  { operand, width, buffer }: Packed,
  group: Memory,
  done: Memory,
  chunk: Memory,
): void {
  const { address, rowStep } = cursors[operand]!
  const [plain, end] = [asm.label(), asm.label()]
  const pitch = columns * width
  asm.move(STEP, { base: TOLD, displacement: PARAMETERS.operands + operand * PARAMETERS.operandSize + 8 })
  asm.address(THREE, { base: STEP, index: STEP, scale: 2 })
  asm.move(FIRST, done).multiply(FIRST, STEP).add(FIRST, address)
  asm.move(ROW_STEP, rowStep).move(ROWS_LEFT, group).address(BUFFER, buffer)
  if (width >= 4) {
    asm.compareConstant(ROW_STEP, width).jumpIf('notEqual', plain)
    writeTurned(asm, width as 4 | 8, pitch, chunk, end)
  }
  asm.set(plain)
  // All rows are one where they do not step.
  asm.number(RAX, 1).compareConstant(ROW_STEP, 0).moveIf('equal', ROWS_LEFT, RAX)
  const rows = asm.label()
  asm.set(rows).move(SOURCE, FIRST).move(TARGET, BUFFER).move(COUNT, chunk)
  writeLine(asm, width)
  asm.add(FIRST, ROW_STEP).addConstant(BUFFER, pitch)
  asm.subtractConstant(ROWS_LEFT, 1).jumpIf('notEqual', rows)
  asm.set(end)
}

/** Elements from SOURCE on, STEP apart, one behind the other from TARGET on; there is one at least. */
function writeLine(asm: Assembler, width: 1 | 2 | 4 | 8): void {
  const [four, rest, one, end] = [asm.label(), asm.label(), asm.label(), asm.label()]
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

/** Blocks of as many rows as columns, turned in registers; then the columns that are left, and the rows. */
function writeTurned(asm: Assembler, width: 4 | 8, pitch: number, chunk: Memory, end: Label): void {
  const side = 32 / width
  const [bands, blocks, edge, lines, under, remaining] = [
    asm.label(),
    asm.label(),
    asm.label(),
    asm.label(),
    asm.label(),
    asm.label(),
  ]
  asm.set(bands).compareConstant(ROWS_LEFT, side).jumpIf('less', under)
  asm.move(AROUND, FIRST).move(TARGET, BUFFER).move(COLUMNS_LEFT, chunk)
  asm.compareConstant(COLUMNS_LEFT, side).jumpIf('less', edge)
  asm.set(blocks).move(SOURCE, AROUND)
  turnBlock(asm, width, pitch)
  asm.addConstant(TARGET, 32).subtractConstant(COLUMNS_LEFT, side)
  asm.compareConstant(COLUMNS_LEFT, side).jumpIf('greaterEqual', blocks)
  asm.set(edge).compareConstant(COLUMNS_LEFT, 0).jumpIf('equal', remaining)
  // The columns that are left, row by row.
  asm.number(RDX, side)
  asm.push(BUFFER).push(FIRST).move(BUFFER, TARGET).move(FIRST, AROUND)
  asm.set(lines).push(RDX).move(SOURCE, FIRST).move(TARGET, BUFFER).move(COUNT, COLUMNS_LEFT)
  writeLine(asm, width)
  asm.addConstant(FIRST, width).addConstant(BUFFER, pitch)
  asm.pop(RDX).subtractConstant(RDX, 1).jumpIf('notEqual', lines)
  asm.pop(FIRST).pop(BUFFER)
  asm
    .set(remaining)
    .addConstant(FIRST, 32)
    .addConstant(BUFFER, side * pitch)
  asm.subtractConstant(ROWS_LEFT, side).jump(bands)
  // Rows that are left go as rows do.
  asm.set(under).compareConstant(ROWS_LEFT, 0).jumpIf('equal', end)
}

/** Turns a block: columns from SOURCE on, STEP apart, to rows from TARGET on. Leaves AROUND at the column behind it. */
function turnBlock(asm: Assembler, width: 4 | 8, pitch: number): void {
  const of = (name: 'vunpcklps' | 'vunpckhps' | 'vunpcklpd' | 'vunpckhpd', to: number, from: number, operand: number) =>
    asm.vector(name, { bits: 256, to, from, operand })
  const places: Memory[] = [
    { base: SOURCE },
    { base: SOURCE, index: STEP },
    { base: SOURCE, index: STEP, scale: 2 },
    { base: SOURCE, index: THREE },
  ]
  const load = (first: number): void => {
    for (const [i, operand] of places.entries()) asm.vector('vmovdqu', { bits: 256, to: first + i, operand })
    asm.address(SOURCE, { base: SOURCE, index: STEP, scale: 4 })
  }
  /** Row `i` from the lower halves of two registers, and a row half a block below from the upper ones. */
  const store = (i: number, low: number, high: number): void => {
    for (const [half, immediate] of [0x20, 0x31].entries()) {
      asm.vector('vperm2f128', { bits: 256, to: 15, from: low, operand: high, immediate })
      const row = i + half * (16 / width)
      asm.vector('vmovdquStore', { bits: 256, to: 15, operand: { base: TARGET, displacement: row * pitch } })
    }
  }
  load(0)
  if (width === 8) {
    of('vunpcklpd', 4, 0, 1)
    of('vunpckhpd', 5, 0, 1)
    of('vunpcklpd', 6, 2, 3)
    of('vunpckhpd', 7, 2, 3)
    store(0, 4, 6)
    store(1, 5, 7)
  } else {
    load(4)
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
  asm.move(AROUND, SOURCE)
}

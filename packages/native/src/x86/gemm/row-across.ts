// A row times a matrix whose columns lie side by side: every element is read once, where it lies, and the sums of all
// columns go on a few rows at a time.
import { ROW } from 'bcast/kernels'
import type { Assembler } from '../assembler.ts'
import { type Memory, R8, R9, R10, R11, R12, R13, R14, RAX, RBP, RBX, RDX, RSI } from '../registers.ts'
import type { Tile } from './tile.ts'
import { LAST, maskLanes, maskRegister, told, whileAtLeast } from './writer.ts'

/** Rows of the matrix that are added at once: so many places in memory are read side by side. */
const ROWS = [8, 4, 2, 1]
/** Vectors of columns whose sums go on together. */
const GROUP = 4

/** Writes what a kernel does between its beginning and its end. */
export function writeAcross(asm: Assembler, tile: Tile): void {
  const { bits, bytes, lanes, names, width, isWide } = tile
  const [ROW_AT, ALONG, MATRIX, STEP, THRICE] = [R8, R9, R10, RSI, R11] as const
  const [ABOVE, BELOW, SUMS, LEFT, LENGTH] = [RBX, RBP, R12, R13, R14] as const
  // Registers behind those of factors: of sums, of a product, of a mask.
  const [sums, product, mask] = [8, 8 + GROUP, 9 + GROUP]
  const store = { bits, from: mask }
  const add = (rows: number, v: number): void => {
    const sum = sums + v
    for (let row = 0; row < rows; row++) {
      const displacement = v * bytes
      const base = row < 4 ? ABOVE : BELOW
      const operand: Memory = [
        { base, displacement },
        { base, index: STEP, displacement },
        { base, index: STEP, scale: 2 as const, displacement },
        { base, index: THRICE, displacement },
      ][row % 4]!
      asm.vector(tile.multiply!, { bits, to: product, from: row, operand })
      asm.vector(names.add, { bits, to: sum, from: sum, operand: product })
    }
  }
  /** The last columns, fewer than a vector. */
  const addLast = (rows: number): void => {
    const sum = sums
    const [loadMasked, storeMasked] = isWide
      ? [names.load, names.store]
      : width === 4
        ? (['vpmaskmovd', 'vpmaskmovdStore'] as const)
        : (['vpmaskmovq', 'vpmaskmovqStore'] as const)
    const masked = isWide ? { bits, mask: LAST } : store
    asm.move(RAX, LEFT)
    if (isWide) maskLanes(asm, tile, LAST)
    else maskRegister(asm, tile, mask)
    asm.vector(loadMasked, { ...masked, to: sum, operand: { base: SUMS } })
    for (let row = 0; row < rows; row++) {
      const base = row < 4 ? ABOVE : BELOW
      const operand: Memory = [
        { base },
        { base, index: STEP },
        { base, index: STEP, scale: 2 as const },
        { base, index: THRICE },
      ][row % 4]!
      asm.vector(loadMasked, { ...masked, to: product, operand })
      asm.vector(tile.multiply!, { bits, to: product, from: row, operand: product })
      asm.vector(names.add, { bits, to: sum, from: sum, operand: product })
    }
    asm.vector(storeMasked, { ...masked, to: sum, operand: { base: SUMS } })
  }
  asm.move(ROW_AT, told(ROW.row)).move(ALONG, told(ROW.rowStep)).move(MATRIX, told(ROW.matrix))
  asm.move(STEP, told(ROW.step)).times(THRICE, STEP, 3).move(LENGTH, told(ROW.length))
  // From zero.
  asm.move(RDX, told(ROW.sums)).move(LEFT, told(ROW.columns)).clear(RAX)
  asm.vector(names.clear, { bits, to: product, from: product, operand: product })
  whileAtLeast(asm, LEFT, lanes, () => {
    asm.vector(names.store, { bits, to: product, operand: { base: RDX } }).addConstant(RDX, bytes)
  })
  whileAtLeast(asm, LEFT, 1, () => {
    if (width === 8) asm.store({ base: RDX }, RAX)
    else asm.storeWord({ base: RDX }, RAX)
    asm.addConstant(RDX, width)
  })
  for (const rows of ROWS) {
    whileAtLeast(asm, LENGTH, rows, () => {
      for (let row = 0; row < rows; row++) {
        asm.vector(names.broadcast, { bits, to: row, operand: { base: ROW_AT } }).add(ROW_AT, ALONG)
      }
      asm.move(ABOVE, MATRIX).address(BELOW, { base: ABOVE, index: STEP, scale: 4 })
      asm.move(SUMS, told(ROW.sums)).move(LEFT, told(ROW.columns))
      for (const vectors of [GROUP, 1]) {
        whileAtLeast(asm, LEFT, vectors * lanes, () => {
          for (let v = 0; v < vectors; v++) {
            asm.vector(names.load, { bits, to: sums + v, operand: { base: SUMS, displacement: v * bytes } })
          }
          for (let v = 0; v < vectors; v++) add(rows, v)
          for (let v = 0; v < vectors; v++) {
            asm.vector(names.store, { bits, to: sums + v, operand: { base: SUMS, displacement: v * bytes } })
          }
          for (const register of [SUMS, ABOVE, ...(rows > 4 ? [BELOW] : [])]) {
            asm.addConstant(register, vectors * bytes)
          }
        })
      }
      const none = asm.label()
      asm.compareConstant(LEFT, 0).jumpIf('equal', none)
      addLast(rows)
      asm.set(none).times(RAX, STEP, rows).add(MATRIX, RAX)
    })
  }
}

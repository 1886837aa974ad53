// A row times a matrix whose columns lie side by side: every element is read once, where it lies, and the sums of all
// columns go on a few rows at a time.
import { ROW } from 'bcast/kernels'
import type { Assembler } from '../assembler.ts'
import type { Tile } from './tile.ts'
import { addProducts, at, loadEnd, read, storeEnd, told, whileAtLeast } from './writer.ts'

/** Rows of the matrix that are added at once: so many places in memory are read side by side. */
const ROWS = [8, 4, 2, 1]
/** Vectors of columns whose sums go on together, so that none waits for another. */
const GROUP = 4

/** The row and the next row of the matrix, with steps; sums and columns that are left; rows that are left. */
const [ROW_AT, ALONG, MATRIX, STEP, SUMS, LEFT, LENGTH] = [1, 2, 3, 4, 5, 6, 7] as const
/** A lane of the last vector. */
const LANE = 8
/** Rows that are added. */
const POINTERS = [19, 20, 21, 22, 23, 24, 25, 26] as const

/** Vector registers behind those of factors: sums, elements of the matrix, products. */
const [SUM, ELEMENT, PRODUCT] = [16, 20, 24].map((first) => Array.from({ length: GROUP }, (_, i) => first + i)) as [
  number[],
  number[],
  number[],
]

/** Writes what a kernel does between its beginning and its end. */
export function writeAcross(asm: Assembler, tile: Tile): void {
  const { bytes, lanes, width } = tile
  read(asm, [
    [ROW_AT, ROW.row],
    [ALONG, ROW.rowStep],
    [MATRIX, ROW.matrix],
    [STEP, ROW.step],
    [LENGTH, ROW.length],
    [SUMS, ROW.sums],
    [LEFT, ROW.columns],
  ])
  // From zero.
  asm.clearVector(SUM[0]!)
  whileAtLeast(asm, LEFT, lanes, () => asm.storeVector(at(SUMS), SUM[0]!).addConstant(SUMS, SUMS, bytes))
  whileAtLeast(asm, LEFT, 1, () => asm.storeLane(SUMS, SUM[0]!, 0, width))
  for (const rows of ROWS) {
    const pointers = POINTERS.slice(0, rows)
    whileAtLeast(asm, LENGTH, rows, () => {
      for (const [row, pointer] of pointers.entries()) {
        asm.loadVector(row, at(ROW_AT), width).add(ROW_AT, ROW_AT, ALONG)
        asm.move(pointer, MATRIX).add(MATRIX, MATRIX, STEP)
      }
      asm.load(SUMS, told(ROW.sums)).load(LEFT, told(ROW.columns))
      for (const vectors of [GROUP, 1]) {
        const [sums, elements] = [SUM.slice(0, vectors), ELEMENT.slice(0, vectors)]
        whileAtLeast(asm, LEFT, vectors * lanes, () => {
          for (const [v, sum] of sums.entries()) asm.loadVector(sum, at(SUMS, v * bytes))
          for (const [row, pointer] of pointers.entries()) {
            for (const [v, element] of elements.entries()) asm.loadVector(element, at(pointer, v * bytes))
            addProducts(asm, tile, sums, elements, row, PRODUCT)
          }
          for (const [v, sum] of sums.entries()) asm.storeVector(at(SUMS, v * bytes), sum)
          for (const register of [SUMS, ...pointers]) asm.addConstant(register, register, vectors * bytes)
        })
      }
      const none = asm.label()
      asm.jumpIfZero(LEFT, none)
      addLast(asm, tile, pointers)
      asm.set(none)
    })
  }
}

/** The last columns, fewer than a vector. */
function addLast(asm: Assembler, tile: Tile, pointers: readonly number[]): void {
  const end = (base: number) => ({ place: at(base), lanes: LEFT, scratch: LANE })
  const [sum, element] = [SUM[0]!, ELEMENT[0]!]
  loadEnd(asm, tile, sum, end(SUMS))
  for (const [row, pointer] of pointers.entries()) {
    loadEnd(asm, tile, element, end(pointer))
    addProducts(asm, tile, [sum], [element], row, PRODUCT)
  }
  storeEnd(asm, tile, sum, end(SUMS))
}

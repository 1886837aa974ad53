// A row times a matrix the elements of whose columns lie side by side: columns are turned in registers, so that the sum of a
// column has one lane that takes its products in ascending order.
import { ROW } from 'bcast/kernels'
import type { Assembler } from '../assembler.ts'
import type { Tile } from './tile.ts'
import { loadLines, setSteps, turn } from './turn.ts'
import { addProducts, at, read, told, whileAtLeast } from './writer.ts'

/** Groups of columns whose sums go on together, so that none waits for another. */
const GROUPS = [4, 1]

/** The row, with the step along it; the next column and where its sum goes; columns and elements that are left. */
const [ROW_AT, ALONG, MATRIX, TARGET, COLUMNS, LEFT] = [1, 2, 3, 4, 5, 6] as const
/** How far columns of a group lie behind the first, and an element of one of them. */
const STEPS = [7, 8, 9] as const
const HERE = 10
/** Where groups of columns are. */
const POINTERS = [19, 20, 21, 22] as const

/** Vector registers behind those in which columns are turned: sums of groups, elements of the row, a product. */
const [SUMS, ELEMENTS, PRODUCT] = [16, 20, 24] as const

/** Writes what a kernel does between its beginning and its end. */
export const writeAlong = (asm: Assembler, tile: Tile): void => new AlongWriter(asm, tile).write()

class AlongWriter {
  readonly #asm: Assembler
  readonly #tile: Tile

  constructor(asm: Assembler, tile: Tile) {
    this.#asm = asm
    this.#tile = tile
  }

  write(): void {
    const asm = this.#asm
    read(asm, [
      [STEPS[0], ROW.step],
      [ALONG, ROW.rowStep],
      [COLUMNS, ROW.columns],
      [MATRIX, ROW.matrix],
      [TARGET, ROW.sums],
    ])
    setSteps(asm, STEPS)
    for (const groups of GROUPS) this.#columns(groups)
    this.#last()
  }

  #nextElement(to: number): void {
    this.#asm.loadVector(to, at(ROW_AT), this.#tile.width).add(ROW_AT, ROW_AT, ALONG)
  }

  #add(sum: number, vector: number, element: number): void {
    addProducts(this.#asm, this.#tile, [sum], [vector], element, [PRODUCT])
  }

  /** Sums of so many groups of columns at a time. */
  #columns(groups: number): void {
    const asm = this.#asm
    const { lanes, bytes } = this.#tile
    const pointers = POINTERS.slice(0, groups)
    whileAtLeast(asm, COLUMNS, groups * lanes, () => {
      for (const [group, pointer] of pointers.entries()) {
        asm
          .move(pointer, MATRIX)
          .add(MATRIX, MATRIX, STEPS[lanes - 2]!)
          .add(MATRIX, MATRIX, STEPS[0])
        asm.clearVector(SUMS + group)
      }
      asm.load(ROW_AT, told(ROW.row)).load(LEFT, told(ROW.length))
      this.#turns(pointers)
      this.#elements(pointers)
      for (const group of pointers.keys()) asm.storeVector(at(TARGET, group * bytes), SUMS + group)
      asm.addConstant(TARGET, TARGET, groups * bytes)
    })
  }

  /** A vector of each column. */
  #turns(pointers: readonly number[]): void {
    const asm = this.#asm
    const { width, lanes } = this.#tile
    whileAtLeast(asm, LEFT, lanes, () => {
      for (let i = 0; i < lanes; i++) this.#nextElement(ELEMENTS + i)
      for (const [group, pointer] of pointers.entries()) {
        loadLines(asm, { first: pointer, steps: STEPS }, lanes, 16)
        for (const [i, register] of turn(asm, width).entries()) this.#add(SUMS + group, register, ELEMENTS + i)
        asm.addConstant(pointer, pointer, 16)
      }
    })
  }

  /** The last elements of each column one by one. */
  #elements(pointers: readonly number[]): void {
    const asm = this.#asm
    const { width, lanes } = this.#tile
    const vector = 0
    whileAtLeast(asm, LEFT, 1, () => {
      this.#nextElement(ELEMENTS)
      for (const [group, pointer] of pointers.entries()) {
        asm.move(HERE, pointer)
        for (let lane = 0; lane < lanes; lane++) asm.loadLane(vector, lane, width, HERE, STEPS[0])
        this.#add(SUMS + group, vector, ELEMENTS)
        asm.addConstant(pointer, pointer, width)
      }
    })
  }

  /** The last columns one by one. */
  #last(): void {
    const asm = this.#asm
    const { width } = this.#tile
    const [pointer] = POINTERS
    const vector = 0
    whileAtLeast(asm, COLUMNS, 1, () => {
      asm.move(pointer, MATRIX).load(ROW_AT, told(ROW.row)).load(LEFT, told(ROW.length)).clearVector(SUMS)
      whileAtLeast(asm, LEFT, 1, () => {
        this.#nextElement(ELEMENTS)
        asm.loadVector(vector, at(pointer), width).addConstant(pointer, pointer, width)
        this.#add(SUMS, vector, ELEMENTS)
      })
      asm.storeLane(TARGET, SUMS, 0, width).add(MATRIX, MATRIX, STEPS[0])
    })
  }
}

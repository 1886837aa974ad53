// Sums of types whose products and sums have instructions of their own.
import type { Assembler } from '../assembler.ts'
import type { Sums } from './sums.ts'
import type { Tile } from './tile.ts'
import { addProducts, at } from './writer.ts'

/** Registers behind those of sums: of columns, of elements of rows, of products. */
const [COLUMNS, ELEMENTS, PRODUCTS] = [[24, 25, 26], [27, 28] as const, [29, 30, 31]] as const

export class PlainSums implements Sums {
  readonly elements: Sums['elements'] = ELEMENTS
  readonly #asm: Assembler
  readonly #tile: Tile
  readonly #height: number
  readonly #columns: readonly number[]

  constructor(asm: Assembler, tile: Tile, height: number, count: number) {
    this.#asm = asm
    this.#tile = tile
    this.#height = height
    this.#columns = COLUMNS.slice(0, count)
  }

  of(row: number, vector: number): number {
    return row * this.#columns.length + vector
  }

  clear(fromZero: boolean): void {
    if (!fromZero) return
    for (let i = 0; i < this.#height * this.#columns.length; i++) this.#asm.clearVector(i)
  }

  columns(base: number): void {
    for (const [v, to] of this.#columns.entries()) this.#asm.loadVector(to, at(base, v * this.#tile.bytes))
  }

  add(row: number, element: number): void {
    const sums = this.#columns.map((_, v) => this.of(row, v))
    addProducts(this.#asm, this.#tile, sums, this.#columns, element, PRODUCTS)
  }

  settle(): void {}
}

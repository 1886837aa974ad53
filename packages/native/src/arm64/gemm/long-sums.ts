// Sums of 64-bit integers, which NEON cannot multiply: lower halves are multiplied and added in 64 bits, both mixed products
// in 32, because what of them goes beyond counts for nothing. What is mixed comes to the sums when all is added.
import type { Assembler } from '../assembler.ts'
import type { Sums } from './sums.ts'
import type { Tile } from './tile.ts'
import { at } from './writer.ts'

/** Mixed sums of two vectors each, for rows one after the other; vectors of columns; the lower halves of two each. */
const [MIXED, COLUMNS, LOWER] = [16, 24, 28] as const
const WORD = 4

export class LongSums implements Sums {
  readonly elements: Sums['elements'] = [30, 31]
  readonly #asm: Assembler
  readonly #tile: Tile
  readonly #height: number
  readonly #count: number

  constructor(asm: Assembler, tile: Tile, height: number, count: number) {
    this.#asm = asm
    this.#tile = tile
    this.#height = height
    this.#count = count
  }

  get #pairs(): number {
    return Math.ceil(this.#count / 2)
  }

  #mixed(row: number, pair: number): number {
    return MIXED + row * this.#pairs + pair
  }

  of(row: number, vector: number): number {
    return row * this.#count + vector
  }

  clear(fromZero: boolean): void {
    for (let i = 0; i < this.#height * this.#pairs; i++) this.#asm.clearVector(MIXED + i)
    if (fromZero) for (let i = 0; i < this.#height * this.#count; i++) this.#asm.clearVector(i)
  }

  /** Two vectors become one of lower halves and one of upper ones. */
  columns(base: number): void {
    const asm = this.#asm
    for (let v = 0; v < this.#count; v++) asm.loadVector(COLUMNS + v, at(base, v * this.#tile.bytes))
    for (let pair = 0; pair < this.#pairs; pair++) {
      const first = COLUMNS + 2 * pair
      const second = 2 * pair + 1 < this.#count ? first + 1 : first
      asm.vector('uzp1', WORD, LOWER + pair, [first, second]).vector('uzp2', WORD, first, [first, second])
    }
  }

  add(row: number, element: number): void {
    const asm = this.#asm
    const [low, high] = [0, 1]
    for (let pair = 0; pair < this.#pairs; pair++) {
      const [lower, upper, mixed] = [LOWER + pair, COLUMNS + 2 * pair, this.#mixed(row, pair)]
      asm.vector('umlalLane', WORD, this.of(row, 2 * pair), [lower, element], low)
      if (2 * pair + 1 < this.#count) {
        asm.vector('umlal2Lane', WORD, this.of(row, 2 * pair + 1), [lower, element], low)
      }
      asm.vector('mlaLane', WORD, mixed, [upper, element], low).vector('mlaLane', WORD, mixed, [lower, element], high)
    }
  }

  settle(): void {
    const asm = this.#asm
    for (let row = 0; row < this.#height; row++) {
      for (let v = 0; v < this.#count; v++) {
        const sum = this.of(row, v)
        asm.vector(v % 2 === 0 ? 'shll' : 'shll2', WORD, LOWER, [this.#mixed(row, v >> 1)])
        asm.vector('add', this.#tile.width, sum, [sum, LOWER])
      }
    }
  }
}

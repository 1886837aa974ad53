// The kernel that multiplies: strips of rows of A meet strips of columns of B, wherever both lie. Every sum has one lane of
// one register that takes its products in ascending order, multiplied and added with two roundings, so the order of the
// definition is the order of the machine. What is left at the edges goes in fewer rows and vectors, the last one by lanes.
import { PRODUCT } from 'bcast/kernels'
import type { Multiplying } from '../../machine/product.ts'
import { addsC, eachRowOf, eachStrip, eachTile, movingOf } from '../../machine/strips.ts'
import type { Assembler } from '../assembler.ts'
import { type Memory, X16, X17 } from '../registers.ts'
import { LongSums } from './long-sums.ts'
import { PlainSums } from './plain-sums.ts'
import type { Sums } from './sums.ts'
import { type Tile, tileOf } from './tile.ts'
import { at, kernelOf, loadEnd, multiply, read, storeEnd, told } from './writer.ts'

/** The strip of A and rows from there on; where the strip's sums go and come from, and its C. */
const [STRIP_OF_A, ROWS, ROW_TO, ROW_FROM, ROW_C] = [1, 2, 3, 4, 5] as const
/** The strip of B and columns from there on; the same of the tile. */
const [STRIP_OF_B, COLUMNS, TO, FROM, C] = [6, 7, 8, 9, 10] as const
/** Steps along rows of A and columns of B, elements that are met, products that are left. */
const [ALONG_A, ALONG_B, IN_A, IN_B, LEFT] = [11, 12, 13, 14, 15] as const
/** How far rows of a strip of A lie behind the first. */
const ROW_STEPS = [0, 19, 20, 21, 22, 23, 24, 25] as const
/** Rows of a tile whose sums are loaded or stored, and of C. */
const [ROW, ROW_OF_C] = [26, 27] as const
/** Lanes of the last vector, and where one of them is, while nothing is multiplied. */
const [LANES, LANE] = [LEFT, IN_A] as const

/** Registers that factors are in when all products are added, and what of C comes to a sum. */
const [ALPHA, BETA, ADDED] = [24, 25, 26] as const

export const compileMultiply = (kernel: Multiplying, base: bigint): Uint8Array =>
  kernelOf(base, (asm) => new MultiplyWriter(asm, kernel, tileOf(kernel.type)).write())

class MultiplyWriter {
  readonly #asm: Assembler
  readonly #tile: Tile
  readonly #kernel: Multiplying

  constructor(asm: Assembler, kernel: Multiplying, tile: Tile) {
    this.#asm = asm
    this.#tile = tile
    this.#kernel = kernel
  }

  get #goesOn(): boolean {
    return this.#kernel.starts === 'sums'
  }

  write(): void {
    const asm = this.#asm
    const { heights } = this.#tile
    const moving = movingOf(this.#kernel, [ROW_TO, ROW_FROM, ROW_C])
    read(asm, [[ROWS, PRODUCT.rows], [STRIP_OF_A, PRODUCT.a], [ROW_STEPS[1], PRODUCT.aRow], ...moving])
    read(asm, [
      [ALONG_A, PRODUCT.aStep],
      [ALONG_B, PRODUCT.bStep],
    ])
    for (let row = 2; row < heights[0]!; row++) asm.add(ROW_STEPS[row]!, ROW_STEPS[row - 1]!, ROW_STEPS[1])
    eachStrip(asm, ROWS, this.#tile, (height) => {
      this.#strip(height)
      if (height === heights[0]) asm.load(X16, told(PRODUCT.aStrip)).add(STRIP_OF_A, STRIP_OF_A, X16)
      else asm.add(STRIP_OF_A, STRIP_OF_A, ROW_STEPS[height]!)
      asm.constant(X17, BigInt(height))
      for (const [register, offset] of moving) {
        asm
          .load(X16, told(offset + 8))
          .multiply(X16, X16, X17)
          .add(register, register, X16)
      }
      asm.subtractConstant(ROWS, ROWS, height)
    })
  }

  /** So many rows of A and all columns of B. */
  #strip(height: number): void {
    const asm = this.#asm
    const { vectors, lanes, bytes } = this.#tile
    read(asm, [
      [STRIP_OF_B, PRODUCT.b],
      [COLUMNS, PRODUCT.columns],
    ])
    asm.move(TO, ROW_TO)
    if (this.#goesOn) asm.move(FROM, ROW_FROM)
    if (addsC(this.#kernel)) asm.move(C, ROW_C)
    const next = (): void => {
      const whole = vectors * bytes
      asm.load(X16, told(PRODUCT.bStrip)).add(STRIP_OF_B, STRIP_OF_B, X16).addConstant(TO, TO, whole)
      if (this.#goesOn) asm.addConstant(FROM, FROM, whole)
      if (this.#kernel.c === 'row') asm.addConstant(C, C, whole)
      asm.subtractConstant(COLUMNS, COLUMNS, vectors * lanes)
    }
    eachTile(asm, COLUMNS, this.#tile, (count) => this.#block(height, count), next)
  }

  /** One tile: sums of rows times vectors. */
  #block(height: number, count: number): void {
    const asm = this.#asm
    const sums = new (this.#tile.isLong ? LongSums : PlainSums)(asm, this.#tile, height, count)
    sums.clear(!this.#goesOn)
    if (this.#goesOn) this.#loadSums(sums, height, count)
    asm.move(IN_A, STRIP_OF_A).move(IN_B, STRIP_OF_B).load(LEFT, told(PRODUCT.length))
    const again = asm.label()
    const element = (row: number): number => sums.elements[row % 2]!
    asm.set(again)
    sums.columns(IN_B)
    this.#element(0, element(0))
    for (let row = 0; row < height; row++) {
      // The next one is on its way while this one is multiplied.
      if (row + 1 < height) this.#element(row + 1, element(row + 1))
      sums.add(row, element(row))
    }
    asm.add(IN_A, IN_A, ALONG_A).add(IN_B, IN_B, ALONG_B).subtractConstant(LEFT, LEFT, 1).jumpUnlessZero(LEFT, again)
    sums.settle()
    this.#finish(sums, height, count)
  }

  #element(row: number, to: number): void {
    const { width } = this.#tile
    if (row === 0) this.#asm.loadVector(to, at(IN_A), width)
    else this.#asm.loadVectorAt(to, IN_A, ROW_STEPS[row]!, width)
  }

  #loadSums(sums: Sums, height: number, count: number): void {
    const asm = this.#asm
    asm.load(X16, told(PRODUCT.fromRow)).move(ROW, FROM)
    this.#eachRow(height, count, (row, isEnd) => {
      if (row > 0) asm.add(ROW, ROW, X16)
      for (let v = 0; v < count; v++)
        this.#load(sums.of(row, v), at(ROW, v * this.#tile.bytes), isEnd && v === count - 1)
    })
  }

  /** Writes code for each row of a tile, once for whole vectors and once for a last one that is not full. */
  #eachRow(height: number, count: number, one: (row: number, isEnd: boolean) => void): void {
    const { lanes } = this.#tile
    const begin = (): unknown => this.#asm.subtractConstant(LANES, COLUMNS, (count - 1) * lanes)
    eachRowOf(this.#asm, [COLUMNS, count * lanes], height, begin, one)
  }

  #load(to: number, place: Memory, isEnd: boolean): void {
    if (isEnd) loadEnd(this.#asm, this.#tile, to, { place, lanes: LANES, scratch: LANE })
    else this.#asm.loadVector(to, place)
  }

  #store(place: Memory, from: number, isEnd: boolean): void {
    if (isEnd) storeEnd(this.#asm, this.#tile, from, { place, lanes: LANES, scratch: LANE })
    else this.#asm.storeVector(place, from)
  }

  /** What becomes of sums: they are stored as they are, or finished: alpha * sum + beta * C. */
  #finish(sums: Sums, height: number, count: number): void {
    const asm = this.#asm
    const tile = this.#tile
    const { c } = this.#kernel
    asm.load(X16, told(PRODUCT.toRow)).move(ROW, TO)
    if (c !== undefined) asm.loadVector(ALPHA, told(PRODUCT.alpha), tile.width)
    if (addsC(this.#kernel)) {
      asm.loadVector(BETA, told(PRODUCT.beta), tile.width).load(X17, told(PRODUCT.cRow)).move(ROW_OF_C, C)
    }
    this.#eachRow(height, count, (row, isEnd) => {
      if (row > 0) asm.add(ROW, ROW, X16)
      if (row > 0 && addsC(this.#kernel)) asm.add(ROW_OF_C, ROW_OF_C, X17)
      if (c === 'column') asm.spread(ADDED, ROW_OF_C, tile.width)
      if (c === 'column') multiply(asm, tile, ADDED, ADDED, BETA)
      for (let v = 0; v < count; v++) {
        const [sum, isLast] = [sums.of(row, v), isEnd && v === count - 1]
        if (c !== undefined) multiply(asm, tile, sum, sum, ALPHA)
        if (c === 'row') this.#load(ADDED, at(ROW_OF_C, v * tile.bytes), isLast)
        if (c === 'row') multiply(asm, tile, ADDED, ADDED, BETA)
        if (addsC(this.#kernel)) asm.vector(tile.isFloat ? 'fadd' : 'add', tile.width, sum, [sum, ADDED])
        this.#store(at(ROW, v * tile.bytes), sum, isLast)
      }
    })
  }
}

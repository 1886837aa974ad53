// The kernel that multiplies: strips of rows of A meet strips of columns of B, wherever both lie. Every sum has one lane of
// one register that takes its products in ascending order, multiplied and added with two roundings, so the order of the
// definition is the order of the machine. What is left at the edges goes through masks, in fewer rows and vectors.
import { PRODUCT } from 'bcast/kernels'
import type { Multiplying } from '../../machine/product.ts'
import { addsC, eachRowOf, eachStrip, eachTile, movingOf } from '../../machine/strips.ts'
import type { Assembler } from '../assembler.ts'
import { type Memory, R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDX, RSI } from '../registers.ts'
import type { Level } from '../vectors.ts'
import { type Tile, tileOf } from './tile.ts'
import { kernelOf, LAST, maskLanes, maskRegister, slot, told } from './writer.ts'

/** Rows 0 to 3 of A count from one register, those behind from another; a step from row to row, and three. */
const [ABOVE, BELOW, STEP, THRICE] = [RBX, RBP, RSI, R8] as const
const [ALONG_A, ALONG_B] = [R9, R10] as const
/** The running row of B, the strip it belongs to, columns from there on. */
const [ROW_OF_B, STRIP_OF_B, COLUMNS] = [RDX, R11, R13] as const
/** Where the tile's sums go, the strip of A, rows from there on. */
const [TO, STRIP_OF_A, ROWS] = [R12, R15, R14] as const
/** Products that are left. */
const LEFT: number = RCX

/** On the stack: where the strip's sums go and come from, and its C; the same of the tile. */
const [ROW_TO, ROW_FROM, ROW_C, TILE_FROM, TILE_C] = [0, 1, 2, 3, 4].map(slot) as [
  Memory,
  Memory,
  Memory,
  Memory,
  Memory,
]

/** The machine code of `int run(uint32_t parameters)`. */
export const compileMultiply = (kernel: Multiplying, level: Level, base: bigint): Uint8Array =>
  kernelOf(level === 'avx512', base, 6, (asm) => new MultiplyWriter(asm, kernel, tileOf(level, kernel.type)).write())

class MultiplyWriter {
  readonly #asm: Assembler
  readonly #tile: Tile
  readonly #kernel: Multiplying
  /** Registers behind those of sums: of columns, of an element of A, of a product, and where products take more. */
  readonly #columns: readonly number[]
  readonly #element: number
  readonly #product: number

  constructor(asm: Assembler, kernel: Multiplying, tile: Tile) {
    this.#asm = asm
    this.#tile = tile
    this.#kernel = kernel
    const first = tile.heights[0]! * tile.vectors
    this.#columns = Array.from({ length: tile.vectors }, (_, i) => first + i)
    this.#element = first + tile.vectors
    this.#product = this.#element + 1
  }

  write(): void {
    const asm = this.#asm
    const { heights } = this.#tile
    asm.move(ROWS, told(PRODUCT.rows)).move(STRIP_OF_A, told(PRODUCT.a))
    asm.move(STEP, told(PRODUCT.aRow)).times(THRICE, STEP, 3)
    asm.move(ALONG_A, told(PRODUCT.aStep)).move(ALONG_B, told(PRODUCT.bStep))
    const moving = movingOf(this.#kernel, [ROW_TO, ROW_FROM, ROW_C])
    for (const [place, offset] of moving) asm.move(RAX, told(offset)).store(place, RAX)
    eachStrip(asm, ROWS, this.#tile, (height) => {
      this.#strip(height)
      if (height === heights[0]) asm.add(STRIP_OF_A, told(PRODUCT.aStrip))
      else asm.times(RAX, STEP, height).add(STRIP_OF_A, RAX)
      for (const [place, offset] of moving) asm.times(RAX, told(offset + 8), height).addTo(place, RAX)
      asm.subtractConstant(ROWS, height)
    })
  }

  /** So many rows of A and all columns of B. */
  #strip(height: number): void {
    const asm = this.#asm
    const { vectors, lanes, bytes } = this.#tile
    asm.move(STRIP_OF_B, told(PRODUCT.b)).move(COLUMNS, told(PRODUCT.columns)).move(TO, ROW_TO)
    const { c, starts } = this.#kernel
    if (starts === 'sums') asm.move(RAX, ROW_FROM).store(TILE_FROM, RAX)
    if (addsC(this.#kernel)) asm.move(RAX, ROW_C).store(TILE_C, RAX)
    const next = (): void => {
      asm.add(STRIP_OF_B, told(PRODUCT.bStrip)).addConstant(TO, vectors * bytes)
      if (starts === 'sums') asm.addConstant(TILE_FROM, vectors * bytes)
      if (c === 'row') asm.addConstant(TILE_C, vectors * bytes)
      asm.subtractConstant(COLUMNS, vectors * lanes)
    }
    eachTile(asm, COLUMNS, this.#tile, (count) => this.#block(height, count), next)
  }

  /** Columns of the last of so many vectors into RAX. */
  #lastColumns(count: number): void {
    this.#asm.address(RAX, { base: COLUMNS, displacement: -(count - 1) * this.#tile.lanes })
  }

  /** One tile: sums of rows times vectors. */
  #block(height: number, count: number): void {
    const asm = this.#asm
    const { bits, bytes, names, isWide } = this.#tile
    if (isWide) {
      this.#lastColumns(count)
      maskLanes(asm, this.#tile, LAST)
    }
    if (this.#kernel.starts === 'zero') {
      for (const sum of this.#sums(height, count)) asm.vector(names.clear, { bits, to: sum, from: sum, operand: sum })
    } else {
      this.#eachRow(height, count, (row, isMasked) => {
        if (row === 0) asm.move(RAX, TILE_FROM)
        else asm.add(RAX, told(PRODUCT.fromRow))
        for (let v = 0; v < count; v++) this.#load(this.#sum(row, v, count), RAX, v, isMasked && v === count - 1)
      })
    }
    asm.move(ABOVE, STRIP_OF_A)
    if (height > 4) asm.address(BELOW, { base: ABOVE, index: STEP, scale: 4 })
    asm.move(ROW_OF_B, STRIP_OF_B).move(LEFT, told(PRODUCT.length))
    const again = asm.label()
    asm.set(again)
    for (let v = 0; v < count; v++) {
      const mask = isWide && v === count - 1 ? { mask: LAST } : {}
      const operand = { base: ROW_OF_B, displacement: v * bytes }
      asm.vector(names.load, { bits, to: this.#columns[v]!, operand, ...mask })
    }
    for (let row = 0; row < height; row++) this.#productsOf(row, count)
    asm.add(ABOVE, ALONG_A)
    if (height > 4) asm.add(BELOW, ALONG_A)
    asm.add(ROW_OF_B, ALONG_B).subtractConstant(LEFT, 1).jumpIf('notEqual', again)
    this.#ends(height, count)
  }

  #sum(row: number, vector: number, count: number): number {
    return row * count + vector
  }

  #sums(height: number, count: number): readonly number[] {
    return Array.from({ length: height * count }, (_, i) => i)
  }

  /** Adds the products of an element of a row with vectors of columns. */
  #productsOf(row: number, count: number): void {
    const asm = this.#asm
    const { bits, names, multiply } = this.#tile
    const base = row < 4 ? ABOVE : BELOW
    const operand: Memory = [
      { base },
      { base, index: STEP },
      { base, index: STEP, scale: 2 as const },
      { base, index: THRICE },
    ][row % 4]!
    const [element, product] = [this.#element, this.#product]
    if (multiply === undefined) {
      this.#longProducts(row, count, operand)
      return
    }
    asm.vector(names.broadcast, { bits, to: element, operand })
    for (let v = 0; v < count; v++) {
      const sum = this.#sum(row, v, count)
      asm.vector(multiply, { bits, to: product, from: element, operand: this.#columns[v]! })
      asm.vector(names.add, { bits, to: sum, from: sum, operand: product })
    }
  }

  /** The same for 64-bit integers without an instruction of their own: the low halves' product, and both mixed ones. */
  #longProducts(row: number, count: number, operand: Memory): void {
    const asm = this.#asm
    const { bits, names } = this.#tile
    const [element, product] = [this.#element, this.#product]
    const [high, mixed] = [product + 1, product + 2]
    asm.vector(names.broadcast, { bits, to: element, operand })
    for (let v = 0; v < count; v++) {
      const [sum, column] = [this.#sum(row, v, count), this.#columns[v]!]
      asm.vector('vpsrlq', { bits, to: high, operand: column, immediate: 32 })
      asm.vector('vpmuludq', { bits, to: mixed, from: element, operand: high })
      asm.vector('vpsrlq', { bits, to: high, operand: element, immediate: 32 })
      asm.vector('vpmuludq', { bits, to: high, from: high, operand: column })
      asm.vector('vpaddq', { bits, to: mixed, from: mixed, operand: high })
      asm.vector('vpsllq', { bits, to: mixed, operand: mixed, immediate: 32 })
      asm.vector('vpmuludq', { bits, to: product, from: element, operand: column })
      asm.vector('vpaddq', { bits, to: product, from: product, operand: mixed })
      asm.vector(names.add, { bits, to: sum, from: sum, operand: product })
    }
  }

  /** Writes code for each row of a tile, where there are no masks of lanes once for whole vectors and once for others. */
  #eachRow(height: number, count: number, row: (row: number, isMasked: boolean) => void): void {
    if (this.#tile.isWide) {
      for (let r = 0; r < height; r++) row(r, true)
      return
    }
    const begin = (): void => {
      this.#lastColumns(count)
      maskRegister(this.#asm, this.#tile, this.#element)
    }
    eachRowOf(this.#asm, [COLUMNS, count * this.#tile.lanes], height, begin, row)
  }

  #load(to: number, base: number, v: number, isMasked: boolean): void {
    const { bits, bytes, width, names, isWide } = this.#tile
    const operand = { base, displacement: v * bytes }
    if (!isMasked) this.#asm.vector(names.load, { bits, to, operand })
    else if (isWide) this.#asm.vector(names.load, { bits, to, operand, mask: LAST })
    else this.#asm.vector(width === 4 ? 'vpmaskmovd' : 'vpmaskmovq', { bits, to, from: this.#element, operand })
  }

  #store(to: number, base: number, v: number, isMasked: boolean): void {
    const { bits, bytes, width, names, isWide } = this.#tile
    const operand = { base, displacement: v * bytes }
    if (!isMasked) this.#asm.vector(names.store, { bits, to, operand })
    else if (isWide) this.#asm.vector(names.store, { bits, to, operand, mask: LAST })
    else {
      this.#asm.vector(width === 4 ? 'vpmaskmovdStore' : 'vpmaskmovqStore', { bits, to, from: this.#element, operand })
    }
  }

  /** What becomes of sums: they are stored as they are, or finished: alpha * sum + beta * C. */
  #ends(height: number, count: number): void {
    const asm = this.#asm
    const { bits, names, multiply } = this.#tile
    const { c } = this.#kernel
    const [alpha, beta] = [this.#columns[0]!, this.#columns[1]!]
    const added = this.#product
    if (c !== undefined) {
      asm.vector(names.broadcast, { bits, to: alpha, operand: told(PRODUCT.alpha) })
      if (c !== 'none') asm.vector(names.broadcast, { bits, to: beta, operand: told(PRODUCT.beta) })
    }
    this.#eachRow(height, count, (row, isMasked) => {
      if (row > 0) asm.add(TO, told(PRODUCT.toRow))
      if (addsC(this.#kernel)) {
        if (row === 0) asm.move(RAX, TILE_C)
        else asm.add(RAX, told(PRODUCT.cRow))
      }
      if (c === 'column') asm.vector(names.broadcast, { bits, to: added, operand: { base: RAX } })
      if (c === 'column') asm.vector(multiply!, { bits, to: added, from: beta, operand: added })
      for (let v = 0; v < count; v++) {
        const [sum, isLast] = [this.#sum(row, v, count), isMasked && v === count - 1]
        if (c !== undefined) asm.vector(multiply!, { bits, to: sum, from: alpha, operand: sum })
        if (c === 'row') {
          this.#load(added, RAX, v, isLast)
          asm.vector(multiply!, { bits, to: added, from: beta, operand: added })
        }
        if (addsC(this.#kernel)) asm.vector(names.add, { bits, to: sum, from: sum, operand: added })
        this.#store(sum, TO, v, isLast)
      }
    })
    // Back to the first row.
    if (height > 1) asm.times(RAX, told(PRODUCT.toRow), height - 1).subtract(TO, RAX)
  }
}

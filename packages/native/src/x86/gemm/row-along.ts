// A row times a matrix the elements of whose columns lie side by side: columns are turned in registers, a line of the cache
// of each at a time, so that the sum of a column has one lane that takes its products in ascending order.
import { ROW } from 'bcast/kernels'
import type { Assembler } from '../assembler.ts'
import { type Memory, R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDX, RSI } from '../registers.ts'
import type { Tile } from './tile.ts'
import { type LinesAt, linesAtOnce, multiply, placeOf, turn, turnWide } from './turn.ts'
import { slot, told, whileAtLeast } from './writer.ts'

/** Odd multiples of the step from column to column, and the step along the row. */
const STEPS = { 1: R8, 3: R9, 5: R10, 7: R13 } as const
const ALONG = R15
/** Where groups of columns are, the row is, columns and elements that are left. */
const POINTERS = [RBX, RBP, R11, R12] as const
const [ROW_AT, COLUMNS, LEFT] = [RDX, R14, RCX] as const
/** On the stack: the next column, where its sum goes, an element of each column. */
const [MATRIX, TARGET, BUFFER] = [slot(0), slot(1), slot(4)] as const

/** Columns that are turned at once, in what they are summed. */
interface Turned {
  readonly count: number
  readonly bits: 256 | 512
  /** Registers of sums, of a product, of an element of the row. */
  readonly sums: number
  readonly product: number
  readonly element: number
  /** Elements of each column that are taken at once: a line of the cache. */
  readonly length: number
}

/** Groups of columns whose sums go on together, so that none waits for another. */
const GROUPS = [2, 1]

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
    const { type, width, isWide } = this.#tile
    asm.move(STEPS[1], told(ROW.step)).move(ALONG, told(ROW.rowStep)).move(COLUMNS, told(ROW.columns))
    multiply(asm, STEPS)
    asm.move(RAX, told(ROW.matrix)).store(MATRIX, RAX).move(RAX, told(ROW.sums)).store(TARGET, RAX)
    const length = 64 / width
    if (isWide) {
      for (const groups of GROUPS) {
        this.#columns({ count: length, bits: 512, sums: 20, product: 22, element: 23, length }, groups)
      }
    }
    const count = linesAtOnce(type)
    for (const groups of isWide ? [1] : GROUPS) {
      this.#columns({ count, bits: 256, sums: 8, product: 12, element: 13, length }, groups)
    }
    this.#last()
  }

  /** Where columns of a group lie, eight from each pointer. */
  #linesOf({ count }: Turned, group: number): readonly LinesAt[] {
    const each = Math.ceil(count / 8)
    return Array.from({ length: each }, (_, i) => ({ first: POINTERS[group * each + i]!, steps: STEPS }))
  }

  #placeOf(turned: Turned, group: number, line: number): Memory {
    return placeOf(this.#linesOf(turned, group)[line >> 3]!, line & 7)
  }

  #add({ bits, product }: Turned, sum: number, vector: number, factor: number): void {
    const { multiply: name, names } = this.#tile
    this.#asm.vector(name!, { bits, to: product, from: factor, operand: vector })
    this.#asm.vector(names.add, { bits, to: sum, from: sum, operand: product })
  }

  #nextElement(bits: 128 | 256 | 512, to: number, at: number): void {
    this.#asm.vector(this.#tile.names.broadcast, { bits, to, operand: { base: at } }).add(at, ALONG)
  }

  #clear(bits: 128 | 256 | 512, register: number): void {
    this.#asm.vector(this.#tile.names.clear, { bits, to: register, from: register, operand: register })
  }

  #move(turned: Turned, group: number, bytes: number): void {
    for (const { first } of this.#linesOf(turned, group)) this.#asm.addConstant(first, bytes)
  }

  /** Sums of so many groups of columns at a time. */
  #columns(turned: Turned, groups: number): void {
    const asm = this.#asm
    const { count, bits, sums } = turned
    const bytes = bits / 8
    whileAtLeast(asm, COLUMNS, groups * count, () => {
      asm.move(RAX, MATRIX).times(RSI, STEPS[1], Math.min(8, count))
      for (let group = 0; group < groups; group++) {
        for (const { first } of this.#linesOf(turned, group)) asm.move(first, RAX).add(RAX, RSI)
        this.#clear(bits, sums + group)
      }
      asm.store(MATRIX, RAX).move(ROW_AT, told(ROW.row)).move(LEFT, told(ROW.length))
      this.#turns(turned, groups)
      this.#elements(turned, groups)
      asm.move(RAX, TARGET)
      const store = bits === 512 ? this.#tile.names.store : 'vmovdquStore'
      for (let group = 0; group < groups; group++) {
        asm.vector(store, { bits, to: sums + group, operand: { base: RAX, displacement: group * bytes } })
      }
      asm.addConstant(TARGET, groups * bytes)
    })
  }

  /** Whole lines of the cache of each column. */
  #turns(turned: Turned, groups: number): void {
    const asm = this.#asm
    const { type, width, names } = this.#tile
    const { count, bits, sums, element, length } = turned
    whileAtLeast(asm, LEFT, length, () => {
      for (let group = 0; group < groups; group++) {
        asm.move(RSI, ROW_AT)
        const take = (vector: number): void => {
          this.#nextElement(bits, element, RSI)
          this.#add(turned, sums + group, vector, element)
        }
        if (bits === 512) {
          for (let line = 0; line < count; line++) {
            asm.vector(names.load, { bits, to: line, operand: this.#placeOf(turned, group, line) })
          }
          for (const register of turnWide(asm, width)) take(register)
        } else {
          const [lines] = this.#linesOf(turned, group)
          for (let at = 0; at < length; at += count) turn(asm, type, lines!, take, at * width)
        }
        this.#move(turned, group, length * width)
      }
      asm.move(ROW_AT, RSI)
    })
  }

  /** The last elements of each column one by one. */
  #elements(turned: Turned, groups: number): void {
    const asm = this.#asm
    const { width, names } = this.#tile
    const { count, bits, sums, element } = turned
    whileAtLeast(asm, LEFT, 1, () => {
      this.#nextElement(bits, element, ROW_AT)
      for (let group = 0; group < groups; group++) {
        for (let line = 0; line < count; line++) {
          const from = this.#placeOf(turned, group, line)
          const to = { ...BUFFER, displacement: BUFFER.displacement! + line * width }
          if (width === 4) asm.moveWord(RAX, from).storeWord(to, RAX)
          else asm.move(RAX, from).store(to, RAX)
        }
        asm.vector(bits === 512 ? names.load : 'vmovdqu', { bits, to: 0, operand: BUFFER })
        this.#add(turned, sums + group, 0, element)
        this.#move(turned, group, width)
      }
    })
  }

  /** The last columns one by one. */
  #last(): void {
    const asm = this.#asm
    const { width, multiply: name, names } = this.#tile
    const [pointer] = POINTERS
    const [vector, sum, product, element] = [0, 8, 12, 13]
    const [load, keep] = width === 4 ? (['vmovd', 'vmovdStore'] as const) : (['vpbroadcastq', 'vmovqStore'] as const)
    whileAtLeast(asm, COLUMNS, 1, () => {
      asm.move(pointer, MATRIX).move(ROW_AT, told(ROW.row)).move(LEFT, told(ROW.length))
      this.#clear(128, sum)
      whileAtLeast(asm, LEFT, 1, () => {
        this.#nextElement(128, element, ROW_AT)
        asm.vector(load, { bits: 128, to: vector, operand: { base: pointer } }).addConstant(pointer, width)
        asm.vector(name!, { bits: 128, to: product, from: element, operand: vector })
        asm.vector(names.add, { bits: 128, to: sum, from: sum, operand: product })
      })
      asm.move(RAX, TARGET).vector(keep, { bits: 128, to: sum, operand: { base: RAX } })
      asm.addConstant(TARGET, width).addTo(MATRIX, STEPS[1])
    })
  }
}

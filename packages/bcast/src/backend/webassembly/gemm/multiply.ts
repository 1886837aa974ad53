// The sums of a matrix product, a block of the result at a time: strips of A and B are packed into scratch, where one
// kernel multiplies them. Scratch is bounded, so a product needs its operands, its result and little else.

import { bitsOf, type DType, type TypedArray } from '../../../dtype/dtype.ts'
import { packing, roomFor } from '../../../plan/staging.ts'
import type { GemmSizes } from '../../interpreter/gemm.ts'
import {
  compileMultiply,
  compilePack,
  GEMM_PARAMETERS,
  MULTIPLY,
  PACK,
  STRIP_ROWS,
  stripColumns,
  sumType,
} from '../codegen/gemm.ts'
import type { Engine } from '../engine.ts'
import type { Ready } from '../kernels.ts'
import { move } from '../memory/copy.ts'
import { MAX_PARTS } from '../threads/pool.ts'
import type { Step } from '../threads/queue.ts'

/** Products summed in one go: strips of this length stay in the first-level cache. */
const LENGTH = 128
/** Bytes of a row of a block, and of a column for each thread: what is packed of B stays in the second-level cache. */
const ROW_BYTES = 2048
const COLUMN_BYTES = 512
/** Room for a piece of an operand that lies outside the arena. */
const STAGE = 1 << 16
/** Products of one call: enough to be worth waking a thread for, few enough that calls are many and get compiled well. */
const PART = 1 << 19

/** An operand as lines of elements: the rows of A, the columns of B. Strides are in elements. */
export interface Lines {
  readonly array: TypedArray
  readonly first: number
  readonly across: number
  readonly along: number
  readonly foreign: boolean
}

/** Part of an operand: some of its lines, and some elements of each. */
interface Piece {
  readonly line: number
  readonly lines: number
  readonly start: number
  readonly length: number
}

/** Sizes of a block, and where what it needs lies in scratch. */
interface Blocks {
  readonly rows: number
  readonly columns: number
  readonly length: number
  readonly a: number
  readonly b: number
  readonly sums: number
  readonly factors: number
  readonly parameters: number
  readonly stage: number
  readonly bytes: number
}

const padded = (size: number, step: number): number => Math.ceil(size / step) * step
const bytesOf = (dtype: DType): number => bitsOf(dtype) / 8

/**
 * Blocks for a product; `shrink` makes them smaller where the arena is nearly full, `stages` says that an operand lies
 * outside it.
 */
export function planBlocks(
  dtype: DType,
  { m, n, k }: GemmSizes,
  threads: number,
  shrink: number,
  stages: boolean,
): Blocks {
  const width = bytesOf(sumType(dtype))
  const rows = Math.min(padded(m, STRIP_ROWS), (COLUMN_BYTES * threads) / shrink / width)
  const columns = Math.min(padded(n, stripColumns(dtype)), ROW_BYTES / shrink / width)
  const length = Math.min(k, LENGTH)
  let bytes = 0
  const place = (size: number): number => {
    const at = bytes
    bytes += padded(size, 64)
    return at
  }
  const a = place(rows * length * width)
  const b = place(columns * length * width)
  const sums = place(rows * columns * width)
  const factors = place(16)
  const parameters = place(Math.min(MAX_PARTS, rows / STRIP_ROWS) * GEMM_PARAMETERS)
  const stage = place(stages ? STAGE : 0)
  return { rows, columns, length, a, b, sums, factors, parameters, stage, bytes }
}

const kernels = new WeakMap<Engine, Map<string, Ready>>()

function kernelFor(engine: Engine, name: string, compile: () => Uint8Array<ArrayBuffer>): Ready {
  let own = kernels.get(engine)
  if (own === undefined) kernels.set(engine, (own = new Map()))
  let ready = own.get(name)
  if (ready === undefined) own.set(name, (ready = engine.load(compile())))
  return ready
}

export class Product {
  readonly #engine: Engine
  readonly #dtype: DType
  /** Bytes of a sum. */
  readonly #width: number
  readonly #blocks: Blocks
  readonly #scratch: number
  readonly #words: Int32Array

  constructor(engine: Engine, dtype: DType, blocks: Blocks, scratch: number) {
    this.#engine = engine
    this.#dtype = dtype
    this.#width = bytesOf(sumType(dtype))
    this.#blocks = blocks
    this.#scratch = scratch
    const { parameters, stage } = blocks
    this.#words = new Int32Array(engine.arena.buffer, scratch + parameters, (stage - parameters) / 4)
  }

  /** Steps that sum the products of each block, then hand it to `finish`. */
  *steps(
    { m, n, k }: GemmSizes,
    a: Lines,
    b: Lines,
    finish: (row: number, column: number, rows: number, columns: number) => boolean,
  ): Generator<Step> {
    const { rows, columns, length } = this.#blocks
    for (let column = 0; column < n; column += columns) {
      const width = Math.min(columns, n - column)
      for (let row = 0; row < m; row += rows) {
        const height = Math.min(rows, m - row)
        for (let start = 0; start < k; start += length) {
          const part = { start, length: Math.min(length, k - start) }
          yield () => {
            // When all of k is packed at once, what is packed of B serves the blocks below too.
            if (k > length || row === 0)
              this.#pack(b, stripColumns(this.#dtype), { ...part, line: column, lines: width }, this.#blocks.b)
            this.#pack(a, STRIP_ROWS, { ...part, line: row, lines: height }, this.#blocks.a)
            this.#multiply(height, width, part.length, start > 0)
            return true
          }
        }
        yield () => finish(row, column, height, width)
      }
    }
  }

  #pack(operand: Lines, lanes: number, piece: Piece, to: number): void {
    const { array, first, across, along, foreign } = operand
    const width = array.BYTES_PER_ELEMENT
    const target = this.#scratch + to
    const stripStep = lanes * piece.length * this.#width
    if (!foreign) {
      const source = array.byteOffset + (first + piece.line * across + piece.start * along) * width
      this.#runPack(lanes, piece, { source, across: across * width, along: along * width, target, stripStep })
      return
    }
    // What lies elsewhere is copied in pieces that run the way its memory runs.
    const room = STAGE / width / roomFor(1)
    const runsAcross = Math.abs(across) < Math.abs(along)
    const most = runsAcross ? room : room / piece.length
    const lines = Math.min(piece.lines, Math.floor(most / lanes) * lanes)
    const length = Math.min(piece.length, Math.floor(room / lines))
    for (let line = 0; line < piece.lines; line += lines) {
      for (let start = 0; start < piece.length; start += length) {
        const some = {
          line: piece.line + line,
          lines: Math.min(lines, piece.lines - line),
          start: piece.start + start,
          length: Math.min(length, piece.length - start),
        }
        const at = target + (line / lanes) * stripStep + start * lanes * this.#width
        this.#runPack(lanes, some, { ...this.#stage(operand, some), target: at, stripStep })
      }
    }
  }

  /** Copies part of an operand into scratch. */
  #stage({ array, first, across, along }: Lines, { line, lines, start, length }: Piece) {
    const width = array.BYTES_PER_ELEMENT
    const at = this.#engine.placed(STAGE, this.#scratch + this.#blocks.stage)
    const packed = packing([lines, length], [across, along])
    move(array, first + line * across + start * along, packed, this.#engine.arena.buffer, at, 'in')
    const [stepAcross, stepAlong] = packed.strides as readonly [number, number]
    return { source: at + packed.first * width, across: stepAcross * width, along: stepAlong * width }
  }

  #runPack(
    lanes: number,
    { lines, length }: Piece,
    where: Readonly<Record<'source' | 'across' | 'along' | 'target' | 'stripStep', number>>,
  ): void {
    const words = this.#parameters(1)
    words[PACK.source / 4] = where.source
    words[PACK.across / 4] = where.across
    words[PACK.along / 4] = where.along
    words[PACK.lines / 4] = lines
    words[PACK.length / 4] = length
    words[PACK.target / 4] = where.target
    words[PACK.stripStep / 4] = where.stripStep
    // Signs do not matter to packing, only widths, and the formats of 16-bit floats.
    const type = bitsOf(this.#dtype) === 16 ? this.#dtype : sumType(this.#dtype)
    const { arena } = this.#engine
    const kernel = kernelFor(this.#engine, `pack ${type} ${lanes}`, () => compilePack(type, lanes, arena))
    this.#run(kernel, words, 1)
  }

  /** Words for the parameters of so many parts. */
  #parameters(parts: number): Int32Array {
    const bytes = parts * GEMM_PARAMETERS
    const at = this.#engine.placed(bytes, this.#words.byteOffset)
    return at === this.#words.byteOffset ? this.#words : new Int32Array(this.#engine.arena.buffer, at, bytes / 4)
  }

  #run(kernel: Ready, { byteOffset: parametersAt }: Int32Array, parts: number): void {
    this.#engine.runTask({ ...kernel, parts, parametersAt, parametersSize: GEMM_PARAMETERS }, true)
  }

  /** Multiplies what is packed; each part is some strips of A. */
  #multiply(rows: number, columns: number, length: number, more: boolean): void {
    const { a, b, sums, columns: rowLength } = this.#blocks
    const strips = Math.ceil(rows / STRIP_ROWS)
    const work = STRIP_ROWS * columns * length
    const perPart = Math.max(1, Math.ceil(strips / MAX_PARTS), Math.floor(PART / work))
    const parts = Math.ceil(strips / perPart)
    const words = this.#parameters(parts)
    for (let part = 0; part < parts; part++) {
      const at = (part * GEMM_PARAMETERS) / 4
      const row = part * perPart * STRIP_ROWS
      words[at + MULTIPLY.a / 4] = this.#scratch + a + row * length * this.#width
      words[at + MULTIPLY.b / 4] = this.#scratch + b
      words[at + MULTIPLY.rowStrips / 4] = Math.min(perPart, strips - part * perPart)
      words[at + MULTIPLY.columnStrips / 4] = Math.ceil(columns / stripColumns(this.#dtype))
      words[at + MULTIPLY.length / 4] = length
      words[at + MULTIPLY.sums / 4] = this.#scratch + sums + row * rowLength * this.#width
      words[at + MULTIPLY.rowStep / 4] = rowLength * this.#width
      words[at + MULTIPLY.more / 4] = more ? 1 : 0
    }
    const type = sumType(this.#dtype)
    const { arena } = this.#engine
    const kernel = kernelFor(this.#engine, `multiply ${type}`, () => compileMultiply(type, arena))
    this.#run(kernel, words, parts)
  }
}

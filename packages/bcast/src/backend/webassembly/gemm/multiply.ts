// The sums of a matrix product, a block of the result at a time: strips of A and B are packed into scratch, where one
// kernel multiplies them.
import { bitsOf, type DType, type TypedArray } from '../../../dtype/dtype.ts'
import type { GemmBlocks, GemmSizes, Strips } from '../../../plan/gemm.ts'
import { MAX_PARTS } from '../../../plan/kernels.ts'
import { packing, roomFor } from '../../../plan/staging.ts'
import type { WebAssemblyBackend } from '../backend.ts'
import {
  compileGather,
  compileMultiply,
  compilePack,
  GATHER,
  GEMM_PARAMETERS,
  MULTIPLY,
  PACK,
  STRIP_ROWS,
  stripColumns,
  sumType,
} from '../codegen/gemm.ts'
import type { Kernel } from '../kernels.ts'
import { copy } from '../memory/copy.ts'
import type { Runner } from '../task.ts'
import type { QueueStep } from '../threads/queue.ts'
import type { Finish } from './finish.ts'

/** Room for a piece of an operand that lies outside the arena. */
const PIECE = 1 << 16
/** Products of one call: enough to be worth waking a thread for, few enough that calls are many and get compiled well. */
const PART = 1 << 19

/** An operand as lines of elements: the rows of A, the columns of B. Strides are in elements. */
export interface Lines {
  readonly array: TypedArray
  readonly first: number
  readonly across: number
  readonly along: number
  readonly foreign: boolean
  /** Where tables of offsets lie, for lines that no strides describe: addresses as the gathering kernel takes them. */
  readonly tables?: Readonly<Record<'across' | 'along' | 'unit', number>> | undefined
}

/** Part of an operand: some of its lines, and some elements of each. */
interface Piece {
  readonly line: number
  readonly lines: number
  readonly start: number
  readonly length: number
}

const bytesOf = (dtype: DType): number => bitsOf(dtype) / 8

/** What the kernels of a type multiply at once. */
export const stripsOf = (dtype: DType): Strips => ({
  width: bytesOf(sumType(dtype)),
  rows: STRIP_ROWS,
  columns: stripColumns(dtype),
})

const kernels = new WeakMap<WebAssemblyBackend, Map<string, Kernel>>()

/** A kernel of products by its name. */
export function kernelFor(backend: WebAssemblyBackend, name: string, compile: () => Uint8Array): Kernel {
  let own = kernels.get(backend)
  if (own === undefined) kernels.set(backend, (own = new Map()))
  let ready = own.get(name)
  if (ready === undefined) own.set(name, (ready = backend.load(compile())))
  return ready
}

/** Sums the products of a block of the result at a time. */
export class Multiplication {
  readonly #backend: WebAssemblyBackend
  readonly #dtype: DType
  /** Bytes of a sum. */
  readonly #width: number
  readonly #blocks: GemmBlocks
  readonly #scratch: number
  /** Where an operand is that was packed beforehand, all of it. */
  readonly packed: { a?: number; b?: number } = {}

  constructor(backend: WebAssemblyBackend, dtype: DType, blocks: GemmBlocks, scratch: number) {
    this.#backend = backend
    this.#dtype = dtype
    this.#width = bytesOf(sumType(dtype))
    this.#blocks = blocks
    this.#scratch = scratch
  }

  /** Steps that sum the products of each block, then hand it to `finish`. */
  *steps({ m, n, k }: GemmSizes, a: Lines, b: Lines, finish: Finish): Generator<QueueStep> {
    const { rows, columns, length } = this.#blocks
    for (let column = 0; column < n; column += columns) {
      const width = Math.min(columns, n - column)
      for (let row = 0; row < m; row += rows) {
        const height = Math.min(rows, m - row)
        for (let start = 0; start < k; start += length) {
          const part = { start, length: Math.min(length, k - start) }
          const [above, beside] = [
            { ...part, line: row, lines: height },
            { ...part, line: column, lines: width },
          ]
          yield (runner) => {
            // When all of k is packed at once, what is packed of B serves the blocks below too.
            if (this.packed.b === undefined && (k > length || row === 0)) {
              this.#pack(runner, b, stripColumns(this.#dtype), beside, this.#scratch + this.#blocks.b)
            }
            if (this.packed.a === undefined) this.#pack(runner, a, STRIP_ROWS, above, this.#scratch + this.#blocks.a)
            const from = {
              a: this.#placeOf(this.packed.a, above, k, STRIP_ROWS) ?? this.#scratch + this.#blocks.a,
              b: this.#placeOf(this.packed.b, beside, k, stripColumns(this.#dtype)) ?? this.#scratch + this.#blocks.b,
            }
            this.#multiply(runner, from, height, width, part.length, start > 0)
            return true
          }
        }
        yield (runner, now) => finish(runner, now, row, column, height, width)
      }
    }
  }

  /** Packs all pieces of an operand, one behind another, to an address. */
  packAll(runner: Runner, side: 'a' | 'b', operand: Lines, { m, n, k }: GemmSizes, address: number): void {
    const { rows, columns, length } = this.#blocks
    const [count, step, lanes] = side === 'a' ? [m, rows, STRIP_ROWS] : [n, columns, stripColumns(this.#dtype)]
    for (let line = 0; line < count; line += step) {
      for (let start = 0; start < k; start += length) {
        const piece = { line, lines: Math.min(step, count - line), start, length: Math.min(length, k - start) }
        this.#pack(runner, operand, lanes, piece, this.#placeOf(address, piece, k, lanes)!)
      }
    }
  }

  /** Where a piece is among all of them. */
  #placeOf(address: number | undefined, { line, lines, start }: Piece, k: number, lanes: number): number | undefined {
    return address && address + (line * k + Math.ceil(lines / lanes) * lanes * start) * this.#width
  }

  /** Bytes of all pieces of so many lines. */
  packedBytes(side: 'a' | 'b', { m, n, k }: GemmSizes): number {
    const [count, lanes] = side === 'a' ? [m, STRIP_ROWS] : [n, stripColumns(this.#dtype)]
    return Math.ceil(count / lanes) * lanes * k * this.#width
  }

  #pack(runner: Runner, operand: Lines, lanes: number, piece: Piece, target: number): void {
    const { array, first, across, along, foreign, tables } = operand
    const width = array.BYTES_PER_ELEMENT
    const stripStep = lanes * piece.length * this.#width
    if (tables !== undefined) {
      this.#gather(runner, array.byteOffset + first * width, tables, lanes, piece, target)
      return
    }
    if (!foreign) {
      const source = array.byteOffset + (first + piece.line * across + piece.start * along) * width
      this.#runPack(runner, lanes, piece, { source, across: across * width, along: along * width, target, stripStep })
      return
    }
    // What lies elsewhere is copied in pieces that run the way its memory runs.
    const room = PIECE / width / roomFor(1)
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
        this.#runPack(runner, lanes, some, { ...this.#copy(runner, operand, some), target: at, stripStep })
      }
    }
  }

  /** Copies part of an operand into the kernels' memory. */
  #copy(runner: Runner, { array, first, across, along }: Lines, { line, lines, start, length }: Piece) {
    const width = array.BYTES_PER_ELEMENT
    const at = runner.copies(PIECE)
    const packed = packing([lines, length], [across, along])
    const from = first + line * across + start * along
    runner.before(() => copy(array, from, packed, this.#backend.arena.buffer, at, 'in'))
    const [stepAcross, stepAlong] = packed.strides as readonly [number, number]
    return { source: at + packed.first * width, across: stepAcross * width, along: stepAlong * width }
  }

  #runPack(
    runner: Runner,
    lanes: number,
    { lines, length }: Piece,
    where: Readonly<Record<'source' | 'across' | 'along' | 'target' | 'stripStep', number>>,
  ): void {
    const words = this.#parameters(runner, 1)
    words[PACK.source / 4] = where.source
    words[PACK.across / 4] = where.across
    words[PACK.along / 4] = where.along
    words[PACK.lines / 4] = lines
    words[PACK.length / 4] = length
    words[PACK.target / 4] = where.target
    words[PACK.stripStep / 4] = where.stripStep
    // Signs do not matter to packing, only widths, and the formats of 16-bit floats.
    const type = bitsOf(this.#dtype) === 16 ? this.#dtype : sumType(this.#dtype)
    const { arena } = this.#backend
    const kernel = kernelFor(this.#backend, `pack ${type} ${lanes}`, () => compilePack(type, lanes, arena))
    this.#run(runner, kernel, words, 1)
  }

  #gather(
    runner: Runner,
    source: number,
    { across, along, unit }: Readonly<Record<'across' | 'along' | 'unit', number>>,
    lanes: number,
    { line, lines, start, length }: Piece,
    target: number,
  ): void {
    const words = this.#parameters(runner, 1)
    words[GATHER.source / 4] = source
    words[GATHER.across / 4] = across + 4 * line
    words[GATHER.unit / 4] = unit + (4 * line) / lanes
    words[GATHER.lines / 4] = lines
    words[GATHER.along / 4] = along + 4 * start
    words[GATHER.length / 4] = length
    words[GATHER.target / 4] = target
    words[GATHER.stripStep / 4] = lanes * length * this.#width
    const type = sumType(this.#dtype)
    const { arena } = this.#backend
    const kernel = kernelFor(this.#backend, `gather ${type}`, () => compileGather(type, arena))
    this.#run(runner, kernel, words, 1)
  }

  /** Words for the parameters of so many parts. */
  #parameters(runner: Runner, parts: number): Int32Array {
    const bytes = parts * GEMM_PARAMETERS
    // Asking for room may make the arena grow, which makes another buffer of it.
    const at = runner.parameters(bytes)
    return new Int32Array(this.#backend.arena.buffer, at, bytes / 4)
  }

  #run(runner: Runner, kernel: Kernel, { byteOffset: parametersAt }: Int32Array, parts: number): void {
    runner.run({ ...kernel, parts, parametersAt, parametersSize: GEMM_PARAMETERS }, Number.POSITIVE_INFINITY)
  }

  /** Multiplies what is packed; each part is some strips of A. */
  #multiply(
    runner: Runner,
    from: { readonly a: number; readonly b: number },
    rows: number,
    columns: number,
    length: number,
    more: boolean,
  ): void {
    const { sums, columns: rowLength } = this.#blocks
    const strips = Math.ceil(rows / STRIP_ROWS)
    const work = STRIP_ROWS * columns * length
    const perPart = Math.max(1, Math.ceil(strips / MAX_PARTS), Math.floor(PART / work))
    const parts = Math.ceil(strips / perPart)
    const words = this.#parameters(runner, parts)
    for (let part = 0; part < parts; part++) {
      const at = (part * GEMM_PARAMETERS) / 4
      const row = part * perPart * STRIP_ROWS
      words[at + MULTIPLY.a / 4] = from.a + row * length * this.#width
      words[at + MULTIPLY.b / 4] = from.b
      words[at + MULTIPLY.rowStrips / 4] = Math.min(perPart, strips - part * perPart)
      words[at + MULTIPLY.columnStrips / 4] = Math.ceil(columns / stripColumns(this.#dtype))
      words[at + MULTIPLY.length / 4] = length
      words[at + MULTIPLY.sums / 4] = this.#scratch + sums + row * rowLength * this.#width
      words[at + MULTIPLY.rowStep / 4] = rowLength * this.#width
      words[at + MULTIPLY.more / 4] = more ? 1 : 0
    }
    const type = sumType(this.#dtype)
    const { arena } = this.#backend
    const kernel = kernelFor(this.#backend, `multiply ${type}`, () => compileMultiply(type, arena))
    this.#run(runner, kernel, words, parts)
  }
}

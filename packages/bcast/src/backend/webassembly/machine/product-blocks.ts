// The steps of a product: what is to be packed of a block is packed, one kernel multiplies it, and what that has not
// finished is finished while it is in the cache.
import type { Storage } from '../../../dtype/dtype.ts'
import type { GemmSizes } from '../../../plan/gemm.ts'
import { type ProductPlan, productParts } from '../../../plan/machine-product.ts'
import { PRODUCT } from '../../../plan/product-parameters.ts'
import type { Finish } from '../gemm/finish.ts'
import type { Runner } from '../task.ts'
import type { QueueStep } from '../threads/queue.ts'
import type { ProductKernel, ProductTile } from './code.ts'
import type { Lying } from './lying.ts'
import type { ProductKernels } from './product-kernels.ts'
import { type Lines, type PackedTypes, type Piece, packPiece, placeAmong, stripBytes } from './product-operands.ts'

/** What the kernel that multiplies does with sums; they are `kept` where something else finishes them. */
export type Ending = Extract<ProductKernel, { kind: 'multiply' }>['c'] | 'kept'

/** A product whose operands have addresses. */
export interface Blocked {
  readonly sizes: GemmSizes
  readonly types: PackedTypes
  /** Bytes of a sum. */
  readonly width: number
  readonly tile: ProductTile
  readonly plan: ProductPlan
  readonly threads: number
  readonly a: Lines
  readonly b: Lines
  readonly c: Lying | undefined
  readonly alpha: number
  readonly beta: number
  readonly result: Lying
  readonly ending: Ending
}

type Side = 'a' | 'b'

export class ProductBlocks {
  readonly #kernels: ProductKernels
  readonly #given: Blocked
  /** Where an operand is that was packed beforehand, all of it. */
  readonly packed: { a?: number; b?: number } = {}
  /** Where scratch is. */
  scratch = 0

  constructor(kernels: ProductKernels, given: Blocked) {
    this.#kernels = kernels
    this.#given = given
  }

  /** Steps that compute a block each; `finish` makes a block of the result of sums that are kept. */
  *steps(finish: Finish | undefined): Generator<QueueStep> {
    const { sizes, plan } = this.#given
    const { m, n, k } = sizes
    for (let column = 0; column < n; column += plan.columns) {
      const columns = Math.min(plan.columns, n - column)
      for (let row = 0; row < m; row += plan.rows) {
        const rows = Math.min(plan.rows, m - row)
        for (let start = 0; start < k; start += plan.length) {
          const part = { start, length: Math.min(plan.length, k - start) }
          yield (runner) => {
            const above = { ...part, line: row, lines: rows }
            const beside = { ...part, line: column, lines: columns }
            // When all of k is packed at once, what is packed of B serves the blocks below too.
            if (plan.length < k || row === 0) this.#pack(runner, 'b', beside)
            this.#pack(runner, 'a', above)
            this.#multiply(runner, above, beside)
            return true
          }
        }
        if (finish !== undefined) yield (runner, now) => finish(runner, now, row, column, rows, columns)
      }
    }
  }

  /** Bytes of scratch, once it is known what is packed beforehand. */
  get bytes(): number {
    return this.sumsAt + this.#given.plan.sums
  }

  /** How far behind the beginning of scratch sums lie: what is packed comes before. */
  get sumsAt(): number {
    return this.#room('a') + this.#room('b')
  }

  #room(side: Side): number {
    return this.packed[side] === undefined ? this.#given.plan[side] : 0
  }

  #placeOf(what: Side | 'sums'): number {
    return this.scratch + (what === 'a' ? 0 : what === 'b' ? this.#room('a') : this.sumsAt)
  }

  #packs(side: Side): boolean {
    const { plan } = this.#given
    return side === 'a' ? plan.packsA : plan.packsB
  }

  #pack(runner: Runner, side: Side, piece: Piece): void {
    if (!this.#packs(side) || this.packed[side] !== undefined) return
    const { types, threads } = this.#given
    packPiece(this.#kernels, runner, this.#given[side], types, piece, this.#placeOf(side), threads)
  }

  /** Bytes of all of an operand, packed; undefined where it is read where it lies, or packed anew each time. */
  bytesOf(side: Side): number | undefined {
    const { sizes, types } = this.#given
    const lines = this.#given[side]
    if (!this.#packs(side) || lines.tables !== undefined) return undefined
    const count = side === 'a' ? sizes.m : sizes.n
    return Math.ceil(count / lines.advance) * stripBytes(lines, types, sizes.k)
  }

  /** What tells operands apart that are packed differently. */
  get key(): string {
    const { types, plan, a, b } = this.#given
    return ['machine', types.dtype, plan.rows, plan.columns, plan.length, a.lanes, a.advance, b.lanes].join()
  }

  /** Packs all pieces of an operand, one behind another, to an address. */
  packAll(runner: Runner, side: Side, address: number): void {
    const { sizes, plan, types } = this.#given
    const { k } = sizes
    const [count, step] = side === 'a' ? [sizes.m, plan.rows] : [sizes.n, plan.columns]
    for (let line = 0; line < count; line += step) {
      for (let start = 0; start < k; start += plan.length) {
        const piece = { line, lines: Math.min(step, count - line), start, length: Math.min(plan.length, k - start) }
        const lines = this.#given[side]
        packPiece(this.#kernels, runner, lines, types, piece, address + placeAmong(lines, types, piece, k), 1)
      }
    }
  }

  /** Where a piece of an operand begins, with steps from line to line, along a line, and from strip to strip. */
  #stripsOf(side: Side, piece: Piece): readonly [at: number, across: number, along: number, strip: number] {
    const { types, width, sizes } = this.#given
    const lines = this.#given[side]
    if (!this.#packs(side)) {
      const { at, across, along, advance } = lines
      return [at + piece.line * across + piece.start * along, across, along, advance * across]
    }
    const all = this.packed[side]
    const at = all === undefined ? this.#placeOf(side) : all + placeAmong(lines, types, piece, sizes.k)
    return [at, width, lines.lanes * width, stripBytes(lines, types, piece.length)]
  }

  /** The array of an operand that is read where it lies. */
  #arrayOf(side: Side): Storage | undefined {
    return this.#packs(side) ? undefined : this.#given[side].array
  }

  #kernelFor(isFirst: boolean, isLast: boolean): Extract<ProductKernel, { kind: 'multiply' }> {
    const { types, ending } = this.#given
    const c = isLast && ending !== 'kept' ? ending : undefined
    return { kind: 'multiply', type: types.type, starts: isFirst ? 'zero' : 'sums', c }
  }

  /** Whether the system takes the code that it begins with. */
  get isPossible(): boolean {
    const { plan, sizes } = this.#given
    return this.#kernels.has(this.#kernelFor(true, plan.length >= sizes.k))
  }

  /** Multiplies a block, in parts for the threads. */
  #multiply(runner: Runner, above: Piece, beside: Piece): void {
    const { sizes, types, width, tile, plan, threads, c, alpha, beta, result, ending } = this.#given
    const { start, length } = above
    const isLast = start + length === sizes.k
    const [row, column] = [above.line, beside.line]
    const kernel = this.#kernelFor(start === 0, isLast)
    const [a, aRow, aStep, aStrip] = this.#stripsOf('a', above)
    const [b, , bStep, bStrip] = this.#stripsOf('b', beside)
    const [to, toRow] =
      ending === 'kept'
        ? [this.#placeOf('sums'), plan.columns * width]
        : [result.at + row * result.steps[0] + column * width, result.steps[0]]
    const sumsIn = ending === 'kept' ? undefined : result.array
    const parts = productParts({ m: above.lines, n: beside.lines, k: length }, tile, threads)
    const told = this.#kernels.parameters(runner, parts.length, PRODUCT.bytes)
    for (const [i, part] of parts.entries()) {
      const at = to + part.row * toRow + part.column * width
      told.point(i, PRODUCT.a, a + (part.row / tile.rows) * aStrip, this.#arrayOf('a'))
      told.write(i, PRODUCT.aRow, aRow)
      told.write(i, PRODUCT.aStep, aStep)
      told.write(i, PRODUCT.aStrip, aStrip)
      told.point(i, PRODUCT.b, b + (part.column / tile.columns) * bStrip, this.#arrayOf('b'))
      told.write(i, PRODUCT.bStep, bStep)
      told.write(i, PRODUCT.bStrip, bStrip)
      told.write(i, PRODUCT.rows, part.rows)
      told.write(i, PRODUCT.columns, part.columns)
      told.write(i, PRODUCT.length, length)
      told.point(i, PRODUCT.from, at, sumsIn)
      told.write(i, PRODUCT.fromRow, toRow)
      told.point(i, PRODUCT.to, at, sumsIn)
      told.write(i, PRODUCT.toRow, toRow)
      if (kernel.c === undefined) continue
      told.element(i, PRODUCT.alpha, types.type, alpha)
      if (c === undefined) continue
      told.element(i, PRODUCT.beta, types.type, beta)
      told.point(i, PRODUCT.c, c.at + (row + part.row) * c.steps[0] + (column + part.column) * c.steps[1], c.array)
      told.write(i, PRODUCT.cRow, c.steps[0])
    }
    this.#kernels.run(runner, kernel, told, parts.length === 1 ? 0 : Number.POSITIVE_INFINITY)
  }
}

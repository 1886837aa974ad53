// A product of matrices by machine code: operands are read where they lie, or packed into strips a block at a time, and
// sums go to the result at once where its elements lie side by side, with alpha and C as well.
import { bitsOf, type TypedArray } from '../../../dtype/dtype.ts'
import { type ProductPlan, planProduct, productParts } from '../../../plan/machine-product.ts'
import { GATHERING, PACKING, PRODUCT } from '../../../plan/product-parameters.ts'
import { extent } from '../../../tensor/layout.ts'
import type { Placed } from '../../../tensor/placed.ts'
import type { GemmJob } from '../../gemm-job.ts'
import { sumType } from '../codegen/gemm.ts'
import { type Finish, finishOf } from '../gemm/finish.ts'
import type { Steps } from '../gemm/scratch.ts'
import { tablesOf } from '../gemm/tables.ts'
import type { Runner } from '../task.ts'
import type { QueueStep } from '../threads/queue.ts'
import type { MachineCode, ProductKernel, ProductTile } from './code.ts'
import { turnedJob } from './lying.ts'
import { ProductKernels } from './product-kernels.ts'
import { rowSteps } from './row-product.ts'
import type { ProductRequest } from './seam.ts'

/** How much smaller blocks may get when the arena is nearly full. */
const SHRINKS = [1, 4, 16]
/** Elements up to which packing is over before a thread would have begun. */
const PACKED_ALONE = 1 << 16

/** The same product the other way round where the result's elements lie side by side that way. */
function wellTurned(job: GemmJob): GemmJob {
  const { sizes, out, gathered } = job
  const { m, n } = sizes
  if (gathered !== undefined || n === 1 || out.strides[1] === 1 || (out.strides[0] !== 1 && m > 1)) return job
  return turnedJob(job)
}

/** How the kernel that multiplies finishes sums; `kept` where something else has to. */
function endingOf({ sizes: { m, n }, c, alpha, out }: GemmJob, tile: ProductTile, isSplit: boolean) {
  if (n > 1 && out.strides[1] !== 1) return 'kept'
  if (c === undefined) return alpha === 1 ? undefined : tile.finishes ? 'none' : 'kept'
  if (!tile.finishes || (isSplit && overlap(c, out, [m, n]))) return 'kept'
  return n === 1 || c.strides[1] === 0 ? 'column' : c.strides[1] === 1 ? 'row' : 'kept'
}

/** Whether sums that go to the result would come upon elements of C that are still to be read. */
function overlap(c: Placed, out: Placed, shape: readonly number[]): boolean {
  const [a, b] = [c, out].map(({ storage, offset, strides }) => {
    const array = storage as TypedArray
    const { low, high } = extent({ shape, strides, offset })!
    const width = array.BYTES_PER_ELEMENT
    return { buffer: array.buffer, low: array.byteOffset + low * width, high: array.byteOffset + high * width }
  }) as [{ buffer: unknown; low: number; high: number }, { buffer: unknown; low: number; high: number }]
  return a.buffer === b.buffer && a.low <= b.high && b.low <= a.high
}

/** Undefined where WebAssembly is to compute it. */
export function productSteps(code: MachineCode, request: ProductRequest): Steps | undefined {
  const { backend, threads, memory, direct } = request
  const { arena } = backend
  const job = wellTurned(request.job)
  const { dtype, sizes, a, b, c, out, gathered } = job
  const { m, n, k } = sizes
  const stays = ({ storage }: Placed): boolean => direct || arena.holds(storage as TypedArray)
  if (k === 0 || ![a, b, out, ...(c === undefined ? [] : [c])].every(stays)) return undefined
  const type = sumType(dtype)
  const width = bitsOf(type) / 8
  const tile = code.tile(type)
  const kernels = new ProductKernels(code, backend)
  const { home } = kernels
  const means = { ...tile, ...code.caches }
  const isSame = bitsOf(dtype) === bitsOf(type)
  const row = isSame && tile.finishes ? rowSteps(kernels, request, type, width) : undefined
  if (row !== undefined) return row
  const shape = {
    sizes,
    width,
    alongA: isSame ? (k === 1 ? 1 : a.strides[1]!) : undefined,
    alongB: isSame && gathered === undefined ? (n === 1 ? 1 : b.strides[1]!) : undefined,
  }
  const plan = (shrink: number): { readonly blocks: ProductPlan; readonly ending: ReturnType<typeof endingOf> } => {
    const blocks = planProduct({ ...shape, keepsSums: !isSame }, means, shrink)
    const ending = isSame ? endingOf(job, tile, blocks.length < k) : 'kept'
    return {
      blocks: ending === 'kept' && isSame ? planProduct({ ...shape, keepsSums: true }, means, shrink) : blocks,
      ending,
    }
  }
  const tables = gathered && tablesOf(gathered, width, tile.columns, tile.lanes)
  const tableBytes = tables === undefined ? 0 : tables.words.byteLength
  for (const shrink of SHRINKS) {
    const { blocks, ending } = plan(shrink)
    const bytes = blocks.bytes + (memory.keep === undefined ? tableBytes : 0)
    const scratch = bytes === 0 ? 0 : memory.allocate(bytes)
    if (scratch === undefined) continue
    let tablesAt = 0
    if (tables !== undefined) {
      tablesAt = memory.keep?.(tableBytes) ?? scratch + blocks.bytes
      new Int32Array(arena.buffer, tablesAt, tables.words.length).set(tables.words)
      tablesAt += home
    }
    const [left, right, result] = [kernels.lying(a), kernels.lying(b), kernels.lying(out)]
    const addend = c && kernels.lying(c)
    const finish: Finish | undefined =
      ending === 'kept'
        ? finishOf(backend, job, {
            sums: scratch + blocks.sums,
            rows: blocks.rows,
            rowLength: blocks.columns,
            factors: memory.keep?.(16) ?? scratch + blocks.factors,
          })
        : undefined
    const columnStrip = tile.columns * width

    /** Packs some lines of an operand, whose elements go on for a length, into strips at an address. */
    const packLines = (
      runner: Runner,
      side: 'a' | 'b',
      line: number,
      lines: number,
      start: number,
      length: number,
      at: number,
    ) => {
      const [lanes, advance] = side === 'a' ? [tile.rowLanes, tile.rows] : [tile.columns, tile.columns]
      const stripBytes = lanes * length * width
      const isShared = threads > 1 && lines * length > PACKED_ALONE
      const perPart = isShared ? Math.ceil(lines / advance / (2 * threads)) * advance : lines
      const parts = Math.ceil(lines / perPart)
      const isGathered = side === 'b' && tables !== undefined
      const { across, along, source } =
        side === 'a'
          ? { across: left.steps[0], along: left.steps[1], source: left.at }
          : { across: right.steps[1], along: right.steps[0], source: right.at }
      const size = bitsOf(dtype) / 8
      const motion = lines === 1 || across === size ? 'unit' : length === 1 || along === size ? 'turned' : 'strided'
      const kernel: ProductKernel = isGathered
        ? { kind: 'gather', type }
        : { kind: 'pack', dtype: isSame ? type : dtype, lanes, advance, motion }
      const block = kernels.parameters(runner, parts, isGathered ? GATHERING.bytes : PACKING.bytes)
      for (let part = 0; part < parts; part++) {
        const first = part * perPart
        const count = Math.min(perPart, lines - first)
        const target = at + (first / advance) * stripBytes
        if (isGathered) {
          block.write(part, GATHERING.source, source)
          block.write(part, GATHERING.across, tablesAt + tables.across + 4 * (line + first))
          block.write(part, GATHERING.unit, tablesAt + tables.unit + (4 * (line + first)) / tile.lanes)
          block.write(part, GATHERING.lines, count)
          block.write(part, GATHERING.along, tablesAt + 4 * start)
          block.write(part, GATHERING.length, length)
          block.write(part, GATHERING.target, target)
          block.write(part, GATHERING.targetStrip, stripBytes)
        } else {
          block.write(part, PACKING.source, source + (line + first) * across + start * along)
          block.write(part, PACKING.across, across)
          block.write(part, PACKING.along, along)
          block.write(part, PACKING.lines, count)
          block.write(part, PACKING.length, length)
          block.write(part, PACKING.target, target)
          block.write(part, PACKING.targetStrip, stripBytes)
        }
      }
      kernels.run(runner, kernel, block, lines * length)
    }

    /** Where a block of an operand lies among all of them, packed one behind another. */
    const placeIn = (all: number, side: 'a' | 'b', line: number, lines: number, start: number): number => {
      const [lanes, advance] = side === 'a' ? [tile.rowLanes, tile.rows] : [tile.columns, tile.columns]
      return all + ((line / advance) * k + Math.ceil(lines / advance) * start) * lanes * width
    }
    /** All of an operand that never changes, packed for good. */
    const packedAll = (side: 'a' | 'b'): number | undefined => {
      if (!(side === 'a' ? blocks.packsA : blocks.packsB) || (side === 'b' && tables !== undefined)) return undefined
      const [operand, whole] = side === 'a' ? [a, [m, k]] : [b, [k, n]]
      const [count, step] = side === 'a' ? [m, blocks.rows] : [n, blocks.columns]
      const [lanes, advance] = side === 'a' ? [tile.rowLanes, tile.rows] : [tile.columns, tile.columns]
      const key = [
        'machine',
        side,
        dtype,
        operand.offset,
        operand.strides,
        whole,
        step,
        blocks.length,
        lanes,
        advance,
      ].join()
      const all = Math.ceil(count / advance) * lanes * k * width
      const at = memory.packed?.(operand, whole, key, all, (address) => {
        for (let line = 0; line < count; line += step) {
          const lines = Math.min(step, count - line)
          for (let start = 0; start < k; start += blocks.length) {
            const length = Math.min(blocks.length, k - start)
            packLines(
              backend.runner,
              side,
              line,
              lines,
              start,
              length,
              placeIn(home + address, side, line, lines, start),
            )
          }
        }
      })
      return at === undefined ? undefined : home + at
    }
    const [allA, allB] = [packedAll('a'), packedAll('b')]

    const multiply = (
      runner: Runner,
      row: number,
      rows: number,
      column: number,
      columns: number,
      start: number,
      length: number,
    ): void => {
      const isLast = start + length === k
      const kernel: ProductKernel = {
        kind: 'multiply',
        type,
        starts: start === 0 ? 'zero' : 'sums',
        c: isLast && ending !== 'kept' ? ending : undefined,
      }
      const parts = productParts({ m: rows, n: columns, k: length }, tile, threads)
      const [aAt, aRow, aStep, aStrip] = blocks.packsA
        ? [
            allA === undefined ? home + scratch + blocks.a : placeIn(allA, 'a', row, rows, start),
            width,
            tile.rowLanes * width,
            tile.rowLanes * length * width,
          ]
        : [
            left.at + row * left.steps[0] + start * left.steps[1],
            left.steps[0],
            left.steps[1],
            tile.rows * left.steps[0],
          ]
      const [bAt, bStep, bStrip] = blocks.packsB
        ? [
            allB === undefined ? home + scratch + blocks.b : placeIn(allB, 'b', column, columns, start),
            columnStrip,
            columnStrip * length,
          ]
        : [right.at + column * right.steps[1] + start * right.steps[0], right.steps[0], columnStrip]
      const [toAt, toRow] =
        finish === undefined
          ? [result.at + row * result.steps[0] + column * width, result.steps[0]]
          : [home + scratch + blocks.sums, blocks.columns * width]
      const block = kernels.parameters(runner, parts.length, PRODUCT.bytes)
      for (const [i, part] of parts.entries()) {
        const to = toAt + part.row * toRow + part.column * width
        block.write(i, PRODUCT.a, aAt + (part.row / tile.rows) * aStrip)
        block.write(i, PRODUCT.aRow, aRow)
        block.write(i, PRODUCT.aStep, aStep)
        block.write(i, PRODUCT.aStrip, aStrip)
        block.write(i, PRODUCT.b, bAt + (part.column / tile.columns) * bStrip)
        block.write(i, PRODUCT.bStep, bStep)
        block.write(i, PRODUCT.bStrip, bStrip)
        block.write(i, PRODUCT.rows, part.rows)
        block.write(i, PRODUCT.columns, part.columns)
        block.write(i, PRODUCT.length, length)
        block.write(i, PRODUCT.from, to)
        block.write(i, PRODUCT.fromRow, toRow)
        block.write(i, PRODUCT.to, to)
        block.write(i, PRODUCT.toRow, toRow)
        if (kernel.c === undefined) continue
        block.element(i, PRODUCT.alpha, type, job.alpha)
        if (addend === undefined) continue
        block.element(i, PRODUCT.beta, type, job.beta)
        block.write(
          i,
          PRODUCT.c,
          addend.at + (row + part.row) * addend.steps[0] + (column + part.column) * addend.steps[1],
        )
        block.write(i, PRODUCT.cRow, addend.steps[0])
      }
      kernels.run(runner, kernel, block, parts.length === 1 ? 0 : Number.POSITIVE_INFINITY)
    }

    function* steps(): Generator<QueueStep> {
      for (let column = 0; column < n; column += blocks.columns) {
        const columns = Math.min(blocks.columns, n - column)
        for (let row = 0; row < m; row += blocks.rows) {
          const rows = Math.min(blocks.rows, m - row)
          for (let start = 0; start < k; start += blocks.length) {
            const length = Math.min(blocks.length, k - start)
            yield (runner) => {
              // When all of k is packed at once, what is packed of B serves the blocks below too.
              if (blocks.packsB && allB === undefined && (blocks.length < k || row === 0)) {
                packLines(runner, 'b', column, columns, start, length, home + scratch! + blocks.b)
              }
              if (blocks.packsA && allA === undefined) {
                packLines(runner, 'a', row, rows, start, length, home + scratch! + blocks.a)
              }
              multiply(runner, row, rows, column, columns, start, length)
              return true
            }
          }
          if (finish !== undefined) yield (runner, now) => finish(runner, now, row, column, rows, columns)
        }
      }
    }
    return { steps: steps(), free: () => (bytes === 0 ? undefined : memory.free(scratch, bytes)) }
  }
  return undefined
}

// Kernels of products read and write nothing beyond their operands, each of which ends where memory does: one byte beyond
// ends the process, and the test with it. Before a result, and between its rows, nothing changes.
import { createRequire } from 'node:module'
import { type DType, GATHERING, PACKING, PRODUCT, type ProductKernel, ROW } from 'bcast/kernels'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CodeMemory } from '../src/code.ts'
import { koffiFfi } from '../src/ffi/koffi.ts'
import { compileProduct } from '../src/x86/gemm/kernel.ts'
import { productTile } from '../src/x86/gemm/tile.ts'
import { bytesOf } from '../src/x86/vectors.ts'
import { foundOnX86 } from './found.ts'

/** An operand has a block of its own, whose last page nobody may touch. */
const BLOCK = 1 << 18
const PAGE = 4096
const BLOCKS = 7

/** Memory with a wall behind every block; its address, and its bytes. */
function walled(): { readonly address: bigint; readonly bytes: Uint8Array } {
  const koffi = createRequire(import.meta.url)('koffi')
  const mprotect = koffi.load('libc.so.6').func('int mprotect(void *at, size_t length, int protection)')
  const address = koffiFfi().allocate(BLOCK * BLOCKS)!
  const bytes = new Uint8Array(koffi.view(address, BLOCK * BLOCKS))
  for (let i = 1; i <= BLOCKS; i++) expect(mprotect(address + BigInt(i * BLOCK - PAGE), PAGE, 0)).toBe(0)
  return { address, bytes }
}

/** Where rows of so many bytes lie so that the last one ends at a wall. */
interface Rows {
  readonly at: number
  readonly size: number
  readonly step: number
  readonly length: number
}

function rowsIn(block: number, rows: number, length: number, gap: number): Rows {
  const step = length + gap
  const size = (rows - 1) * step + length
  return { at: (block + 2) * BLOCK - PAGE - size, size, step, length }
}

const TYPES = ['float32', 'float64', 'int32', 'int64'] as const
const PACKED = [...TYPES, 'float16', 'bfloat16'] as const
const cases = fc.record({
  kind: fc.constantFrom('multiply', 'pack', 'gather', 'across', 'along'),
  type: fc.constantFrom<DType>(...TYPES),
  dtype: fc.constantFrom<DType>(...PACKED),
  motion: fc.constantFrom('unit', 'turned', 'strided'),
  starts: fc.constantFrom('zero', 'sums'),
  c: fc.constantFrom('none', 'row', 'column', undefined),
  side: fc.constantFrom('a', 'b'),
  isTurned: fc.boolean(),
  m: fc.integer({ min: 1, max: 20 }),
  n: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 110 })),
  k: fc.integer({ min: 1, max: 40 }),
  gap: fc.integer({ min: 0, max: 3 }),
})

describe.each(foundOnX86)('kernels of products of %s', (level) => {
  const { address, bytes } = walled()
  const memory = new CodeMemory(koffiFfi())
  /** Runs a kernel told so much and checks what it has written, apart from rows of its result. */
  function run(kernel: ProductKernel, words: Readonly<Record<number, number>>, result: Rows): void {
    const told = new BigInt64Array(bytes.buffer, 0, 32)
    for (const [offset, value] of Object.entries(words)) told[Number(offset) / 8] = BigInt(value)
    const before = bytes.slice(result.at - 64, result.at + result.size)
    expect(memory.load(compileProduct(kernel, level, address)).run(0)).toBe(0)
    const after = bytes.slice(result.at - 64, result.at + result.size)
    for (let i = 0; i < before.length; i++) {
      const isResult = i >= 64 && (i - 64) % result.step < result.length
      if (!isResult && before[i] !== after[i]) expect.fail(`byte ${i - 64} of the result's block was written`)
    }
  }
  const base = Number(address)
  const fill = (rows: Rows): number => {
    for (let i = 0; i < rows.size; i++) bytes[rows.at + i] = (i * 37) & 0x3f
    return base + rows.at
  }

  it('touch nothing beyond their operands', () => {
    const ran = new Set<string>()
    fc.assert(
      fc.property(cases, ({ kind, type, dtype, motion, starts, c, side, isTurned, m, n, k, gap }) => {
        const tile = productTile(level, type)
        const width = bytesOf(type)
        ran.add(kind)
        if (kind === 'multiply') {
          // Without masks, rows of B are packed where they end inside of a vector.
          const columns = tile.readsEnds ? n : Math.ceil(n / tile.lanes) * tile.lanes
          const a = rowsIn(0, isTurned ? k : m, (isTurned ? m : k) * width, gap * width)
          const b = rowsIn(1, k, columns * width, gap * width)
          const to = rowsIn(2, m, n * width, gap * width)
          const from = rowsIn(3, m, n * width, gap * width)
          const added = rowsIn(4, m, (c === 'column' ? 1 : n) * width, gap * width)
          const ends = tile.finishes ? c : undefined
          const [aRow, aStep] = isTurned ? [width, a.step] : [a.step, width]
          run(
            { kind, type, starts, c: ends },
            {
              [PRODUCT.a]: fill(a),
              [PRODUCT.aRow]: aRow,
              [PRODUCT.aStep]: aStep,
              [PRODUCT.aStrip]: aRow * tile.rows,
              [PRODUCT.b]: fill(b),
              [PRODUCT.bStep]: b.step,
              [PRODUCT.bStrip]: tile.columns * width,
              [PRODUCT.rows]: m,
              [PRODUCT.columns]: n,
              [PRODUCT.length]: k,
              [PRODUCT.from]: fill(from),
              [PRODUCT.fromRow]: from.step,
              [PRODUCT.to]: fill(to),
              [PRODUCT.toRow]: to.step,
              [PRODUCT.c]: fill(added),
              [PRODUCT.cRow]: added.step,
            },
            to,
          )
          return
        }
        if (kind === 'pack') {
          const own = bytesOf(dtype)
          const { rows, rowLanes, columns } = productTile(level, own === 8 ? 'float64' : 'float32')
          const [lanes, advance] = side === 'a' ? [rowLanes, rows] : [columns, columns]
          const [lines, elements] = [n, k]
          const apart = motion === 'strided' ? own : 0
          const source =
            motion === 'unit'
              ? rowsIn(0, elements, lines * own, gap * own)
              : rowsIn(0, lines, (elements - 1) * (own + apart) + own, gap * own)
          const [across, along] = motion === 'unit' ? [own, source.step] : [source.step, own + apart]
          const strip = lanes * elements * Math.max(4, own)
          const target = rowsIn(1, 1, Math.ceil(lines / advance) * strip, 0)
          run(
            { kind, dtype, lanes, advance, motion },
            {
              [PACKING.source]: fill(source),
              [PACKING.across]: across,
              [PACKING.along]: along,
              [PACKING.lines]: lines,
              [PACKING.length]: elements,
              [PACKING.target]: fill(target),
              [PACKING.targetStrip]: strip,
            },
            target,
          )
          return
        }
        if (kind === 'gather') {
          // Lines side by side in rows of some, with gaps.
          const strips = Math.ceil(n / tile.columns)
          const rows = Math.ceil(n / 30)
          const source = rowsIn(0, k * rows, Math.min(n, 30) * width, gap * width)
          const lines = Array.from({ length: strips * tile.columns }, (_, i) => {
            const line = Math.min(i, rows * Math.min(n, 30) - 1, n - 1)
            return Math.floor(line / 30) * source.step + (line % 30) * width
          })
          const unit = Array.from({ length: lines.length / tile.lanes }, (_, v) =>
            lines.slice(v * tile.lanes, (v + 1) * tile.lanes).every((line, i, own) => line === own[0]! + i * width)
              ? 1
              : 0,
          )
          const along = Array.from({ length: k }, (_, i) => i * rows * source.step)
          const [across, units, steps] = [lines, unit, along].map((table, i) => {
            const at = (i + 4) * BLOCK - PAGE - 4 * table.length
            new Int32Array(bytes.buffer, at, table.length).set(table)
            return base + at
          }) as [number, number, number]
          const strip = tile.columns * k * width
          const target = rowsIn(1, 1, strips * strip, 0)
          run(
            { kind, type },
            {
              [GATHERING.source]: fill(source),
              [GATHERING.across]: across,
              [GATHERING.unit]: units,
              [GATHERING.lines]: n,
              [GATHERING.along]: steps,
              [GATHERING.length]: k,
              [GATHERING.target]: fill(target),
              [GATHERING.targetStrip]: strip,
            },
            target,
          )
          return
        }
        if (!tile.finishes) return
        const row = rowsIn(0, 1, k * width, 0)
        const matrix = kind === 'across' ? rowsIn(1, k, n * width, gap * width) : rowsIn(1, n, k * width, gap * width)
        const sums = rowsIn(2, 1, n * width, 0)
        run(
          { kind, type },
          {
            [ROW.row]: fill(row),
            [ROW.rowStep]: width,
            [ROW.matrix]: fill(matrix),
            [ROW.step]: matrix.step,
            [ROW.columns]: n,
            [ROW.length]: k,
            [ROW.sums]: fill(sums),
          },
          sums,
        )
      }),
      { numRuns: 600 },
    )
    expect(ran.size).toBe(5)
  })
})

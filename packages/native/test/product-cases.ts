// Kernels of products one by one, over operands that lie in blocks of memory of their own: what kernels are told, what lies
// there before, and what has to lie there after, computed here in the order of the definition.
import { type DType, GATHERING, PACKING, PRODUCT, type ProductKernel, type ProductTile, ROW } from 'bcast/kernels'
import fc from 'fast-check'
import { makeRandom, type Random } from '../../../testing/random.ts'
import { bfloat16ToNumber } from '../../bcast/src/dtype/bfloat16.ts'
import { float16ToNumber } from '../../bcast/src/dtype/float16.ts'
import { bytesOf } from '../src/machine/types.ts'

/** Bytes in a block of memory: rows of the same length, with gaps between them. */
export interface Operand {
  readonly block: number
  readonly bytes: Uint8Array
}

export interface PreparedProduct {
  readonly kernel: ProductKernel
  /** Arguments by their offsets; an operand is told by its address. */
  readonly told: ReadonlyMap<number, number | bigint | Operand>
  readonly operands: readonly Operand[]
  /** One of them, and its bytes after. */
  readonly result: Operand
  readonly expected: Uint8Array
}

const TYPES = ['float32', 'float64', 'int32', 'int64'] as const
type SumType = (typeof TYPES)[number]
const PACKED = [...TYPES, 'float16', 'bfloat16'] as const

const cases = fc.record({
  kind: fc.constantFrom('multiply', 'pack', 'gather', 'across', 'along'),
  type: fc.constantFrom(...TYPES),
  dtype: fc.constantFrom(...PACKED),
  motion: fc.constantFrom('unit', 'turned', 'strided'),
  starts: fc.constantFrom('zero', 'sums'),
  c: fc.constantFrom('none', 'row', 'column', undefined),
  side: fc.constantFrom('a', 'b'),
  isTurned: fc.boolean(),
  m: fc.integer({ min: 1, max: 20 }),
  n: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 110 })),
  k: fc.integer({ min: 1, max: 40 }),
  gap: fc.integer({ min: 0, max: 3 }),
  seed: fc.nat(),
})

export type ProductCase = typeof cases extends fc.Arbitrary<infer T> ? T : never
export const productCases: fc.Arbitrary<ProductCase> = cases

type Element = number | bigint
type Elements = { [i: number]: Element; readonly length: number; readonly buffer: ArrayBufferLike }

const ARRAYS = {
  float32: Float32Array,
  float64: Float64Array,
  int32: Int32Array,
  int64: BigInt64Array,
  float16: Uint16Array,
  bfloat16: Uint16Array,
} as const

/** Products and sums, each rounded or wrapped. */
const multiplied: Readonly<Record<SumType, (a: never, b: never) => Element>> = {
  float32: (a: number, b: number) => Math.fround(a * b),
  float64: (a: number, b: number) => a * b,
  int32: (a: number, b: number) => Math.imul(a, b),
  int64: (a: bigint, b: bigint) => BigInt.asIntN(64, a * b),
}
const added: typeof multiplied = {
  float32: (a: number, b: number) => Math.fround(a + b),
  float64: (a: number, b: number) => a + b,
  int32: (a: number, b: number) => (a + b) | 0,
  int64: (a: bigint, b: bigint) => BigInt.asIntN(64, a + b),
}
const times = (type: SumType, a: Element, b: Element): Element => multiplied[type](a as never, b as never)
const plus = (type: SumType, a: Element, b: Element): Element => added[type](a as never, b as never)
const zeroOf = (type: SumType): Element => (type === 'int64' ? 0n : 0)

/** Any integers; floats of magnitudes far apart, so that the order of sums shows; 16 bits of anything but NaN. */
function anyElement(dtype: DType, { bits, unit, below }: Random): Element {
  if (dtype === 'int32') return bits() | 0
  if (dtype === 'int64') return BigInt.asIntN(64, (BigInt(bits()) << 32n) | BigInt(bits()))
  if (dtype === 'float16') return (bits() & 0x8000) | below(0x7c01)
  if (dtype === 'bfloat16') return (bits() & 0x8000) | below(0x7f81)
  return (unit() - 0.5) * 2 ** (below(24) - 12)
}

/** An operand as elements: so many rows of so many, with gaps. */
interface Rows extends Operand {
  readonly elements: Elements
  /** From row to row, in bytes and elements. */
  readonly step: number
  readonly each: number
}

/** What a kernel is told of a case; undefined where there is no such kernel. */
export function prepareProduct(given: ProductCase, tileOf: (type: DType) => ProductTile): PreparedProduct | undefined {
  const random = makeRandom(given.seed)
  const rows = (block: number, dtype: DType, count: number, length: number, gap = given.gap): Rows => {
    const each = length + gap
    const size = (count - 1) * each + length
    const elements = new ARRAYS[dtype as keyof typeof ARRAYS](size) as unknown as Elements
    for (let i = 0; i < size; i++) elements[i] = anyElement(dtype, random)
    return { block, elements, bytes: new Uint8Array(elements.buffer), step: each * bytesOf(dtype), each }
  }
  if (given.kind === 'multiply') return multiplying(given, tileOf(given.type), rows)
  if (given.kind === 'pack') return packing(given, tileOf, rows)
  if (given.kind === 'gather') return gathering(given, tileOf(given.type), rows)
  return tileOf(given.type).finishes ? rowTimesMatrix({ ...given, kind: given.kind }, rows) : undefined
}

type MakeRows = (block: number, dtype: DType, count: number, length: number, gap?: number) => Rows

/** What a kernel leaves: the same as before, apart from what is written. */
function expectedOf(result: Rows, write: (elements: Elements) => void): Pick<PreparedProduct, 'result' | 'expected'> {
  const expected = result.bytes.slice()
  write(new (result.elements.constructor as Float32ArrayConstructor)(expected.buffer) as unknown as Elements)
  return { result, expected }
}

const bitsOf = (elements: Elements, i: number): bigint => {
  const bytes = new Uint8Array(8)
  const width = elements.buffer.byteLength / elements.length
  bytes.set(new Uint8Array(elements.buffer, i * width, width))
  return new DataView(bytes.buffer).getBigUint64(0, true)
}

function multiplying(
  { type, starts, c, isTurned, m, n, k }: ProductCase,
  tile: ProductTile,
  rows: MakeRows,
): PreparedProduct {
  const width = bytesOf(type)
  // Without masks, rows of B are packed where they end inside of a vector.
  const columns = tile.readsEnds ? n : Math.ceil(n / tile.lanes) * tile.lanes
  const [a, b] = [rows(1, type, isTurned ? k : m, isTurned ? m : k), rows(2, type, k, columns)]
  const [to, from] = [rows(3, type, m, n), rows(4, type, m, n)]
  const addend = rows(5, type, m, c === 'column' ? 1 : n)
  const factors = rows(6, type, 1, 2).elements
  const ends = tile.finishes ? c : undefined
  const [aRow, aStep] = isTurned ? [width, a.step] : [a.step, width]
  const told = new Map<number, number | bigint | Operand>([
    [PRODUCT.a, a],
    [PRODUCT.aRow, aRow],
    [PRODUCT.aStep, aStep],
    [PRODUCT.aStrip, aRow * tile.rows],
    [PRODUCT.b, b],
    [PRODUCT.bStep, b.step],
    [PRODUCT.bStrip, tile.columns * width],
    [PRODUCT.rows, m],
    [PRODUCT.columns, n],
    [PRODUCT.length, k],
    [PRODUCT.from, from],
    [PRODUCT.fromRow, from.step],
    [PRODUCT.to, to],
    [PRODUCT.toRow, to.step],
    [PRODUCT.c, addend],
    [PRODUCT.cRow, addend.step],
    [PRODUCT.alpha, bitsOf(factors, 0)],
    [PRODUCT.beta, bitsOf(factors, 1)],
  ])
  const made = expectedOf(to, (elements) => {
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        let sum = starts === 'zero' ? zeroOf(type) : from.elements[i * from.each + j]!
        for (let p = 0; p < k; p++) {
          const left = a.elements[isTurned ? p * a.each + i : i * a.each + p]!
          sum = plus(type, sum, times(type, left, b.elements[p * b.each + j]!))
        }
        if (ends !== undefined) sum = times(type, factors[0]!, sum)
        if (ends === 'row' || ends === 'column') {
          const own = addend.elements[i * addend.each + (ends === 'row' ? j : 0)]!
          sum = plus(type, sum, times(type, factors[1]!, own))
        }
        elements[i * to.each + j] = sum
      }
    }
  })
  return { kernel: { kind: 'multiply', type, starts, c: ends }, told, operands: [a, b, to, from, addend], ...made }
}

/** An element as one of sums. */
const widened = (dtype: DType, element: Element): Element =>
  dtype === 'float16'
    ? float16ToNumber(element as number)
    : dtype === 'bfloat16'
      ? bfloat16ToNumber(element as number)
      : element

function packing(
  { dtype, motion, side, n: lines, k: length }: ProductCase,
  tileOf: (type: DType) => ProductTile,
  rows: MakeRows,
): PreparedProduct {
  const own = bytesOf(dtype)
  const type: SumType = own === 2 ? 'float32' : (dtype as SumType)
  const { rows: tall, rowLanes, columns } = tileOf(type)
  const [lanes, advance] = side === 'a' ? [rowLanes, tall] : [columns, columns]
  const apart = motion === 'strided' ? 2 : 1
  const source = motion === 'unit' ? rows(1, dtype, length, lines) : rows(1, dtype, lines, (length - 1) * apart + 1)
  const [across, along] = motion === 'unit' ? [1, source.each] : [source.each, apart]
  const strips = Math.ceil(lines / advance)
  const target = rows(2, type, strips, lanes * length, 0)
  const told = new Map<number, number | Operand>([
    [PACKING.source, source],
    [PACKING.across, across * own],
    [PACKING.along, along * own],
    [PACKING.lines, lines],
    [PACKING.length, length],
    [PACKING.target, target],
    [PACKING.targetStrip, target.step],
  ])
  const made = expectedOf(target, (elements) => {
    for (let strip = 0; strip < strips; strip++) {
      for (let i = 0; i < length; i++) {
        for (let lane = 0; lane < lanes; lane++) {
          const line = strip * advance + lane
          elements[(strip * length + i) * lanes + lane] =
            line < lines ? widened(dtype, source.elements[line * across + i * along]!) : zeroOf(type)
        }
      }
    }
  })
  return { kernel: { kind: 'pack', dtype, lanes, advance, motion }, told, operands: [source, target], ...made }
}

/** Lines of a row of the source that lie side by side. */
const BESIDE = 30

function gathering({ type, n, k }: ProductCase, tile: ProductTile, rows: MakeRows): PreparedProduct {
  const width = bytesOf(type)
  const strips = Math.ceil(n / tile.columns)
  const each = Math.ceil(n / BESIDE)
  const source = rows(1, type, k * each, Math.min(n, BESIDE))
  const lines = Array.from({ length: strips * tile.columns }, (_, i) => {
    const line = Math.min(i, n - 1)
    return Math.floor(line / BESIDE) * source.each + (line % BESIDE)
  })
  const unit = Array.from({ length: lines.length / tile.lanes }, (_, v) => {
    const [first, ...others] = lines.slice(v * tile.lanes, (v + 1) * tile.lanes)
    return others.every((line, i) => line === first! + i + 1) ? 1 : 0
  })
  const along = Array.from({ length: k }, (_, i) => i * each * source.each)
  const table = (block: number, words: readonly number[]): Operand => ({
    block,
    bytes: new Uint8Array(Int32Array.from(words).buffer),
  })
  const [across, units, steps] = [
    table(
      3,
      lines.map((line) => line * width),
    ),
    table(4, unit),
    table(
      5,
      along.map((step) => step * width),
    ),
  ]
  const target = rows(2, type, 1, strips * tile.columns * k, 0)
  const told = new Map<number, number | Operand>([
    [GATHERING.source, source],
    [GATHERING.across, across],
    [GATHERING.unit, units],
    [GATHERING.lines, n],
    [GATHERING.along, steps],
    [GATHERING.length, k],
    [GATHERING.target, target],
    [GATHERING.targetStrip, tile.columns * k * width],
  ])
  const made = expectedOf(target, (elements) => {
    for (const [i, line] of lines.entries()) {
      const [strip, lane] = [Math.floor(i / tile.columns), i % tile.columns]
      for (const [p, step] of along.entries()) {
        elements[(strip * k + p) * tile.columns + lane] = source.elements[line + step]!
      }
    }
  })
  return { kernel: { kind: 'gather', type }, told, operands: [source, across, units, steps, target], ...made }
}

function rowTimesMatrix(
  { kind, type, n, k, gap }: ProductCase & { readonly kind: 'across' | 'along' },
  rows: MakeRows,
): PreparedProduct {
  const row = rows(1, type, k, 1)
  const matrix = kind === 'across' ? rows(2, type, k, n) : rows(2, type, n, k)
  const sums = rows(3, type, 1, n, gap)
  const told = new Map<number, number | Operand>([
    [ROW.row, row],
    [ROW.rowStep, row.step],
    [ROW.matrix, matrix],
    [ROW.step, matrix.step],
    [ROW.columns, n],
    [ROW.length, k],
    [ROW.sums, sums],
  ])
  const made = expectedOf(sums, (elements) => {
    for (let j = 0; j < n; j++) {
      let sum = zeroOf(type)
      for (let p = 0; p < k; p++) {
        const own = matrix.elements[kind === 'across' ? p * matrix.each + j : j * matrix.each + p]!
        sum = plus(type, sum, times(type, row.elements[p * row.each]!, own))
      }
      elements[j] = sum
    }
  })
  return { kernel: { kind, type }, told, operands: [row, matrix, sums], ...made }
}

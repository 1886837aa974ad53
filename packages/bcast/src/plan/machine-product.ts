// How machine code computes a product of matrices: which operands are packed, how large the blocks are, where what a block
// needs lies in scratch, and how its rows and columns are cut into parts for the threads.
import type { GemmSizes } from './gemm.ts'
import { MAX_PARTS } from './kernels.ts'

/** What is known of a product before it is planned. Strides are in elements. */
export interface ProductShape {
  readonly sizes: GemmSizes
  /** Bytes of a sum. */
  readonly width: number
  /** Strides of A along rows and of B along columns; undefined where elements have to be packed whatever they are. */
  readonly alongA: number | undefined
  readonly alongB: number | undefined
  /** Whether sums lie in scratch until a block of them is done. */
  readonly keepsSums: boolean
}

/** What its kernels take at once, and what caches hold. */
export interface ProductMeans {
  readonly rows: number
  readonly rowLanes: number
  readonly columns: number
  readonly lanes: number
  readonly readsEnds: boolean
  readonly first: number
  readonly second: number
}

export interface ProductPlan {
  readonly packsA: boolean
  readonly packsB: boolean
  /** Sizes of a block, all but the last ones. */
  readonly rows: number
  readonly columns: number
  readonly length: number
  /** Bytes that a block takes of scratch: what is packed of it, and sums. */
  readonly a: number
  readonly b: number
  readonly sums: number
}

/** Rows of a block whose sums, or whose elements of A, lie in scratch. */
const ROWS = 768
/** Products of a part: enough to be worth waking a thread for. */
const PART = 1 << 20
/** Parts for each thread, so that one that comes late takes fewer. */
const PER_THREAD = 4

/** The size of pieces that are alike, in whole steps, none beyond `most`. */
function evenly(size: number, most: number, step: number): number {
  const pieces = Math.ceil(size / Math.max(step, most))
  return Math.ceil(size / pieces / step) * step
}

const padded = (size: number, step: number): number => Math.ceil(size / step) * step

/** The plan; `shrink` makes blocks smaller where the arena is nearly full. */
export function planProduct(shape: ProductShape, means: ProductMeans, shrink: number): ProductPlan {
  const { sizes, width, alongA, alongB, keepsSums } = shape
  const { m, n, k } = sizes
  // A strip of A stays in the first cache while all columns of the block pass by, which stay in the second.
  const long = Math.floor(means.first / 4 / means.rows / width)
  const isShort = k <= 1.5 * long
  const length = isShort ? k : evenly(k, long, 1)
  const wide = means.second / 2 / shrink / width / length
  const columns = Math.min(
    padded(n, means.columns),
    evenly(n, Math.floor(wide / means.columns) * means.columns, means.columns),
  )
  const packsA = alongA === undefined || (Math.abs(alongA) !== 1 && n > means.columns && m * k * width > means.first)
  const isEven = means.readsEnds || n % means.lanes === 0
  // What few rows meet, and what the first cache nearly holds, is read where it lies.
  const isOnce = m <= 3 * means.rows || n * k * width <= 2 * means.first
  const packsB = alongB === undefined || (alongB !== 1 && n > 1) || !isEven || !isOnce
  const tall =
    packsA || keepsSums ? Math.min(m, Math.max(means.rows, Math.floor(ROWS / shrink / means.rows) * means.rows)) : m
  const bytes = (isNeeded: boolean, count: number): number => (isNeeded ? padded(count * width, 64) : 0)
  return {
    packsA,
    packsB,
    rows: tall,
    columns,
    length,
    a: bytes(packsA, Math.ceil(tall / means.rows) * means.rowLanes * length),
    b: bytes(packsB, columns * length),
    sums: bytes(keepsSums, tall * columns),
  }
}

export interface ProductPart {
  readonly row: number
  readonly rows: number
  readonly column: number
  readonly columns: number
}

/** A block in parts for so many threads: whole strips of rows, or of columns where there are more of those. */
export function productParts(
  { m, n, k }: GemmSizes,
  means: Pick<ProductMeans, 'rows' | 'columns'>,
  threads: number,
): readonly ProductPart[] {
  const wanted = Math.min(MAX_PARTS, threads === 1 ? 1 : PER_THREAD * threads, Math.floor((m * n * k) / PART))
  if (wanted <= 1) return [{ row: 0, rows: m, column: 0, columns: n }]
  const tall = Math.ceil(m / means.rows) >= Math.min(wanted, n / means.columns)
  const [size, step] = tall ? [m, means.rows] : [n, means.columns]
  const each = evenly(size, size / wanted, step)
  return Array.from({ length: Math.ceil(size / each) }, (_, i) => {
    const count = Math.min(each, size - i * each)
    return tall
      ? { row: i * each, rows: count, column: 0, columns: n }
      : { row: 0, rows: m, column: i * each, columns: count }
  })
}

// A matrix product in blocks of its result: how large they are, and where what a block needs lies in scratch. Scratch is
// bounded, so a product needs its operands, its result and little else.

export interface GemmSizes {
  readonly m: number
  readonly n: number
  readonly k: number
}

/** Products summed in one go: strips of this length stay in the first-level cache. */
const LENGTH = 128
/** Bytes of a row of a block, and of a column for each thread: what is packed of B stays in the second-level cache. */
const ROW_BYTES = 2048
const COLUMN_BYTES = 512

/** Sizes of a block, and offsets in scratch. */
export interface GemmBlocks {
  readonly rows: number
  readonly columns: number
  readonly length: number
  readonly a: number
  readonly b: number
  readonly sums: number
  readonly factors: number
  /** Of all of it. */
  readonly bytes: number
}

/** What the kernels that multiply are made for. */
export interface Strips {
  /** Bytes of a sum. */
  readonly width: number
  readonly rows: number
  readonly columns: number
}

const padded = (size: number, step: number): number => Math.ceil(size / step) * step

/** Blocks for a product; `shrink` makes them smaller where the arena is nearly full. */
export function planGemm({ m, n, k }: GemmSizes, strips: Strips, threads: number, shrink: number): GemmBlocks {
  const { width } = strips
  const rows = Math.min(padded(m, strips.rows), (COLUMN_BYTES * threads) / shrink / width)
  const columns = Math.min(padded(n, strips.columns), ROW_BYTES / shrink / width)
  const length = Math.min(k, LENGTH)
  let bytes = 0
  const place = (size: number): number => {
    const at = bytes
    bytes += padded(size, 64)
    return at
  }
  return {
    rows,
    columns,
    length,
    a: place(rows * length * width),
    b: place(columns * length * width),
    sums: place(rows * columns * width),
    factors: place(16),
    bytes,
  }
}

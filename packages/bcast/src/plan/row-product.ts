// A row, or a few, times a matrix: its columns in parts, for kernels that read the matrix where it lies.
import { MAX_PARTS } from './kernels.ts'

/** Rows that are multiplied one after the other: reading the matrix for each is faster than packing it for all. */
export const FEW_ROWS = 3

/** Products of one part: enough to be worth waking a thread for. */
const PART = 1 << 18
/** Bytes of a part of the result: whole lines of the cache, and where rows are read side by side a page of each. */
const LINE = 64
const PAGE = 4096

/** Columns of a part, all but the last. `width` is bytes of a sum; columns lie side by side, or their elements do. */
export function rowProductPart(columns: number, length: number, width: number, sideBySide: boolean): number {
  const step = LINE / width
  const least = Math.max(PART / length, columns / MAX_PARTS, sideBySide ? PAGE / width : 0)
  return Math.min(columns, Math.ceil(least / step) * step)
}

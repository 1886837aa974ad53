// Rows computed together, a few at once: an operand that is the same in every row (a row vector beside a matrix) is
// then read and converted once for all of them. Rows that are left over are computed one by one.
import { elementCount } from '../shape/dim.ts'
import { type Loops, narrowed } from './loops.ts'

/** Rows of a block: more would be too many streams for the caches and too many values for the registers. */
export const ROWS_AT_ONCE = 4

export interface RowPiece {
  readonly loops: Loops
  /** Rows computed at once. */
  readonly rows: number
}

/** Bytes that no cache holds: their streams wait for memory, and reading an operand again competes with them. */
const STREAMING = 1 << 26
/** Elements from which a kernel more is worth its compilation. */
const MANY = 1 << 15

/** Bytes of a row that stay in the first-level cache beside the streams, where reading them again costs nothing. */
const CACHED = 1 << 13

/** Whether computing rows together pays. It costs something, too: streams of several rows get in each other's way. */
function pays({ sizes, strides }: Loops, widths: readonly number[]): boolean {
  const count = elementCount(sizes)
  if (count < MANY) return false
  const widthsOf = (isWanted: (row: number, inner: number) => boolean): number[] =>
    strides.flatMap((own, i) => (isWanted(own.at(-2)!, own.at(-1)!) ? [widths[i]!] : []))
  const moving = widthsOf((row, inner) => row !== 0 && inner !== 0)
  const again = widthsOf((row, inner) => row === 0 && inner !== 0)
  const sum = (list: readonly number[]): number => list.reduce((total, width) => total + width, 0)
  if (sizes.at(-1)! * sum(again) <= CACHED) return false
  return again.length > 1 || (moving.length <= 2 && count * sum(moving) >= STREAMING)
}

/** The loops in pieces by how many rows are computed at once; `widths` are the bytes of the operands' elements. */
export function planRows(loops: Loops, widths: readonly number[]): readonly RowPiece[] {
  const { sizes } = loops
  const rowLoop = sizes.length - 2
  const count = sizes[rowLoop] ?? 1
  const whole = count - (count % ROWS_AT_ONCE)
  if (whole === 0 || !pays(loops, widths)) return [{ loops, rows: 1 }]
  if (whole === count) return [{ loops, rows: ROWS_AT_ONCE }]
  return [
    { loops: narrowed(loops, rowLoop, 0, whole), rows: ROWS_AT_ONCE },
    { loops: narrowed(loops, rowLoop, whole, count - whole), rows: 1 },
  ]
}

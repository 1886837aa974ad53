// Loops over an operand that lies across the result (x + y.T): a row of the result then walks down a column of the
// operand and uses one element of each cache line. Cut into strips one vector wide, each line is used row after row
// while it is still in the cache.
import { type Loops, narrowed } from './loops.ts'

/** Rows of a strip: long enough to use lines up, short enough that the lines of a strip stay in the cache. */
const ROWS = 128

/** Whether an operand jumps on the inner axis and walks on the one around it. */
const liesAcross = (own: readonly number[], inner: number): boolean =>
  Math.abs(own[inner]!) > 1 && own[inner - 1] !== 0 && Math.abs(own[inner - 1]!) < Math.abs(own[inner]!)

/** A loop in whole blocks and what is left of it. */
function parts(loops: Loops, loop: number, block: number): Loops[] {
  const size = loops.sizes[loop]!
  const whole = size - (size % block)
  return [
    ...(whole > 0 ? [narrowed(loops, loop, 0, whole)] : []),
    ...(whole < size ? [narrowed(loops, loop, whole, size - whole)] : []),
  ]
}

/** The two innermost loops, rows by columns, as blocks of rows, strips of columns, rows of a block, columns of a strip. */
function blocked({ sizes, strides, shifts }: Loops, columns: number): Loops {
  const inner = sizes.length - 1
  const [rows, width] = [sizes[inner - 1]!, sizes[inner]!]
  const height = Math.min(rows, ROWS)
  const strip = Math.min(width, columns)
  return {
    sizes: [...sizes.slice(0, -2), rows / height, width / strip, height, strip],
    strides: strides.map((own) => {
      const [row, column] = [own[inner - 1]!, own[inner]!]
      return [...own.slice(0, -2), row * height, column * strip, row, column]
    }),
    shifts,
  }
}

/** The loops cut into strips of `columns` where an operand lies across them; otherwise as they are. */
export function tileLoops(loops: Loops, columns: number): readonly Loops[] {
  const inner = loops.sizes.length - 1
  if (inner < 1 || loops.sizes[inner]! <= columns || loops.sizes[inner - 1]! < 8) return [loops]
  if (!loops.strides.some((own) => liesAcross(own, inner))) return [loops]
  return parts(loops, inner - 1, ROWS).flatMap((some) =>
    parts(some, inner, columns).map((piece) => blocked(piece, columns)),
  )
}

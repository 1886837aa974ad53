// A tiny inner axis, as in (4000000,3) * (3): rows of three would leave vectors mostly empty. When every operand is
// either flat across both innermost loops or the same in every row, repeating the small operand turns the loops into
// long rows over the flat ones.
import type { Loops } from './loops.ts'

/** Inner axes at least this long fill vectors well enough by themselves. */
const TINY = 48
/** Elements of a repeated row. */
const ROW = 2048

export interface Periodic {
  /** How often a row is repeated to make a long one. */
  readonly repeat: number
  /** Elements of one row of the original loops. */
  readonly period: number
  /** Operands to be repeated: element i of the long row is element i % period of their row. */
  readonly repeated: readonly number[]
  /** Loops over long rows, then over what is left; repeated operands have stride 1 in them. */
  readonly pieces: readonly Loops[]
}

/** The periodic plan of two loops, or undefined when they do not have that form or gain nothing. */
export function planPeriodic({ sizes, strides, shifts }: Loops): Periodic | undefined {
  const [rows, period] = sizes as readonly [number, number]
  if (sizes.length !== 2 || period >= TINY || rows < 64) return undefined
  const flat = strides.map(([row, column]) => column === 1 && row === period)
  const fixed = strides.map(([row]) => row === 0)
  if (!flat.at(-1) || !strides.every((_, i) => flat[i] || fixed[i])) return undefined
  const repeated = strides.flatMap(([row, column], i) => (row === 0 && column !== 0 ? [i] : []))
  if (repeated.length === 0) return undefined
  const repeat = Math.min(rows, Math.floor(ROW / period))
  const long = repeat * period
  const whole = Math.floor(rows / repeat)
  const piece = (count: number, length: number, begin: number): Loops => ({
    sizes: count === 1 ? [length] : [count, length],
    strides: strides.map(([, column], i) => {
      const row = flat[i] ? long : 0
      const inner = flat[i] || repeated.includes(i) ? 1 : column!
      return count === 1 ? [inner] : [row, inner]
    }),
    shifts: shifts.map((shift, i) => (flat[i] ? shift + begin : shift)),
  })
  const left = rows - whole * repeat
  return {
    repeat,
    period,
    repeated,
    pieces: [piece(whole, long, 0), ...(left > 0 ? [piece(1, left * period, whole * long)] : [])],
  }
}

// What a kernel has to know of the loops it will run: how operands move, not how far. Few signatures serve all shapes.
import type { Program } from '../expr/ir.ts'
import { lanesOf } from './lanes.ts'
import type { Loops } from './loops.ts'

/** How an operand moves on the inner axis: not at all, element by element, or by a stride. */
export type Motion = 'splat' | 'unit' | 'strided'

/** How the operands of a kernel move. */
export interface Signature {
  /** How each operand moves on the inner axis; the result is written element by element. */
  readonly motions: readonly Motion[]
  /** Rows computed at once, 1 or ROWS_AT_ONCE. */
  readonly rows: number
  /** Operands that are the same in every row of a block; none where a block is one row. */
  readonly still: readonly boolean[]
  /** Elements that one pass of the inner loop computes. */
  readonly lanes: number
}

/** Tells kernels of one program apart. */
export const formatSignature = ({ motions, rows, still }: Signature): string =>
  `${rows} ${motions.map((motion, i) => (still[i] ? `${motion}=` : motion)).join()}`

/** The signature of a program over loops, the result's operand last. */
export function signatureOf(program: Program, { strides }: Pick<Loops, 'strides'>, rows: number): Signature {
  const inputs = strides.slice(0, -1).map((own) => ({ inner: own.at(-1)!, row: own.at(-2) }))
  return {
    motions: inputs.map(({ inner }) => (inner === 0 ? 'splat' : inner === 1 ? 'unit' : 'strided')),
    rows,
    still: inputs.map(({ row }) => rows > 1 && row === 0),
    lanes: lanesOf(program, rows),
  }
}

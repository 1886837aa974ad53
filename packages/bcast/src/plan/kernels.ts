// Loops as runs of kernels: rows computed together where that pays, strips where an operand lies across, parts for the
// threads.
import type { Program } from '../expr/ir.ts'
import { elementCount } from '../shape/dim.ts'
import type { Loops } from './loops.ts'
import { parameterBytes } from './parameters.ts'
import { planRows } from './rows.ts'
import { type Signature, signatureOf } from './signature.ts'
import { type Split, splitLoops } from './split.ts'
import { tileLoops } from './tiles.ts'

/** One call computes at most this many elements: a call that never returns stays in the platform's baseline code. */
export const CHUNK: number = 1 << 20
/** Elements below which waking other threads costs more than they save. */
export const SHARE: number = 1 << 15
/** Parts of one task at most; the threads count them in a byte. */
export const MAX_PARTS = 255
/** Memory for the parameters of all parts of a task that is waited for. */
export const PARAMETER_ROOM: number = 1 << 16

/** Loops that one kernel runs, in parts. */
export interface KernelRun {
  /** Threads that share it as machine code, which stores by their number. */
  readonly threads?: number
  readonly signature: Signature
  /** Shifts count from each operand's first element in the loops that were given. */
  readonly loops: Loops
  readonly split: Split
}

/** The runs of a program over loops; `widths` are the bytes of the operands' elements, `threads` those that compute. */
export function planKernels(
  program: Program,
  loops: Loops,
  widths: readonly number[],
  threads: number,
): readonly KernelRun[] {
  return planRows(loops, widths).flatMap((piece) => {
    const signature = signatureOf(program, piece.loops, piece.rows)
    return tileLoops(piece.loops, signature.lanes).map((tile): KernelRun => {
      const split = splitLoops(tile.sizes, {
        elements: Math.min(CHUNK, Math.max(SHARE, Math.ceil(elementCount(tile.sizes) / (4 * threads)))),
        most: Math.min(MAX_PARTS, Math.floor(PARAMETER_ROOM / parameterBytes(widths.length, tile.sizes.length))),
        lanes: signature.lanes,
        rows: piece.rows,
      })
      return { signature, loops: tile, split }
    })
  })
}

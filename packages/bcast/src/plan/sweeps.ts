// Stages that run together, some rows of the first axis at a time: what they leave for each other stays in the cache, so
// that memory is passed over once for all of them, however large it is.
import { bitsOf } from '../dtype/dtype.ts'
import { canFault } from '../expr/ir.ts'
import type { Stage } from '../expr/stages.ts'
import { elementCount } from '../shape/dim.ts'

/** Stages one behind the other that run for some rows, then for the next; all of them where there is but one stage. */
export interface Sweep {
  readonly first: number
  readonly end: number
  /** Undefined for a stage by itself. */
  readonly rows: Rows | undefined
}

/** Rows that stages take together. */
export interface Rows {
  readonly all: number
  /** Bytes that stages read and write for one, and elements of the largest of them. */
  readonly bytes: number
  readonly elements: number
}

/**
 * Bytes that stages read and write for the rows of one time, which the last level of a cache holds. Smaller ones gain
 * less than their calls cost: half of this took a tenth longer for softmax on two threads.
 */
const CACHE = 1 << 23
/** Elements below which calls would cost more than the cache saves. */
const LEAST = 1 << 15

/** The sweeps of stages over so many operands. */
export function planSweeps(stages: readonly Stage[], operands: number): readonly Sweep[] {
  const sweeps: Sweep[] = []
  for (let first = 0; first < stages.length; ) {
    let end = first + 1
    while (end < stages.length && goesWith(stages, first, end, operands)) end++
    sweeps.push({ first, end, rows: rowsOf(stages.slice(first, end), operands + first) })
    first = end
  }
  return sweeps
}

/** Whether a stage can take some rows while those from the first on take the same. */
function goesWith(stages: readonly Stage[], first: number, at: number, operands: number): boolean {
  const rows = stages[first]!.shape[0]
  const canRow = ({ shape, reduction, call, program }: Stage): boolean =>
    call === undefined && shape[0] === rows && shape.length > 0 && reduction?.reduced[0] !== true && !canFault(program)
  const stage = stages[at]!
  return (
    canRow(stages[first]!) &&
    canRow(stage) &&
    stage.inputs.every(({ operand, axes }) => {
      const from = operand - operands
      return from < first || (axes[0] === 0 && stages[from]!.result[0] === rows)
    })
  )
}

/** How many rows are taken at a time; undefined where everything is taken at once. */
export function rowsAtOnce({ all, bytes, elements }: Rows): number | undefined {
  const each = Math.max(1, Math.floor(CACHE / Math.max(1, bytes)), Math.ceil(LEAST / Math.max(1, elements)))
  return each * 2 > all ? undefined : each
}

/** The same where a time costs next to nothing, and stages of one may read and write so many bytes. */
export function fewRows({ all, bytes }: Rows, cache: number): number {
  const most = Math.max(1, Math.min(all, Math.floor(cache / Math.max(1, bytes))))
  // Without rows that are left at the end, where that takes few more times.
  for (let each = most; 2 * each > most; each--) if (all % each === 0) return each
  return most
}

/** `own` is the number of the first result among operands. */
function rowsOf(stages: readonly Stage[], own: number): Rows | undefined {
  if (stages.length === 1) return undefined
  const all = stages[0]!.shape[0]!
  const total = (shape: readonly number[]): number => elementCount(shape.slice(1))
  const read = new Map<number, number>()
  let bytes = 0
  let elements = 0
  for (const { shape, program, inputs, reduction, dtype } of stages) {
    elements = Math.max(elements, total(shape))
    if (reduction === undefined) bytes += (total(shape) * bitsOf(dtype)) / 8
    inputs.forEach(({ operand, axes }, i) => {
      const reached = shape.filter((_, axis) => axes.includes(axis) && axis > 0)
      if (operand < own && axes.includes(0)) read.set(operand, (elementCount(reached) * bitsOf(program.inputs[i]!)) / 8)
    })
  }
  for (const each of read.values()) bytes += each
  return { all, bytes, elements }
}

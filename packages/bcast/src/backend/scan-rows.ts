// Running sums where rows across the axis are long: kernels add each row onto the next, so that threads and wide lanes
// have something to do.
import type { Program } from '../expr/ir.ts'
import { SHARE } from '../plan/kernels.ts'
import { elementCount, type Shape } from '../shape/dim.ts'
import { extent } from '../tensor/layout.ts'
import type { Placed } from '../tensor/placed.ts'
import type { Job } from './backend.ts'
import { bind, isReady, run, runAsync } from './backends.ts'
import type { Instructions } from './instructions.ts'
import { type Axes, offsetsOf } from './offsets.ts'
import type { Adding } from './repeat.ts'
import { checkScan, type ScanJob, scan, scanAsync } from './scan.ts'

/** Elements from which on a kernel that adds two rows is worth its call; more where each call is planned anew. */
const LONG = 1 << 7
const LONG_IF_PLANNED = 1 << 15
/** Rows that a sequence keeps, which takes memory for each; more are computed anew in every run. */
const MOST_KEPT = 1 << 12

/** A row of elements across an axis. */
export const rowAt = ({ storage, offset, strides }: Placed, axis: number, i: number): Placed => ({
  storage,
  offset: offset + i * strides[axis]!,
  strides: strides.toSpliced(axis, 1),
})

export const rowShape = (shape: Shape, axis: number): Shape => shape.toSpliced(axis, 1)

/** Axes of the result that lie closer together than the elements of a line, which are parts of rows, and the others. */
function apart({ shape, axis, to }: ScanJob): { readonly near: readonly number[]; readonly far: readonly number[] } {
  const axes = shape.map((_, i) => i).filter((i) => i !== axis && shape[i]! > 1)
  const isNear = (i: number): boolean => Math.abs(to.strides[i]!) < Math.abs(to.strides[axis]!)
  return { near: axes.filter(isNear), far: axes.filter((i) => !isNear(i)) }
}

/** Axes of an operand. */
const only = ({ shape }: ScanJob, { strides }: Placed, axes: readonly number[]): Axes => ({
  shape: axes.map((i) => shape[i]!),
  strides: axes.map((i) => strides[i]!),
})

/** Whether rows are worth kernels: they are long and without gaps, or very long. */
export function areRowsWorth(job: ScanJob): boolean {
  const { dtype, shape, axis, to } = job
  const { near } = apart(job)
  const part = only(job, to, near)
  const count = elementCount(part.shape)
  if (dtype === 'real' || near.length === 0 || count < LONG) return false
  const { low, high } = extent({ ...part, offset: 0 })!
  return high - low + 1 === count || elementCount(rowShape(shape, axis)) >= LONG_IF_PLANNED
}

/** The sums of all rows but the first, which has its own; `program` adds two elements. */
export interface RowsJob extends ScanJob {
  readonly program: Program
  readonly instructions: Instructions
}

/** Row i from the row before it and its own elements. */
const additionAt = ({ shape, axis, from, to, program, instructions }: RowsJob, i: number): Job => ({
  program,
  instructions,
  shape: rowShape(shape, axis),
  operands: [rowAt(to, axis, i - 1), rowAt(from, axis, i), rowAt(to, axis, i)],
})

export function addRows(job: RowsJob): void {
  checkScan(job)
  const { axis, from, to, shape, program, instructions } = job
  const { near, far } = apart(job)
  const length = shape[axis]!
  const [stepFrom, stepTo] = [from.strides[axis]!, to.strides[axis]!]
  const [farFrom, farTo] = [offsetsOf(only(job, from, far)), offsetsOf(only(job, to, far))]
  /** The sums at place i of the part of rows that is the p-th of those that lie further apart than lines. */
  const part = (p: number, i: number): Job => {
    const place = (placed: Placed, by: number): Placed => ({
      storage: placed.storage,
      offset: placed.offset + by,
      strides: only(job, placed, near).strides,
    })
    const by = farTo[p]! + i * stepTo
    const operands = [place(to, by - stepTo), place(from, farFrom[p]! + i * stepFrom), place(to, by)]
    return { program, instructions, shape: only(job, to, near).shape, operands }
  }
  const bound = length > 1 ? bind(part(0, 1)) : undefined
  const arrays = [to.storage, from.storage, to.storage]
  const called = (p: number, i: number): boolean => {
    if (bound === undefined || !isReady(bound)) return false
    const place = to.offset + farTo[p]! + i * stepTo
    return bound.call(arrays, [place - stepTo, from.offset + farFrom[p]! + i * stepFrom, place]) === 0
  }
  if (length > 1 && !called(0, 1)) {
    // Nothing but the first row has its sums.
    if (elementCount(rowShape(shape, axis)) < LONG_IF_PLANNED) scan(job)
    else for (let i = 1; i < length; i++) run(additionAt(job, i))
    return
  }
  for (let p = 0; p < farTo.length; p++) {
    for (let i = p === 0 ? 2 : 1; i < length; i++) if (!called(p, i)) run(part(p, i))
  }
}

/** The same without keeping the calling thread: rows that no thread would be woken for run line by line; only in turn. */
export async function addRowsAsync(job: RowsJob): Promise<void> {
  if (elementCount(rowShape(job.shape, job.axis)) <= SHARE) return scanAsync(job)
  for (let i = 1; i < job.shape[job.axis]!; i++) await runAsync(additionAt(job, i))
}

/** Adds it to calls that are repeated; false where it has to be computed anew each time. */
export function repeatRows(repetition: Adding, job: RowsJob): boolean {
  const length = job.shape[job.axis]!
  if (length > MOST_KEPT) return false
  for (let i = 1; i < length; i++) if (!repetition.add(additionAt(job, i))) return false
  return true
}

// A run of everything whose rows are whole subtrees of it, and which operands do not step through evenly, such as a sum of
// squared differences from a row: no element has to be stored on the way.
import { arrayOver, bitsOf, type TypedArray } from '../../../dtype/dtype.ts'
import { loopsOf, type ReduceCall } from '../../../plan/reduce.ts'
import { BLOCK, LANES } from '../../../plan/tree.ts'
import { elementCount } from '../../../shape/dim.ts'
import { rowMajorStrides } from '../../../tensor/layout.ts'
import type { Placed } from '../../../tensor/placed.ts'
import type { ReduceJob } from '../../reduce-job.ts'
import type { WebAssemblyBackend } from '../backend.ts'
import type { Use } from '../task.ts'
import type { QueueStep } from '../threads/queue.ts'
import {
  pairing,
  planOf,
  resultStrides,
  runTask,
  type ScratchMemory,
  type Steps,
  sameProgram,
  typeOf,
} from './tasks.ts'

/** Elements from which on a row is worth being reduced by itself. */
const LEAST_ROW = 1 << 10
/** Rows that meet at once. */
const TOGETHER = 16

/** Each row by itself, with its lanes left apart; then rows meet in pairs, and lanes at last. Undefined where it is none. */
export function subtreeSteps(
  backend: WebAssemblyBackend,
  threads: number,
  job: ReduceJob,
  use: Use,
  memory: ScratchMemory,
): Steps | undefined {
  const { program, combine, instructions, shape, run, operands } = job
  if (run[0] !== 0 || run[1] !== shape.length) return undefined
  const { arena } = backend
  const rank = shape.length
  const dtype = typeOf(job)
  const width = bitsOf(dtype) / 8
  const inputs = operands.slice(0, -1)
  const callFrom = (axis: number): ReduceCall => {
    const own = rowMajorStrides(shape.slice(0, axis))
    const strides = shape.map((_, i) => own[i] ?? 0)
    const seen = inputs.map(({ storage, strides: steps }) => {
      const array = storage as TypedArray
      return { strides: steps, width: array.BYTES_PER_ELEMENT, resident: arena.holds(array) }
    })
    return {
      program,
      combine,
      shape,
      run: [axis, rank],
      operands: [...seen, { strides, width, resident: true }],
      open: true,
    }
  }
  const call = Array.from({ length: rank - 1 }, (_, i) => callFrom(i + 1)).find((each) => loopsOf(each) !== undefined)
  if (call === undefined) return undefined
  const [axis] = call.run
  const [rows, length] = [elementCount(shape.slice(0, axis)), elementCount(shape.slice(axis))]
  if (length < LEAST_ROW || !Number.isInteger(Math.log2(length / (LANES * BLOCK)))) return undefined
  const plan = planOf(backend, threads, call, use)
  if (plan?.signature.way !== 'along') return undefined
  const { lanes } = plan.signature
  const wanted = call.operands.at(-1)!.strides
  // Rows have to be left in their order.
  const found = resultStrides({ ...call, operands: call.operands as readonly Pick<Placed, 'strides'>[] }, plan)
  if (found.some((stride, i) => i < axis && shape[i] !== 1 && stride !== wanted[i]! * lanes)) return undefined
  const scratch = plan.split.parts * plan.scratch
  const row = lanes * width
  const [leftBytes, otherBytes] = [rows * row, Math.ceil(rows / TOGETHER) * row]
  const bytes = scratch + leftBytes + otherBytes + 64
  const at = memory.allocate(bytes)
  if (at === undefined) return undefined
  const [left, other] = [
    arrayOver(dtype, arena.buffer, at + scratch, leftBytes),
    arrayOver(dtype, arena.buffer, at + scratch + leftBytes, otherBytes),
  ]
  const inner = { ...job, run: call.run, operands: [...inputs, { storage: left, offset: 0, strides: wanted }] }
  const steps: QueueStep[] = [
    (runner) => {
      runTask(backend, inner, plan, runner, at, { at: at + scratch, bytes: 0 })
      return true
    },
  ]
  let [from, to] = [left, other]
  /** Some rows at a time, so many times, become one each, from one on. */
  const meet = (some: number, times: number, first: number): void => {
    const [storage, target] = [from, to]
    const own = Array.from({ length: some }, (_, i): Placed => {
      return { storage, offset: (first * TOGETHER + i) * lanes, strides: [some * lanes, 1] }
    })
    const meeting = {
      program: some === 1 ? sameProgram(dtype) : pairing(combine, dtype, some),
      instructions,
      shape: [times, lanes],
      operands: [...own, { storage: target, offset: first * lanes, strides: [lanes, 1] }],
    }
    steps.push((runner, now) => backend.runOn(runner, meeting, now))
  }
  for (let count = rows; count > 1; count = Math.ceil(count / TOGETHER)) {
    const [whole, rest] = [Math.floor(count / TOGETHER), count % TOGETHER]
    if (whole > 0) meet(TOGETHER, whole, 0)
    if (rest > 0) meet(rest, 1, whole)
    ;[from, to] = [to, from]
  }
  const still = shape.map(() => 0)
  const all = Array.from({ length: lanes }, (_, i): Placed => ({ storage: from, offset: i, strides: still }))
  const last = {
    program: pairing(combine, dtype, lanes),
    instructions,
    shape: shape.map(() => 1),
    operands: [...all, operands.at(-1)!],
  }
  steps.push((runner, now) => backend.runOn(runner, last, now))
  return { steps, free: () => memory.free(at, bytes) }
}

// Many elements to one in plain TypeScript: the elements of some results are computed into an array, and programs of
// one instruction combine parts of it, until one element of each is left.
import { asIntegers, type DType, makeStorage } from '../../dtype/dtype.ts'
import { Builder, type Program } from '../../expr/ir.ts'
import { lowerMove } from '../../expr/lower.ts'
import type { Combining } from '../../expr/reductions.ts'
import type { Part } from '../../plan/chunks.ts'
import { partsOfResults } from '../../plan/reduce.ts'
import { treeSteps } from '../../plan/tree.ts'
import { elementCount } from '../../shape/dim.ts'
import { rowMajorStrides } from '../../tensor/layout.ts'
import type { Placed } from '../../tensor/placed.ts'
import type { Outcome } from '../backend.ts'
import { instructionsOf } from '../instructions.ts'
import { nextTurn } from '../platform.ts'
import type { ReduceJob } from '../reduce-job.ts'
import { execute } from './execute.ts'

/** Elements that are computed at once, unless one result needs more. */
const AT_ONCE = 1 << 16

const NO_INSTRUCTIONS = /* @__PURE__ */ instructionsOf()
const combinations = new Map<string, Program>()
const moves = new Map<DType, Program>()

/** The program that combines two elements. */
function combination(combine: Combining, dtype: DType): Program {
  const key = `${combine} ${dtype}`
  let program = combinations.get(key)
  if (program === undefined) {
    const builder = new Builder([dtype, dtype])
    combinations.set(key, (program = builder.program(builder.op(combine, builder.input(0), builder.input(1)))))
  }
  return program
}

function moveOf(dtype: DType): Program {
  let program = moves.get(dtype)
  if (program === undefined) moves.set(dtype, (program = lowerMove(dtype)))
  return program
}

/** The last shift is the row-major position. */
const partsOf = ({ shape, run, operands }: ReduceJob): Iterable<Part> =>
  partsOfResults(shape, run, [...operands.map((operand) => operand.strides), rowMajorStrides(shape)], AT_ONCE)

/** Computes one part. Gives the lowest row-major position in it without a value, or -1. */
function reducePart({ program, combine, instructions, run, operands }: ReduceJob, { shape, shifts }: Part): number {
  const [first, end] = run
  const outer = elementCount(shape.slice(0, first))
  const length = elementCount(shape.slice(first, end))
  const inner = elementCount(shape.slice(end))
  const { dtype } = program.code.at(-1)!
  const storage = makeStorage(dtype, outer * length * inner)
  const strides = rowMajorStrides(shape)
  const moved = operands.map((operand, i) => ({ ...operand, offset: operand.offset + shifts[i]! }))
  const fault = execute(program, instructions, shape, [...moved.slice(0, -1), { storage, offset: 0, strides }])
  if (fault >= 0) return fault
  const pair = combination(combine, dtype)
  for (const { from, distance, counts, steps } of treeSteps(length)) {
    const own = [length * inner, ...steps.map((step) => step * inner), 1]
    const place = (at: number): Placed => ({ storage, offset: at * inner, strides: own })
    execute(pair, instructions, [outer, ...counts, inner], [place(from), place(from + distance), place(from)])
  }
  const kept = shape.map((size, axis) => (axis >= first && axis < end ? 1 : size))
  const result = moved.at(-1)!
  execute(moveOf(dtype), NO_INSTRUCTIONS, kept, [
    { storage: asIntegers(storage), offset: 0, strides },
    { ...result, storage: asIntegers(result.storage) },
  ])
  return -1
}

export function reduce(job: ReduceJob): Outcome {
  for (const part of partsOf(job)) {
    const fault = reducePart(job, part)
    if (fault >= 0) return positionIn(job, part, fault)
  }
  return 'done'
}

/** The same, letting other things have their turn. */
export async function reduceAsync(job: ReduceJob, check: () => void): Promise<Outcome> {
  for (const part of partsOf(job)) {
    check()
    const fault = reducePart(job, part)
    if (fault >= 0) return positionIn(job, part, fault)
    await new Promise<void>(nextTurn)
  }
  return 'done'
}

/** A position of a part as one of the whole. */
function positionIn({ shape }: ReduceJob, part: Part, position: number): number {
  const strides = rowMajorStrides(shape)
  let rest = position
  let at = part.shifts.at(-1)!
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = part.shape[axis]!
    at += (rest % size) * strides[axis]!
    rest = Math.floor(rest / size)
  }
  return at
}

// A stage of an expression over what lies somewhere: tensors, some of their rows, or what a stage before it left.
import type { Computable } from '../backend/backend.ts'
import type { Stage } from '../expr/stages.ts'
import type { Operation } from '../expr/trace.ts'
import { elementCount } from '../shape/dim.ts'
import { spread } from '../tensor/layout.ts'
import { type Lying, type Placed, placedOf } from '../tensor/placed.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { type Computation, executionOf } from './computation.ts'
import type { FaultAt } from './fault.ts'
import { reduceInto, type SharedPlans } from './reduce.ts'
import { freshTensor } from './result.ts'

/** What programs of stages need. */
export interface Means extends Omit<Computable, 'program'> {
  /** What is said of elements without a value. */
  readonly fault: FaultAt
}

/** What an operand is: a tensor that was given, or what a stage left, numbered behind those. */
export type SourceOf = (operand: number) => Tensor

/** Stages one behind the other. */
export interface Members {
  readonly stages: readonly Stage[]
  readonly members: readonly number[]
  /** How many operands there are: what a stage leaves is numbered behind them. */
  readonly operands: number
  readonly sourceOf: SourceOf
  /** What is there for the rows of one time. */
  readonly inside: ReadonlySet<number>
  readonly means: Means
}

/** Some rows of all stages, of which `partOf` gives operands by the axis that rows are on. */
export function* someRows(
  { stages, members, operands, means }: Members,
  some: number,
  partOf: (operand: number, axis: number) => Lying,
  plansFor?: (stage: number, rows: number) => SharedPlans,
): Computation<void> {
  for (const i of members) {
    const stage = stages[i]!
    const part = { ...stage, shape: [some, ...stage.shape.slice(1)], result: [some, ...stage.result.slice(1)] }
    const read = stage.inputs.map(({ operand, axes }) => partOf(operand, axes.indexOf(0)))
    yield* computeStage(part, read, partOf(operands + i, 0), means, plansFor?.(i, some))
  }
}

/**
 * Some rows on an axis; everything where there is none, or one for all. No view of a tensor, which would keep its memory
 * until it is collected.
 */
export function rowsOf({ storage, layout }: Lying, axis: number, from: number, some: number): Lying {
  const { shape, strides, offset } = layout
  if (axis < 0 || shape[axis] === 1) return { storage, layout }
  return { storage, layout: { shape: shape.with(axis, some), strides, offset: offset + from * strides[axis]! } }
}

/** An operation with the code that computes it. */
export interface ComputedOperation extends Operation {
  readonly compute: (operands: readonly Tensor[], out: Tensor) => Computation
}

/** Calls are never made for some rows: what they are given are tensors. */
function* computeCall(
  { operation, shapes }: NonNullable<Stage['call']>,
  inputs: Stage['inputs'],
  tensors: readonly Tensor[],
  target: Tensor,
): Computation<void> {
  const seen = tensors.map((tensor, i) => tensor.viewAs(spread(tensor.layout, shapes[i]!, inputs[i]!.axes), true))
  try {
    yield* (operation as ComputedOperation).compute(seen as unknown as readonly Tensor[], target)
  } finally {
    for (const each of seen) each.dispose()
  }
}

export function* computeStage(
  { shape, program, inputs, reduction, call, dtype }: Stage,
  given: readonly Lying[],
  target: Lying,
  { fault, instructions, planWith }: Means,
  plans?: SharedPlans,
): Computation<void> {
  if (elementCount(target.layout.shape) === 0) return
  if (call !== undefined) {
    yield* computeCall(call, inputs, given as readonly Tensor[], target as Tensor)
    return
  }
  const operands = given.map(({ storage, layout }, i): Placed => {
    const { offset, strides } = spread(layout, shape, inputs[i]!.axes)
    return { storage, offset, strides }
  })
  if (reduction === undefined) {
    if (elementCount(shape) === 0) return
    const all = [...operands, placedOf(target)]
    const job = { program, instructions, planWith, shape, operands: all, shared: plans?.(0) }
    const position = yield executionOf(job, [...given.map(({ storage }) => storage), target.storage])
    if (position >= 0) throw fault(job, position)
    return
  }
  const left: Tensor[] = []
  try {
    const temporary = (type: Stage['dtype'], size: Stage['shape']): Placed => {
      const tensor = freshTensor(type, size)
      left.push(tensor)
      return placedOf(tensor)
    }
    const { row, reduced, keepdims } = reduction
    const reducing = { row, instructions, dtype, program, operands, shape, reduced, keepdims, plans }
    yield* reduceInto(reducing, target, temporary)
  } finally {
    for (const each of left) each.dispose()
  }
}

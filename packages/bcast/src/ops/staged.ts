// Expressions of several stages over tensors: each stage reads operands and what stages before it left, and what nobody
// reads any more is given back.
import type { Computable, SharedPlan } from '../backend/backend.ts'
import type { Prepared, Stage } from '../expr/stages.ts'
import type { Operation } from '../expr/trace.ts'
import { planSweeps, type Sweep } from '../plan/sweeps.ts'
import { elementCount } from '../shape/dim.ts'
import { spread } from '../tensor/layout.ts'
import { type Lying, type Placed, placedOf } from '../tensor/placed.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { checkOut } from './checks.ts'
import { type Computation, executionOf } from './computation.ts'
import { copying } from './compute.ts'
import type { FaultAt } from './fault.ts'
import { overlaps } from './overlap.ts'
import { reduceInto, type SharedPlans } from './reduce.ts'
import { freshTensor } from './result.ts'

/** What programs of stages need. */
export interface Means extends Omit<Computable, 'program'> {
  /** What is said of elements without a value. */
  readonly fault: FaultAt
}

/** Computes stages over operands; gives the results, `outs` where they are given. */
export function* computeStages(
  prepared: Prepared,
  operands: readonly Tensor[],
  outs: readonly (Tensor | undefined)[],
  means: Means,
): Computation<Tensor[]> {
  const computing = stagesOf(prepared, operands, outs, means)
  const step = computing.next()
  if (step.done) return step.value
  // Whatever is executed first holds all arrays until everything is.
  const all = [...operands, ...outs].flatMap((tensor) => (tensor === undefined ? [] : [tensor.storage]))
  try {
    let next = computing.next(yield { ...step.value, arrays: [...step.value.arrays, ...all] })
    while (!next.done) next = computing.next(yield next.value)
    return next.value
  } finally {
    computing.return([])
  }
}

function* stagesOf(
  { stages, results }: Prepared,
  operands: readonly Tensor[],
  outs: readonly (Tensor | undefined)[],
  means: Means,
): Computation<Tensor[]> {
  results.forEach((stage, i) => {
    const { dtype, result } = stages[stage]!
    const out = outs[i]
    if (out !== undefined) checkOut('fuse', out, dtype, result)
  })
  const { sweeps, lastReader } = settledOf(stages, operands.length)
  const made = new Map<number, Tensor>()
  const given = new Set<Tensor>()
  /** Where a stage leaves its result. */
  const placeFor = (i: number): void => {
    const at = results.indexOf(i)
    const out = at < 0 ? undefined : outs[at]
    // Later stages read the operands again.
    const direct = out !== undefined && !operands.some((operand) => overlaps(out, operand, operand.layout))
    if (direct) given.add(out)
    made.set(i, direct ? out : freshTensor(stages[i]!.dtype, stages[i]!.result))
  }
  const sourceOf = (operand: number): Tensor => operands[operand] ?? made.get(operand - operands.length)!
  try {
    for (const { first, end, rows } of sweeps) {
      const members = Array.from({ length: end - first }, (_, i) => first + i)
      // What only these stages read is there for the rows of one time.
      const isInside = (i: number): boolean =>
        rows !== undefined && !results.includes(i) && members.some((reader) => lastReader[reader]!.includes(i))
      for (const i of members) {
        const { dtype, result } = stages[i]!
        if (isInside(i)) made.set(i, freshTensor(dtype, [rows!.each, ...result.slice(1)]))
        else placeFor(i)
      }
      const inside = new Set(members.filter(isInside).map((i) => operands.length + i))
      yield* rows === undefined
        ? allAtOnce(stages, members, operands.length, sourceOf, means)
        : rowByRow(stages, members, operands.length, rows, sourceOf, inside, means)
      for (const earlier of members.flatMap((i) => lastReader[i]!)) {
        if (results.includes(earlier)) continue
        made.get(earlier)!.dispose()
        made.delete(earlier)
      }
    }
    const all: Tensor[] = []
    for (const [i, stage] of results.entries()) {
      const result = made.get(stage)!
      const out = outs[i]
      if (out !== undefined && out !== result) yield copying(result, placedOf(out))
      all.push(out ?? result)
    }
    for (const each of all) given.add(each)
    return all
  } finally {
    for (const each of made.values()) if (!given.has(each)) each.dispose()
  }
}

/** What an operand is: a tensor that was given, or what a stage left, numbered behind those. */
type SourceOf = (operand: number) => Tensor

function* allAtOnce(
  stages: readonly Stage[],
  members: readonly number[],
  operands: number,
  sourceOf: SourceOf,
  means: Means,
): Computation<void> {
  for (const i of members) {
    const stage = stages[i]!
    const read = stage.inputs.map(({ operand }) => sourceOf(operand))
    yield* computeStage(stage, read, sourceOf(operands + i), means)
  }
}

/** Some rows of all stages, then the next; `inside` holds what is there for the rows of one time. */
function* rowByRow(
  stages: readonly Stage[],
  members: readonly number[],
  operands: number,
  rows: NonNullable<Sweep['rows']>,
  sourceOf: SourceOf,
  inside: ReadonlySet<number>,
  means: Means,
): Computation<void> {
  const plansFor = sharedPlans()
  for (let from = 0; from < rows.all; from += rows.each) {
    const some = Math.min(rows.each, rows.all - from)
    const partOf = (operand: number, axis: number): Lying =>
      rowsOf(sourceOf(operand), axis, inside.has(operand) ? 0 : from, some)
    for (const i of members) {
      const stage = stages[i]!
      const part = { ...stage, shape: [some, ...stage.shape.slice(1)], result: [some, ...stage.result.slice(1)] }
      const read = stage.inputs.map(({ operand, axes }) => partOf(operand, axes.indexOf(0)))
      yield* computeStage(part, read, partOf(operands + i, 0), means, plansFor(i, some))
    }
  }
}

/** Plans by stage, number of rows and step: from one time to the next only places change. */
function sharedPlans(): (stage: number, rows: number) => SharedPlans {
  const known = new Map<string, SharedPlan>()
  return (stage, rows) => (step) => {
    const key = `${stage} ${rows} ${step}`
    let own = known.get(key)
    if (own === undefined) known.set(key, (own = {}))
    return own
  }
}

/**
 * Some rows on an axis; everything where there is none, or one for all. No view of a tensor, which would keep its memory
 * until it is collected.
 */
function rowsOf({ storage, layout }: Lying, axis: number, from: number, some: number): Lying {
  const { shape, strides, offset } = layout
  if (axis < 0 || shape[axis] === 1) return { storage, layout }
  return { storage, layout: { shape: shape.with(axis, some), strides, offset: offset + from * strides[axis]! } }
}

interface SettledStages {
  readonly sweeps: readonly Sweep[]
  readonly lastReader: readonly (readonly number[])[]
}

const settled = new WeakMap<readonly Stage[], SettledStages>()

/** What follows from stages alone, once for all calls; they are always over as many operands. */
function settledOf(stages: readonly Stage[], operands: number): SettledStages {
  let own = settled.get(stages)
  if (own === undefined) {
    own = { sweeps: planSweeps(stages, operands), lastReader: lastReaders(stages, operands) }
    settled.set(stages, own)
  }
  return own
}

/** For each stage those whose results it is the last to read. */
function lastReaders(stages: readonly Stage[], operands: number): readonly (readonly number[])[] {
  const last = new Map<number, number>()
  stages.forEach(({ inputs }, i) => {
    for (const { operand } of inputs) if (operand >= operands) last.set(operand - operands, i)
  })
  return stages.map((_, i) => [...last].filter(([, reader]) => reader === i).map(([stage]) => stage))
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
  const seen = tensors.map((tensor, i) => tensor.view(spread(tensor.layout, shapes[i]!, inputs[i]!.axes), true))
  try {
    yield* (operation as ComputedOperation).compute(seen as unknown as readonly Tensor[], target)
  } finally {
    for (const each of seen) each.dispose()
  }
}

function* computeStage(
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

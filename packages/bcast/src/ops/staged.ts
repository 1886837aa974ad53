// Expressions of several stages over tensors: each stage reads operands and what stages before it left, and what nobody
// reads any more is given back.
import type { Computable, SharedPlan } from '../backend/backend.ts'
import type { Prepared, Stage } from '../expr/stages.ts'
import type { Operation } from '../expr/trace.ts'
import { planSweeps, type Sweep } from '../plan/sweeps.ts'
import { elementCount } from '../shape/dim.ts'
import { spread } from '../tensor/layout.ts'
import type { Placed } from '../tensor/placed.ts'
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

const placedOf = ({ storage, layout: { offset, strides } }: Tensor): Placed => ({ storage, offset, strides })

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
  const count = operands.length
  const { sweeps, lastReader } = orderOf(stages, count)
  const made = new Map<number, Tensor>()
  const given = new Set<Tensor>()
  /** Where a stage leaves its result, if it is one. */
  const placeFor = (i: number): Tensor => {
    const at = results.indexOf(i)
    const out = at < 0 ? undefined : outs[at]
    // Later stages read the operands again.
    const direct = out !== undefined && !operands.some((operand) => overlaps(out, operand, operand.layout))
    const { dtype, result } = stages[i]!
    const target = direct ? out : freshTensor(dtype, result)
    made.set(i, target)
    if (direct) given.add(target)
    return target
  }
  const sourceOf = (operand: number): Tensor => operands[operand] ?? made.get(operand - count)!
  const letGo = (i: number): void => {
    for (const earlier of lastReader[i]!) {
      if (results.includes(earlier)) continue
      made.get(earlier)!.dispose()
      made.delete(earlier)
    }
  }
  try {
    for (const { first, end, rows } of sweeps) {
      const members = [...stages.keys()].slice(first, end)
      if (rows === undefined) {
        for (const i of members) {
          const target = placeFor(i)
          yield* computeStage(
            stages[i]!,
            stages[i]!.inputs.map(({ operand }) => sourceOf(operand)),
            target,
            means,
          )
          letGo(i)
        }
        continue
      }
      // What only these stages read is there for the rows of one time.
      const inside = new Set(
        members.filter((i) => !results.includes(i) && members.some((reader) => lastReader[reader]!.includes(i))),
      )
      for (const i of members) {
        const { dtype, result } = stages[i]!
        if (inside.has(i)) made.set(i, freshTensor(dtype, [rows.each, ...result.slice(1)]))
        else placeFor(i)
      }
      const plansFor = sharedPlans()
      for (let from = 0; from < rows.all; from += rows.each) {
        const some = Math.min(rows.each, rows.all - from)
        const partOf = (i: number, axis: number): Tensor =>
          rowsOf(sourceOf(i), axis, inside.has(i - count) ? 0 : from, some)
        for (const i of members) {
          const stage = stages[i]!
          const part = { ...stage, shape: [some, ...stage.shape.slice(1)], result: [some, ...stage.result.slice(1)] }
          const read = stage.inputs.map(({ operand, axes }) => partOf(operand, axes.indexOf(0)))
          yield* computeStage(part, read, partOf(count + i, 0), means, plansFor(i, some))
        }
      }
      for (const i of members) letGo(i)
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

/** Some rows of a tensor on one of its axes; all of it where it has none there, or one for all. */
function rowsOf(tensor: Tensor, axis: number, from: number, some: number): Tensor {
  const { shape, strides, offset } = tensor.layout
  if (axis < 0 || shape[axis] === 1) return tensor
  const layout = { shape: shape.with(axis, some), strides, offset: offset + from * strides[axis]! }
  return tensor.view(layout, tensor.readOnly) as Tensor
}

/** How stages follow each other. */
interface Order {
  readonly sweeps: readonly Sweep[]
  readonly lastReader: readonly (readonly number[])[]
}

const orders = new WeakMap<readonly Stage[], Order>()

/** The order of stages over so many operands, which is the same in every call. */
function orderOf(stages: readonly Stage[], operands: number): Order {
  let order = orders.get(stages)
  if (order === undefined) {
    orders.set(stages, (order = { sweeps: planSweeps(stages, operands), lastReader: lastReaders(stages, operands) }))
  }
  return order
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

function* computeStage(
  { shape, program, inputs, reduction, call, dtype }: Stage,
  tensors: readonly Tensor[],
  target: Tensor,
  { fault, instructions, planWith }: Means,
  plans?: SharedPlans,
): Computation<void> {
  if (target.size === 0) return
  if (call !== undefined) {
    const seen = tensors.map(
      (tensor, i) => tensor.view(spread(tensor.layout, call.shapes[i]!, inputs[i]!.axes), true) as Tensor,
    )
    yield* (call.operation as ComputedOperation).compute(seen, target)
    return
  }
  const operands = tensors.map(({ storage, layout }, i): Placed => {
    const { offset, strides } = spread(layout, shape, inputs[i]!.axes)
    return { storage, offset, strides }
  })
  if (reduction === undefined) {
    if (elementCount(shape) === 0) return
    const all = [...operands, placedOf(target)]
    const job = { program, instructions, planWith, shape, operands: all, shared: plans?.(0) }
    const position = yield executionOf(job, [...tensors.map(({ storage }) => storage), target.storage])
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

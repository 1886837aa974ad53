// Expressions of several stages over tensors: each stage reads operands and what stages before it left, and what nobody
// reads any more is given back.
import type { Computable } from '../backend/backend.ts'
import type { Prepared, Stage } from '../expr/stages.ts'
import type { Operation } from '../expr/trace.ts'
import { elementCount } from '../shape/dim.ts'
import { spread } from '../tensor/layout.ts'
import type { Placed } from '../tensor/placed.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { checkOut } from './checks.ts'
import { type Computation, executionOf } from './computation.ts'
import { copying } from './compute.ts'
import type { FaultAt } from './fault.ts'
import { overlaps } from './overlap.ts'
import { reduceInto } from './reduce.ts'
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
  const lastReader = lastReaders(stages, operands.length)
  const made = new Map<number, Tensor>()
  const given = new Set<Tensor>()
  try {
    for (const [i, stage] of stages.entries()) {
      const at = results.indexOf(i)
      const out = at < 0 ? undefined : outs[at]
      // Later stages read the operands again.
      const direct = out !== undefined && !operands.some((operand) => overlaps(out, operand, operand.layout))
      const target = direct ? out : freshTensor(stage.dtype, stage.result)
      made.set(i, target)
      if (direct) given.add(target)
      const read = stage.inputs.map(({ operand, axes }) => {
        const tensor = operands[operand] ?? made.get(operand - operands.length)!
        return { tensor, placed: placedIn(tensor, stage, axes) }
      })
      const arrays = [...read.map(({ tensor }) => tensor.storage), target.storage]
      if (stage.call !== undefined) {
        yield* computeCall(
          stage,
          read.map(({ tensor }) => tensor),
          target,
        )
      } else
        yield* computeStage(
          stage,
          read.map(({ placed }) => placed),
          target,
          means,
          arrays,
        )
      for (const earlier of lastReader[i]!) {
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

function placedIn({ storage, layout }: Tensor, { shape }: Stage, axes: readonly number[]): Placed {
  const { offset, strides } = spread(layout, shape, axes)
  return { storage, offset, strides }
}

/** An operation with the code that computes it. */
export interface ComputedOperation extends Operation {
  readonly compute: (operands: readonly Tensor[], out: Tensor) => Computation
}

function* computeCall(stage: Stage, tensors: readonly Tensor[], target: Tensor): Computation<void> {
  const { operation, shapes } = stage.call!
  const operands = tensors.map((tensor, i) => {
    const { axes } = stage.inputs[i]!
    return tensor.view(spread(tensor.layout, shapes[i]!, axes), true) as Tensor
  })
  yield* (operation as ComputedOperation).compute(operands, target)
}

/** For each stage those whose results it is the last to read. */
function lastReaders(stages: readonly Stage[], operands: number): readonly (readonly number[])[] {
  const last = new Map<number, number>()
  stages.forEach(({ inputs }, i) => {
    for (const { operand } of inputs) if (operand >= operands) last.set(operand - operands, i)
  })
  return stages.map((_, i) => [...last].filter(([, reader]) => reader === i).map(([stage]) => stage))
}

function* computeStage(
  { shape, program, reduction, dtype }: Stage,
  operands: readonly Placed[],
  target: Tensor,
  { fault, ...means }: Means,
  arrays: readonly Tensor['storage'][],
): Computation<void> {
  if (target.size === 0) return
  if (reduction === undefined) {
    if (elementCount(shape) === 0) return
    const job = { ...means, program, shape, operands: [...operands, placedOf(target)] }
    const position = yield executionOf(job, arrays)
    if (position >= 0) throw fault(job, position)
    return
  }
  const left: Tensor[] = []
  try {
    const { instructions } = means
    const temporary = (type: Stage['dtype'], size: Stage['shape']): Placed => {
      const tensor = freshTensor(type, size)
      left.push(tensor)
      return placedOf(tensor)
    }
    yield* reduceInto({ ...reduction, instructions, dtype, program, operands, shape }, target, temporary)
  } finally {
    for (const each of left) each.dispose()
  }
}

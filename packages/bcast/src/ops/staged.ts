// Expressions of several stages over tensors: each stage reads operands and what stages before it left, and what nobody
// reads any more is given back.
import type { SharedPlan } from '../backend/backend.ts'
import type { Prepared, Stage } from '../expr/stages.ts'
import { planSweeps, rowsAtOnce, type Sweep } from '../plan/sweeps.ts'
import { type Lying, placedOf } from '../tensor/placed.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { checkOut } from './checks.ts'
import type { Computation } from './computation.ts'
import { copying } from './compute.ts'
import { inOneGo } from './one-go.ts'
import { overlaps } from './overlap.ts'
import type { SharedPlans } from './reduce.ts'
import { freshTensor } from './result.ts'
import { computeStage, type Means, type Members, rowsOf, someRows } from './stage.ts'

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
      for (const i of members) if (!isInside(i)) placeFor(i)
      const inside = new Set(members.filter(isInside).map((i) => operands.length + i))
      const some = { stages, members, operands: operands.length, sourceOf, inside, means }
      const done = rows === undefined ? 0 : yield* inOneGo(some, rows)
      if (done !== rows?.all) {
        const each = rows && (rowsAtOnce(rows) ?? (done > 0 ? rows.all - done : undefined))
        for (const i of members.filter(isInside)) {
          const { dtype, result } = stages[i]!
          if (each === undefined) placeFor(i)
          else made.set(i, freshTensor(dtype, [each, ...result.slice(1)]))
        }
        yield* each === undefined ? allAtOnce(some) : rowByRow(some, { from: done, each, all: rows!.all })
      }
      for (const earlier of members.flatMap((i) => lastReader[i]!)) {
        if (results.includes(earlier)) continue
        made.get(earlier)?.dispose()
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

function* allAtOnce({ stages, members, operands, sourceOf, means }: Members): Computation<void> {
  for (const i of members) {
    const stage = stages[i]!
    const read = stage.inputs.map(({ operand }) => sourceOf(operand))
    yield* computeStage(stage, read, sourceOf(operands + i), means)
  }
}

/** Some rows of all stages, then the next. */
function* rowByRow(
  own: Members,
  { from: first, each, all }: { readonly from: number; readonly each: number; readonly all: number },
): Computation<void> {
  const { sourceOf, inside } = own
  const plansFor = sharedPlans()
  for (let from = first; from < all; from += each) {
    const some = Math.min(each, all - from)
    const partOf = (operand: number, axis: number): Lying =>
      rowsOf(sourceOf(operand), axis, inside.has(operand) ? 0 : from, some)
    yield* someRows(own, some, partOf, plansFor)
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

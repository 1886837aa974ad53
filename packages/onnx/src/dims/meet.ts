// Shapes of Dims under a broadcasting rule: bcast's solver decides, and its answer comes back over the model's symbols.
import { type ExplainOptions, type Explanation, explain } from 'bcast'
import { bounds } from './bounds.ts'
import { isEqual } from './compare.ts'
import { type DimCondition, formatDimConditions, settle, translated } from './condition.ts'
import type { Dim } from './dim.ts'
import { max, min } from './extreme.ts'
import type { Facts } from './facts.ts'
import { Names } from './naming.ts'
import { constant, mul } from './polynomial.ts'

/** A shape of Dims; `null` when not even the rank is known. */
export type DimShape = readonly Dim[] | null

/** What shapes of expressions make that meet: the result, and what must hold for it. */
export interface Meeting {
  readonly verdict: 'ok' | 'conditional' | 'error'
  /** The result's shape whenever the conditions hold (`null`: not known); undefined when they never do. */
  readonly shape: readonly (Dim | null)[] | null | undefined
  /** What must hold besides; empty unless the verdict is conditional. */
  readonly conditions: readonly DimCondition[]
  /** Why it never holds: the solver's sentence, or the conditions that no sizes satisfy together. */
  readonly failure: string | undefined
  /** What the solver said, with expressions as names. */
  readonly explanation: Explanation
  /** The names that stand for long expressions, `#1 = …`; made when somebody reads them. */
  readonly legend: () => readonly string[]
  /** The same with short names for all but the shortest expressions, for a picture that is not wide. */
  readonly abridged: () => Meeting
}

/** What is not longer is drawn as it is, however little room there is. */
const SHORT = 8

/** How shapes meet under a rule, numpy unless said. */
export function meet(shapes: readonly DimShape[], options: ExplainOptions = {}, names: Names = new Names()): Meeting {
  const explanation = explain(
    shapes.map((shape) => shape?.map((dim) => names.nameOf(dim)) ?? null),
    options,
  )
  const abridged = (): Meeting => meet(shapes, options, new Names(SHORT))
  const base = { explanation, legend: () => names.legend(), abridged }
  const never = (failure: string): Meeting => ({ ...base, verdict: 'error', shape: undefined, conditions: [], failure })
  if (explanation.verdict === 'error') return never(explanation.failure!.sentence)
  const given = translated(explanation.conditions, names)
  const settled = settle(given)
  if (settled === undefined) return never(`no sizes satisfy ${formatDimConditions(given)}`)
  const { conditions, facts } = settled
  return {
    ...base,
    verdict: conditions.length === 0 ? 'ok' : 'conditional',
    shape: resultShape(explanation, names, facts),
    conditions,
    failure: undefined,
  }
}

function resultShape({ shape, axes }: Explanation, names: Names, facts: Facts): readonly (Dim | null)[] | null {
  if (shape === null || shape === undefined) return null
  return shape.map((size, axis) => {
    const known = names.dimOf(size)
    if (known !== undefined) return facts.apply(known)
    const meeting = axes[axis]?.operands.map((operand) => names.dimOf(operand.size ?? 1))
    return meeting?.every((dim) => dim !== undefined) ? common(meeting.map((dim) => facts.apply(dim))) : null
  })
}

/** The size that sizes make together which are 1 or all the same: 0 if any is 0, else the largest. */
function common(dims: readonly Dim[]): Dim {
  const varying = dims.filter((dim) => isEqual(dim, 1) !== true)
  if (varying.length === 0) return constant(1)
  const decided = varying.find((dim) => isEqual(dim, 1) === false)
  if (decided !== undefined) return decided
  const largest = max(...varying)
  return varying.every((dim) => bounds(dim).min >= 1) ? largest : mul(largest, min(1, ...varying))
}

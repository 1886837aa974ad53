// The explicit rewrite of a model: afterwards every element-wise operator reads operands of one shape, because Expand
// gave it to them. What the model computes stays the same to the bit.
import { checkModel } from '../check/check.ts'
import type { FindingId } from '../check/codes.ts'
import { type InferOptions, inferShapes } from '../infer/infer.ts'
import type { Inference } from '../infer/inference.ts'
import type { Model } from '../model/model.ts'
import { declaring } from './declare.ts'
import { raised } from './raise/raise.ts'
import { type ExplicitReport, totalsOf } from './report.ts'
import { Rewrite } from './rewrite.ts'
import { haveOneShape } from './support.ts'

/** Shapes of inputs, where they are given, become those that the new model declares. */
export type ExplicitOptions = InferOptions

export interface Explicit {
  readonly model: Model
  readonly report: ExplicitReport
}

/** Findings of the check that are about shapes which may differ. */
const aboutShapes: ReadonlySet<FindingId> = new Set<FindingId>([
  'implicit-broadcast',
  'broadcast-conditional',
  'broadcast-unknown',
])

/** What a strict check still asks about, and which of it is true by the way operands are made. */
function unprovenOf(model: Model, options: InferOptions): readonly string[] {
  const { findings } = checkModel(model, { ...options, profile: 'sonnx-strict', fixes: false })
  return findings
    .filter(({ id }) => aboutShapes.has(id))
    .map(({ message, node, operands }) => {
      const names = operands.map(({ name }) => name)
      const isEqual = node !== undefined && node.opType !== 'Expand' && haveOneShape(node.scope, names)
      return isEqual ? `${message} They are equal by the way they are made.` : message
    })
}

const opsetOf = ({ opsets }: Model): number => opsets.get('') ?? 0

/**
 * Rewrites a model so that no element-wise operator broadcasts implicitly; the one that is given stays as it is, and
 * weights are shared. A model that is explicit already comes back itself. Throws an OpsetError for a model of an old
 * operator set that cannot be raised to one with Expand.
 */
export function makeExplicit(model: Model, options: ExplicitOptions = {}): Explicit {
  let inference: Inference = inferShapes(model, options)
  const inferred = (next: Model, before: Model): Model => {
    if (next !== before) inference = inferShapes(next, options)
    return next
  }
  const declared = inferred(declaring(model, options.inputs ?? {}, inference), model)
  const { model: newer, lowered } = raised(declared, inference)
  const ready = inferred(newer, declared)
  const { model: explicit, rewritten, kept } = new Rewrite(ready, inference).run()
  return {
    model: explicit,
    report: {
      opset: { from: opsetOf(model), to: opsetOf(explicit) },
      lowered,
      rewritten,
      kept,
      unproven: unprovenOf(explicit, options),
      totals: totalsOf(rewritten),
    },
  }
}

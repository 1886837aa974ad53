// The explicit rewrite of a model: afterwards every element-wise operator reads operands of one shape, because Expand
// gave it to them. What the model computes stays the same to the bit.
import { type CheckReport, checkModel } from '../check/check.ts'
import type { FindingId } from '../check/codes.ts'
import { keyOf } from '../check/fixes/verify.ts'
import { type InferOptions, inferShapes } from '../infer/infer.ts'
import type { Inference } from '../infer/inference.ts'
import { overruledInputs } from '../infer/inputs.ts'
import type { Model } from '../model/model.ts'
import type { Node } from '../model/scope.ts'
import { scopesOf } from '../structure/check.ts'
import { inlineBranches } from './branches.ts'
import { declaring } from './declare.ts'
import { fixDefaults, openDefaults } from './defaults.ts'
import { raised } from './raise/raise.ts'
import { type ExplicitReport, totalsOf } from './report.ts'
import { Rewrite, type Rewritten } from './rewrite.ts'
import { haveOneShape } from './support.ts'

/** Shapes of inputs, where they are given, become those that the new model declares. */
export interface ExplicitOptions extends Omit<InferOptions, 'defaults'> {
  /**
   * What becomes of inputs with a default that `inputs` does not name: `open` unless said, so that the new model is
   * right whatever a run gives; `fixed` makes constants of them, which says more of sizes.
   */
  readonly defaults?: 'open' | 'fixed'
}

/** What `makeExplicit` gives: the rewritten model and a report. */
export interface Explicit {
  readonly model: Model
  readonly report: ExplicitReport
}

const strictly = (model: Model, options: InferOptions): CheckReport =>
  checkModel(model, { ...options, profile: 'sonnx-strict', fixes: false })

/** Findings that nodes fail by: their operands cannot be right, however they are made. */
const failures: ReadonlySet<FindingId> = new Set<FindingId>(['branch-does-not-fit', 'impossible-node'])

/** What keeps the model from passing: also what is true by the way operands are made, and what not every run comes to. */
const unprovenOf = ({ findings }: CheckReport): readonly string[] =>
  findings
    .filter(({ severity }) => severity === 'error')
    .map(({ id, message, node, operands, frame }) => {
      if (id === 'impossible-node' && frame?.certain === false) return `${message} Runs that come to it fail.`
      const names = operands.map(({ name }) => name)
      const isEqual =
        !failures.has(id) && node !== undefined && node.opType !== 'Expand' && haveOneShape(node.scope, names)
      return isEqual ? `${message} They are equal by the way they are made.` : message
    })

/** Rounds after which what still changes is left; two are rare. */
const MAX_ROUNDS = 8

interface Rounds extends Rewritten {
  /** Of the model as it is at last. */
  readonly check: CheckReport
}

/**
 * Rewrites until nothing changes. What a node tells about sizes may no longer be told when its operands are expanded,
 * and then a node behind it that needed nothing needs something. Nodes are named as in the model that is given.
 */
function rewritten(given: Model, known: Inference, options: InferOptions): Rounds {
  const first = new Rewrite(given, known).run()
  const own = new Map([...scopesOf(given)].flatMap(({ nodes }) => nodes.map((node) => [keyOf(node), node] as const)))
  const named = <T extends { readonly node: Node }>(entries: readonly T[]): readonly T[] =>
    entries.map((entry) => ({ ...entry, node: own.get(keyOf(entry.node)) ?? entry.node }))
  let last: Rounds = { ...first, check: strictly(first.model, options) }
  for (let round = 1; round < MAX_ROUNDS && last.model !== given; round++) {
    const next = new Rewrite(last.model, last.check.inference).run()
    if (next.model === last.model) break
    last = {
      model: next.model,
      rewritten: [...last.rewritten, ...named(next.rewritten)],
      kept: named(next.kept),
      check: strictly(next.model, options),
    }
  }
  return last
}

const opsetOf = ({ opsets }: Model): number => opsets.get('') ?? 0

/**
 * Rewrites a model so that no element-wise operator broadcasts implicitly; the one that is given stays as it is, and
 * weights are shared. A model that is explicit already comes back itself. Throws an OpsetError for a model of an old
 * operator set that cannot be raised to one with Expand.
 *
 * @example
 * ```ts
 * makeExplicit(applyFix(model, checkModel(model).findings[0].fixes[0])).report.totals.operators // { Shape: 1, Expand: 1 }
 * ```
 */
export function makeExplicit(model: Model, { defaults = 'open', ...given }: ExplicitOptions = {}): Explicit {
  const options: InferOptions = { ...given, defaults: 'open' }
  const { model: own, fixed } = defaults === 'fixed' ? fixDefaults(model, given.inputs ?? {}) : { model, fixed: [] }
  const { model: taken, inlined } = inlineBranches(own, options)
  let inference: Inference = inferShapes(taken, options)
  const inferred = (next: Model, before: Model): Model => {
    if (next !== before) inference = inferShapes(next, options)
    return next
  }
  const declared = inferred(declaring(taken, options.inputs ?? {}, inference), taken)
  const { model: newer, lowered } = raised(declared, inference)
  const ready = inferred(newer, declared)
  const { model: explicit, rewritten: nodes, kept, check } = rewritten(ready, inference, options)
  return {
    model: explicit,
    report: {
      overruled: overruledInputs(model.graph, options.inputs ?? {}),
      opset: { from: opsetOf(model), to: opsetOf(explicit) },
      defaults: { fixed, open: openDefaults(explicit) },
      inlined,
      lowered,
      rewritten: nodes,
      kept,
      unproven: unprovenOf(check),
      totals: totalsOf(nodes),
    },
  }
}

// A rule applied to the shapes of tensors, or the error that explains why it cannot be. Every operator and every
// public broadcast goes through here, so a failing one always says the same.
import { BroadcastError, RuleError } from '../errors/index.ts'
import { checkShape, type Dim, type Shape } from '../shape/dim.ts'
import { type Explanation, explanationOf } from '../shape/explanation.ts'
import { findFixes } from '../shape/fixes.ts'
import { type Infer, inferConcrete } from '../shape/inference.ts'
import { isFailure, type Resolution, resolve } from '../shape/resolve.ts'
import type { Rule } from '../shape/rule.ts'

/** Why tensors do not go together. All sizes are known, so the rule itself judges every fix. */
function explainFailure(rule: Rule, shapes: readonly Shape[], onto: number): Explanation {
  const infer = inferConcrete as Infer<readonly Dim[]>
  const fixes = shapes.length > 1 ? findFixes({ rule, shapes, onto, infer }) : []
  return explanationOf(rule, shapes, inferConcrete(rule, shapes, onto), { fixes })
}

/** Resolves shapes under a rule or throws the error that explains why not. */
export function resolveOrThrow(rule: Rule, shapes: readonly Shape[], onto = 0): Resolution {
  const outcome = resolve(rule, shapes, onto)
  if (!isFailure(outcome)) {
    // Shapes that meet may still make more elements than can be counted.
    checkShape(outcome.shape, 'shape of the result')
    return outcome
  }
  const explanation = explainFailure(rule, shapes, onto)
  throw new BroadcastError(explanation.toString(), {
    shapes,
    rule: rule.label,
    axis: outcome.axis,
    operands: outcome.operands,
    explanation,
  })
}

/** The same for shapes whose elements meet one by one, which not every rule is about. */
export function resolveElements(rule: Rule, shapes: readonly Shape[], onto = 0): Resolution {
  if (rule.name === 'matmulBatch') {
    throw new RuleError(
      'matmulBatch brings stacks of matrices together, not elements; it goes with broadcastShapes and explain.',
      { rule: 'matmulBatch' },
    )
  }
  return resolveOrThrow(rule, shapes, onto)
}

// A rule applied to the shapes of tensors, or the error that explains why it cannot be. Every operator and every
// public broadcast goes through here, so a failing one always says the same.
import { BroadcastError, RuleError } from '../errors/index.ts'
import type { Shape } from '../shape/dim.ts'
import { explainRule } from '../shape/explanation.ts'
import { isFailure, type Resolution, resolve } from '../shape/resolve.ts'
import type { Rule } from '../shape/rule.ts'

/** Resolves shapes under a rule or throws the error that explains why not. */
export function resolveOrThrow(rule: Rule, shapes: readonly Shape[], onto = 0): Resolution {
  const outcome = resolve(rule, shapes, onto)
  if (!isFailure(outcome)) return outcome
  const explanation = explainRule(rule, shapes, onto)
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
    )
  }
  return resolveOrThrow(rule, shapes, onto)
}

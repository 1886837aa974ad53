// What a rule says of shapes: the three verdicts and what each of them knows. Concrete shapes are judged here, by the
// rule alone; symbolic ones need a solver, which operators on tensors do without.
import type { Shape, SymbolicShape } from './dim.ts'
import type { Failure } from './failure.ts'
import { isFailure, resolve } from './resolve.ts'
import { type Alignment, isMisfit, type Rule } from './rule.ts'
import type { Condition } from './symbolic/condition.ts'

export type Inference =
  | { readonly verdict: 'ok'; readonly shape: SymbolicShape; readonly alignment: Alignment | undefined }
  | {
      readonly verdict: 'conditional'
      readonly shape: SymbolicShape
      readonly conditions: readonly Condition[]
      readonly alignment: Alignment | undefined
    }
  | { readonly verdict: 'error'; readonly failure: Failure; readonly alignment: Alignment | undefined }

/** Judges shapes of one kind; `onto` is the operand that one-way rules keep. */
export type Infer<S> = (rule: Rule, shapes: readonly S[], onto: number) => Inference

/** The verdict of a rule over concrete shapes, which is never conditional. */
export const inferConcrete: Infer<Shape> = (rule, shapes, onto) => {
  const alignment = rule.align(shapes, onto)
  const placed = isMisfit(alignment) ? undefined : alignment
  const outcome = resolve(rule, shapes, onto)
  return isFailure(outcome)
    ? { verdict: 'error', failure: outcome, alignment: placed }
    : { verdict: 'ok', shape: outcome.shape, alignment: placed }
}

// An explanation for programs, as explain.schema.json of bcast describes it.
import { type Explanation, type Fix, formatConditions, type SymbolicShape } from 'bcast'

export interface ExplanationJson
  extends Pick<Explanation, 'verdict' | 'rule' | 'clause' | 'requirement' | 'shapes' | 'axes' | 'conditions'> {
  /** Null when the broadcast fails, or when the rank of the result is not known. */
  readonly shape: SymbolicShape
  /** What must hold, in words; null unless the verdict is conditional. */
  readonly condition: string | null
  readonly failure: {
    readonly sentence: string
    readonly operands: readonly number[]
    readonly axis: number | null
  } | null
  readonly warning: string | null
  readonly fixes: readonly Pick<Fix, 'text' | 'code' | 'verdict' | 'shapes' | 'result'>[]
}

export function explanationJson(
  explanation: Explanation,
  fixes: Explanation['fixes'] = explanation.fixes,
): ExplanationJson {
  const { verdict, rule, clause, requirement, shapes, shape, axes, conditions, failure, warning } = explanation
  return {
    ...{ verdict, rule, clause, requirement, shapes, shape: shape ?? null, axes },
    condition: verdict === 'conditional' ? formatConditions(conditions) : null,
    conditions,
    failure: failure === undefined ? null : { ...failure, axis: failure.axis ?? null },
    warning: warning ?? null,
    fixes: fixes.map(({ text, code, verdict: holds, shapes: changed, result }) => ({
      ...{ text, code, verdict: holds, shapes: changed, result },
    })),
  }
}

// The check of a model: a verdict for every node that broadcasts, and findings with fixes that were tried.
import { type InferOptions, inferTelling } from '../infer/infer.ts'
import type { Inference } from '../infer/inference.ts'
import { overruledInputs } from '../infer/inputs.ts'
import type { Model } from '../model/model.ts'
import type { FindingId } from './codes.ts'
import type { CheckFinding, Found, Subject } from './finding.ts'
import { Repairs } from './fixes/verify.ts'
import { lints } from './lints/index.ts'
import { type Profile, type ProfileName, severityOf } from './profile.ts'
import { profileNamed } from './read-profile.ts'
import { type CheckedBroadcast, checkedBroadcast, type Verdict } from './verdict.ts'

/** Options of `checkModel`. */
export interface CheckOptions extends InferOptions {
  /** What is demanded beyond ONNX: a built-in profile by name, or one of `readProfile`; `onnx` unless said. */
  readonly profile?: ProfileName | Profile
  /** Whether fixes are looked for; each candidate is tried on a copy of the model, which takes time. True unless said. */
  readonly fixes?: boolean
  /** Told how much of the check is done, from 0 to 1: a large model with many failures takes seconds. */
  readonly progress?: (done: number) => void
}

/** What `checkModel` gives: every broadcast with its verdict, and the findings. */
export interface CheckReport {
  readonly model: Model
  readonly profile: Profile
  readonly inference: Inference
  /** Nodes that broadcast or would if shapes differed, in the order they run. */
  readonly broadcasts: readonly CheckedBroadcast[]
  /** Errors first, then warnings, then notes. */
  readonly findings: readonly CheckFinding[]
  readonly verdicts: Readonly<Record<Verdict, number>>
  /** Whether nothing was found that is an error under the profile. */
  readonly passes: boolean
}

/** How much of a check is inference; the rest looks for findings and tries fixes. */
const INFERRED = 0.6

const order = { error: 0, warning: 1, note: 2 } as const

/** Findings for which a change of the model can be looked for. */
const repairable: ReadonlySet<FindingId> = new Set<FindingId>([
  'broadcast-error',
  'prelu-enlarges-x',
  'gemm-c-enlarges',
  'impossible-node',
  'outer-product',
])

function countsOf(broadcasts: readonly CheckedBroadcast[]): Record<Verdict, number> {
  const counts = { equal: 0, broadcast: 0, error: 0, conditional: 0, unknown: 0 }
  for (const { verdict } of broadcasts) counts[verdict]++
  return counts
}

/**
 * Checks a model. Never fails because of the model; the caller's `inputs` must name inputs.
 *
 * @example
 * ```ts
 * checkModel(model).findings[0].message // 'node 0 "shift" (Add): cannot broadcast axis -1: 8 vs 3 (shapes [N,3,8,8] and [3]).'
 * checkModel(model).findings[0].fixes.map(({ text }) => text) // ['Unsqueeze (axes=[1,2]) "bias"', 'Transpose (perm=[0,2,3,1]) "x"']
 * checkModel(model, { profile: 'sonnx-strict' }).passes // false
 * ```
 */
export function checkModel(model: Model, options: CheckOptions = {}): CheckReport {
  const { profile: given = 'onnx', fixes = true, progress, ...infer } = options
  const profile = typeof given === 'string' ? profileNamed(given) : given
  const inference = inferTelling(model, infer, progress && ((done) => progress(INFERRED * done)))
  const broadcasts = inference.broadcasts.map((broadcast) => checkedBroadcast(broadcast, inference))
  const asDeclared = overruledInputs(model.graph, infer.inputs ?? {}).length === 0
  const { inputs, files } = infer
  const subject: Subject = { model, inference, profile, broadcasts, asDeclared, inputs, files }
  let repairs: Repairs | undefined
  const finished = (found: Found): CheckFinding[] => {
    const severity = severityOf(profile, found.id)
    if (severity === 'off') return []
    if (fixes && repairable.has(found.id)) repairs ??= new Repairs(subject, infer)
    return [{ ...found, severity, fixes: repairable.has(found.id) ? (repairs?.fixesFor(found) ?? []) : [] }]
  }
  const findings = lints
    .flatMap((lint, i) => {
      progress?.(INFERRED + (1 - INFERRED) * (i / lints.length))
      return [...lint(subject)].flatMap(finished)
    })
    .sort((a, b) => order[a.severity] - order[b.severity])
  const passes = findings.every(({ severity }) => severity !== 'error')
  return { model, profile, inference, broadcasts, findings, verdicts: countsOf(broadcasts), passes }
}

// Explicit broadcasting: the caller says which output axis each data axis becomes (OpenVINO Broadcast-1 and -3), or
// which output axes are new (nGraph). Operand 0 is the target A; every other operand is data.
import type { Shape } from '../tensor.ts'
import { ngraphBroadcast } from './ngraph.ts'
import { fail, follow, type IndexMap, ontoFirst, type RuleResult, show } from './result.ts'

/** What `explicit` is told: where each axis goes, or which axes are new. */
export type ExplicitOptions =
  | { readonly axesMapping: readonly number[]; readonly strict?: boolean }
  | { readonly broadcastAxes: readonly number[] }

// These three conditions come from OpenVINO's operation specification, outside the five documents.
const clause = 'openvino.broadcast.explicit'

const byMapping = (a: Shape, b: Shape, mapping: readonly number[], strict: boolean): IndexMap | RuleResult => {
  const outside = mapping.find((axis) => !Number.isInteger(axis) || axis < 0 || axis >= a.length)
  if (outside !== undefined) return fail(clause, `${outside} is not an axis of ${show(a)}`)
  if (mapping.some((axis, i) => i > 0 && axis <= mapping[i - 1]!)) {
    return fail(clause, `[${mapping.join(',')}] is not strictly ascending`)
  }
  // A scalar has no axis to map; one entry is still allowed where the target has a single position.
  if (b.length === 0 && mapping.length === 1 && a[mapping[0]!] === 1) return () => []
  if (mapping.length !== b.length) {
    return fail(clause, `[${mapping.join(',')}] does not have one axis for each axis of ${show(b)}`)
  }
  const mismatch = b.findIndex((size, i) => size !== a[mapping[i]!] && (strict || size !== 1))
  if (mismatch >= 0) {
    return fail(clause, `axis ${mismatch} of ${show(b)} does not match axis ${mapping[mismatch]} of ${show(a)}`)
  }
  return follow(b, mapping)
}

/** The result of shapes whose axes are named, as OpenVINO's Broadcast and nGraph's have them. */
export const explicit = (shapes: readonly Shape[], options: ExplicitOptions): RuleResult =>
  ontoFirst(shapes, (a, b) =>
    'axesMapping' in options
      ? byMapping(a, b, options.axesMapping, options.strict ?? false)
      : ngraphBroadcast(b, a, options.broadcastAxes),
  )

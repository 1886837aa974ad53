// OpenVINO's none (and the strict reading of SONNX): nothing is implicit, the shapes are equal.
import type { Shape } from '../tensor.ts'
import { equalShapes, fail, type RuleResult, show } from './result.ts'

/**
 * The result of shapes that must be equal.
 *
 * @example
 * ```ts
 * none([[1, 2], [2]]).ok // false
 * ```
 */
export const none = (shapes: readonly Shape[]): RuleResult => {
  const [first] = shapes
  /** @clause openvino.none.1 */
  const other = shapes.find((shape) => !equalShapes(shape, first!))
  if (other) return fail('openvino.none.1', `${show(first!)} and ${show(other)} differ`)
  /** @clause openvino.none.2 */
  return { ok: true, shape: [...(first ?? [])], maps: shapes.map(() => (index) => index) }
}

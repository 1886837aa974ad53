// OpenVINO's PDPD broadcast: B onto A from a start axis. Two options name the deviations of implementations: OpenVINO's
// code checks the fit with B's untrimmed rank, and Paddle 1.5 does not stretch ones inside B.
import type { Shape } from '../tensor.ts'
import { equalShapes, fail, follow, type IndexMap, ontoFirst, type RuleResult, run, show } from './result.ts'

/** What `pdpd` is told. */
export interface PdpdOptions {
  readonly axis?: number
  readonly untrimmed?: boolean
  readonly innerOnes?: 'stretch' | 'error'
}

/** @clause openvino.pdpd.5 */
const trimTrailingOnes = (shape: Shape): Shape => (shape.at(-1) === 1 ? trimTrailingOnes(shape.slice(0, -1)) : shape)

const place = (a: Shape, b: Shape, options: PdpdOptions): IndexMap | RuleResult => {
  const given = options.axis ?? -1
  /** @clause openvino.pdpd.1 */
  if (b.length > a.length) return fail('openvino.pdpd.1', `${show(b)} has more dimensions than ${show(a)}`)
  /** @clause openvino.pdpd.4 */
  if (!Number.isInteger(given) || given < -1) return fail('openvino.pdpd.4', `axis ${given} is negative and not -1`)
  // Paddle 1.5 compares whole shapes before it looks at the axis.
  if (options.innerOnes === 'error' && equalShapes(a, b)) return (index) => index
  const axis = given === -1 ? a.length - b.length : given
  const trimmed = trimTrailingOnes(b)
  /** @clause openvino.pdpd.3 */
  const counted = options.untrimmed ? b.length : trimmed.length
  if (axis + counted > a.length) {
    return fail('openvino.pdpd.3', `${show(b)} from axis ${axis} does not fit into ${show(a)}`)
  }
  /** The sequence, where a one inside B stretches as the document's own example shows. @clause openvino.pdpd.2 */
  const stretch = options.innerOnes !== 'error'
  const mismatch = trimmed.findIndex((size, i) => size !== a[axis + i] && !(stretch && size === 1))
  if (mismatch >= 0) {
    return fail(
      'openvino.pdpd.2',
      `${trimmed[mismatch]} of ${show(b)} does not match axis ${axis + mismatch} of ${show(a)}`,
    )
  }
  const located = follow(trimmed, run(axis, trimmed.length))
  return (index) => [...located(index), ...b.slice(trimmed.length).map(() => 0)]
}

/**
 * The result of two shapes in OpenVINO's mode PDPD.
 *
 * @example
 * ```ts
 * pdpd([[2, 3, 4], [3]], { axis: 1 }).shape // [2, 3, 4]
 * ```
 */
export const pdpd = (shapes: readonly Shape[], options: PdpdOptions = {}): RuleResult =>
  ontoFirst(shapes, (a, b) => place(a, b, options))

// ONNX unidirectional broadcasting: B stretches onto A, A keeps its shape.
import type { Shape } from '../tensor.ts'
import { equalShapes, fail, ontoFirst, prependOnes, type RuleResult, rightAligned, show } from './result.ts'

/**
 * @clause onnx.uni.shape
 *
 * @example
 * ```ts
 * unidirectional([[2, 3], [1, 3]]).shape // [2, 3]
 * ```
 */
export const unidirectional = (shapes: readonly Shape[]): RuleResult =>
  ontoFirst(shapes, (a, b) => {
    const map = rightAligned(b, a.length)
    /** @clause onnx.uni.1 */
    if (equalShapes(a, b)) return map
    if (b.length > a.length) return fail('onnx.uni.3', `${show(b)} has more dimensions than ${show(a)}`)
    /** @clause onnx.uni.3 */
    const prepended = prependOnes(b, a.length)
    /** @clause onnx.uni.2 */
    const mismatch = prepended.findIndex((length, axis) => length !== a[axis] && length !== 1)
    if (mismatch < 0) return map
    return fail('onnx.uni.2', `axis ${mismatch - a.length}: ${prepended[mismatch]} of ${show(b)} onto ${show(a)}`)
  })

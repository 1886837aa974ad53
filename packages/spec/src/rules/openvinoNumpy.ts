// The numpy broadcast of OpenVINO's document, for its two tensors. A second reading of the same rule: that it agrees
// with the ONNX conditions is a theorem for the tests, not an assumption.
import type { Shape } from '../tensor.ts'
import { fail, prependOnes, type RuleResult, rightAligned, show } from './result.ts'

/** The result of a shape that OpenVINO's Broadcast puts onto a target in mode numpy. */
export const openvinoNumpy = (shapes: readonly [Shape, Shape]): RuleResult => {
  const [a, b] = shapes
  /** @clause openvino.numpy.5 */
  if (a.length === 0 && b.length === 0) return { ok: true, shape: [], maps: [() => [], () => []] }
  const rank = Math.max(a.length, b.length)
  /** @clause openvino.numpy.2 */
  const left = prependOnes(a, rank)
  const right = prependOnes(b, rank)
  const shape: number[] = []
  /** @clause openvino.numpy.1 */
  for (let axis = rank - 1; axis >= 0; axis--) {
    const p = left[axis]!
    const q = right[axis]!
    /** @clause openvino.numpy.3 */
    if (p !== q && p !== 1 && q !== 1) {
      return fail('openvino.numpy.3', `axis ${axis - rank} of ${show(a)} and ${show(b)}: ${p} against ${q}`)
    }
    /** @clause openvino.numpy.4 */
    shape.unshift(p === 1 ? q : p)
  }
  return { ok: true, shape, maps: [rightAligned(a, rank), rightAligned(b, rank)] }
}

// B stretches onto A, right-aligned; A never changes. ONNX's Gemm (C) and PRelu (slope), OpenVINO's
// Broadcast in mode numpy, NumPy's broadcast_to.
// @clause onnx.uni.1, onnx.uni.2, onnx.uni.3, onnx.uni.shape
import { type Rule, rankMisfit, rightAligned } from '../rule.ts'

/** The type of `unidirectional`. */
export type UnidirectionalRule = Rule<'unidirectional', Record<never, never>>

/**
 * B stretches onto A, aligned on the right; A never changes.
 *
 * @example
 * ```ts
 * broadcastShapes([2, 3], [3], { broadcast: unidirectional }) // [2, 3]
 * ```
 */
export const unidirectional: UnidirectionalRule = {
  name: 'unidirectional',
  options: {},
  relation: 'onto',
  oneWay: true,
  requirement: 'a size must be 1 or the size it goes onto',
  clause: 'ONNX Broadcasting, unidirectional, condition 2',
  label: 'unidirectional',
  align: (shapes, onto) => {
    const rank = shapes[onto]!.length
    return rankMisfit(shapes, onto) ?? { rank, axes: shapes.map((shape) => rightAligned(shape.length, rank)) }
  },
}

// Data meets a target shape and both may stretch, as data * ones(target) would. The arithmetic is
// multidirectional broadcasting; the name says that the second operand is a shape and not a tensor.
// @clause openvino.bidirectional.1, openvino.bidirectional.2, openvino.bidirectional.3, openvino.bidirectional.4
import { alignRight, type Rule } from '../rule.ts'

/** The type of `bidirectional`. */
export type BidirectionalRule = Rule<'bidirectional', Record<never, never>>

/**
 * Data and a target shape meet as in numpy, and both may stretch: OpenVINO's Broadcast in that mode, ONNX's Expand.
 *
 * @example
 * ```ts
 * broadcastShapes([2, 1], [1, 3], { broadcast: bidirectional }) // [2, 3]
 * ```
 */
export const bidirectional: BidirectionalRule = {
  name: 'bidirectional',
  options: {},
  relation: 'common',
  oneWay: false,
  requirement: 'sizes on an axis must be equal or 1',
  clause: 'OpenVINO bidirectional broadcast, rule 3',
  label: 'bidirectional',
  align: (shapes) => alignRight(shapes),
}

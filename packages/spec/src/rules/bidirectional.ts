// OpenVINO's bidirectional Broadcast (and ONNX Expand): data times a tensor of ones in the target shape.
// Operand 0 is the data, operand 1 stands for the ones; either may stretch.
import type { Shape } from '../tensor.ts'
import { numpy } from './numpy.ts'
import { fail, type RuleResult } from './result.ts'

/**
 * @clause openvino.bidirectional.1 @clause openvino.bidirectional.2 @clause openvino.bidirectional.4
 *
 * @example
 * ```ts
 * bidirectional([[3, 1], [2, 1, 4]]).shape // [2, 3, 4]
 * ```
 */
export const bidirectional = (shapes: readonly Shape[]): RuleResult => {
  const product = numpy(shapes)
  /** @clause openvino.bidirectional.3 */
  return product.ok ? product : fail('openvino.bidirectional.3', product.reason)
}

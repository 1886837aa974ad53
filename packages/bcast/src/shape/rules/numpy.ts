// Multidirectional broadcasting: right-align, pad with 1 on the left, per axis the common size that is not 1.
// @clause onnx.multi.1, onnx.multi.2, onnx.multi.3, onnx.numpy
// @clause openvino.numpy.1, openvino.numpy.2, openvino.numpy.3, openvino.numpy.4, openvino.numpy.5
import { alignRight, type Rule } from '../rule.ts'

/** The type of `numpy`. */
export type NumpyRule = Rule<'numpy', Record<never, never>>

/**
 * Shapes are aligned on the right, missing axes are 1, and a size of 1 stretches. What calls use unless they say
 * another.
 *
 * @example
 * ```ts
 * broadcastShapes([2, 1, 4], [3, 1], { broadcast: numpy }) // [2, 3, 4]
 * ```
 */
export const numpy: NumpyRule = {
  name: 'numpy',
  options: {},
  relation: 'common',
  oneWay: false,
  requirement: 'sizes on an axis must be equal or 1',
  clause: 'ONNX Broadcasting, multidirectional, condition 2',
  label: 'numpy',
  align: (shapes) => alignRight(shapes),
}

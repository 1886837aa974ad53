// No implicit broadcasting: shapes must be equal. OpenVINO's none, the strict reading of the safety profile.
// @clause openvino.none.1, openvino.none.2
import { alignRight, operandName, type Rule } from '../rule.ts'

/** The type of `none`. */
export type NoneRule = Rule<'none', Record<never, never>>

/**
 * Shapes must be equal.
 *
 * @example
 * ```ts
 * broadcastShapes([2, 3], [2, 3], { broadcast: none }) // [2, 3]
 * ```
 */
export const none: NoneRule = {
  name: 'none',
  options: {},
  relation: 'equal',
  oneWay: false,
  requirement: 'shapes must be equal',
  clause: 'OpenVINO none broadcast, rule 1',
  label: 'none',
  align: (shapes, onto) => {
    const rank = shapes[onto]!.length
    const other = shapes.findIndex((shape) => shape.length !== rank)
    if (other < 0) return alignRight(shapes)
    return {
      misfit: `${operandName(other)} has rank ${shapes[other]!.length} and ${operandName(onto)} has ${rank}; shapes must be equal`,
      operands: [onto, other],
    }
  },
}

// The safety profile's text read literally: Y pads X with ones, each size of Z is the maximum of Y's, and C1
// wants every size to be 1 or that maximum. So 0 against 1 violates C1, where ONNX gives 0.
// @clause sonnx1.purpose.rank, sonnx1.purpose.size, sonnx1.pad, sonnx1.max, sonnx1.c1
// @clause sonnx2.condition.1, sonnx2.condition.2, sonnx2.step.1, sonnx2.step.2, sonnx2.ny, sonnx2.pad, sonnx2.max, sonnx2.c1
import { alignRight, type Rule } from '../rule.ts'

/** The type of `sonnx`. */
export type SonnxRule = Rule<'sonnx', Record<never, never>>

/**
 * SONNX's text read literally: the result's size is the largest, so 0 against 1 does not meet.
 *
 * @example
 * ```ts
 * broadcastShapes([2, 1], [3], { broadcast: sonnx }) // [2, 3]
 * ```
 */
export const sonnx: SonnxRule = {
  name: 'sonnx',
  options: {},
  relation: 'max',
  oneWay: false,
  requirement: 'every size on an axis must be 1 or the largest there',
  clause: 'SONNX Broadcast, constraint C1',
  label: 'sonnx',
  align: (shapes) => alignRight(shapes),
}

// Broadcasting copies elements and computes nothing: each result reads its operand through the rule's index map.
import { SpecError } from './error.ts'
import type { RuleResult } from './rules/result.ts'
import { define, type SpecTensor } from './tensor.ts'

/**
 * One tensor per operand, all of the rule's shape.
 *
 * @example
 * ```ts
 * toFlat(broadcast(numpy([[3], [2, 1]]), [fromNested([1, 2, 3]), fromNested([[0], [0]])])[0]) // [1, 2, 3, 1, 2, 3]
 * ```
 */
export const broadcast = <T>(result: RuleResult, tensors: readonly SpecTensor<T>[]): SpecTensor<T>[] => {
  if (!result.ok) throw new SpecError('shape', `${result.clause}: ${result.reason}`)
  return tensors.map((tensor, m) => define(result.shape, (index) => tensor.at(result.maps[m]!(index))))
}

// The batch dimensions of MatMul: all but the last two of each operand, broadcast as by numpy. Shape and maps speak of
// batches: a map gives the batch index of the operand's matrix, not an element.
import type { Shape } from '../tensor.ts'
import { numpy } from './numpy.ts'
import { fail, type RuleResult, show } from './result.ts'

/**
 * The result of the axes before the last two of MatMul's operands.
 *
 * @example
 * ```ts
 * matmulBatch([[5, 1, 2, 3], [7, 3, 4]]).shape // [5, 7]
 * ```
 */
export const matmulBatch = (shapes: readonly Shape[]): RuleResult => {
  if (shapes.some((shape) => shape.length === 0)) {
    return fail('matmul.rank', `a scalar among ${shapes.map(show).join(', ')} is no matrix`)
  }
  const batches = numpy(shapes.map((shape) => shape.slice(0, -2)))
  return batches.ok ? batches : fail('matmul.batch', batches.reason)
}

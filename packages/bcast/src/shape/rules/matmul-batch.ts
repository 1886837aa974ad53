// The batch dimensions of MatMul: all axes but the last two broadcast as numpy; a vector has none, and a scalar
// is no matrix.
import { largestRank, NO_PART, operandName, type Rule, rightAligned } from '../rule.ts'

/** The type of `matmulBatch`. */
export type MatmulBatchRule = Rule<'matmulBatch', Record<never, never>>

/**
 * The axes before the last two meet as in numpy, as those of MatMul's operands; the matrices take no part.
 *
 * @example
 * ```ts
 * explain([[5, 1, 2, 3], [4, 3, 6]], { broadcast: matmulBatch })
 * ```
 */
export const matmulBatch: MatmulBatchRule = {
  name: 'matmulBatch',
  options: {},
  relation: 'common',
  oneWay: false,
  requirement: 'batch sizes on an axis must be equal or 1',
  clause: 'ONNX MatMul, as numpy.matmul',
  label: 'matmulBatch',
  reach: 2,
  others: () => [],
  align: (shapes) => {
    const scalar = shapes.findIndex((shape) => shape.length === 0)
    if (scalar >= 0) return { misfit: `${operandName(scalar)} is a scalar and has no matrices`, operands: [scalar] }
    const rank = Math.max(0, largestRank(shapes) - 2)
    return {
      rank,
      axes: shapes.map((shape) => {
        const batch = Math.max(0, shape.length - 2)
        return [...rightAligned(batch, rank), ...shape.slice(batch).map(() => NO_PART)]
      }),
    }
  },
}

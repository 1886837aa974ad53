// ONNX multidirectional broadcasting, which its document calls the same as NumPy's: the three conditions as written.
import type { Shape } from '../tensor.ts'
import { equalShapes, fail, largestRank, prependOnes, type RuleResult, rightAligned, show } from './result.ts'

/** All tensors have exactly the same shape. @clause onnx.multi.1 */
const condition1 = (shapes: readonly Shape[]): boolean => shapes.every((shape) => equalShapes(shape, shapes[0]!))

/** A length such that each of the given ones is that length or 1; so 0 and 1 have the common length 0. */
const commonLength = (lengths: readonly number[]): number | undefined =>
  [...lengths, 1].find((common) => lengths.every((length) => length === common || length === 1))

/** Equal ranks, and along each dimension a common length or 1; gives the common lengths. @clause onnx.multi.2 */
const condition2 = (shapes: readonly Shape[], rank: number): (number | undefined)[] =>
  Array.from({ length: rank }, (_, axis) => commonLength(shapes.map((shape) => shape[axis]!)))

/**
 * @clause onnx.multi.3 @clause onnx.numpy
 *
 * @example
 * ```ts
 * numpy([[2, 3], [3]]).shape // [2, 3]
 * numpy([[2, 3], [4]]).reason // 'axis -1 of (2,3), (4) has no common length'
 * ```
 */
export const numpy = (shapes: readonly Shape[]): RuleResult => {
  const rank = largestRank(shapes)
  const maps = shapes.map((shape) => rightAligned(shape, rank))
  if (condition1(shapes)) return { ok: true, shape: [...(shapes[0] ?? [])], maps }
  const prepended = shapes.map((shape) => prependOnes(shape, rank))
  const lengths = condition2(prepended, rank)
  const mismatch = lengths.indexOf(undefined)
  if (mismatch >= 0) {
    return fail('onnx.multi.2', `axis ${mismatch - rank} of ${shapes.map(show).join(', ')} has no common length`)
  }
  return { ok: true, shape: lengths.map((length) => length!), maps }
}

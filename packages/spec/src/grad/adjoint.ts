// The adjoint of broadcasting. Broadcasting reads the element of an operand wherever the rule's index map leads to it, so
// the gradient of that element is the sum of the result's gradient over all those places. They are whole axes: those that
// the map does not look at. Their order is that of every reduction.
import type { DType } from '../dtypes.ts'
import { SpecError } from '../error.ts'
import { reduce } from '../ops/reductions.ts'
import type { Value } from '../ops/value.ts'
import { equalShapes, type IndexMap, type RuleResult } from '../rules/result.ts'
import { define, indices, type Shape, type SpecTensor } from '../tensor.ts'

/** The axes of a result of this rank that an index map does not look at. */
const ignoredAxes = (map: IndexMap, rank: number): number[] => {
  const origin = Array.from({ length: rank }, () => 0)
  return origin.flatMap((_, axis) => (equalShapes(map(origin.with(axis, 1)), map(origin)) ? [axis] : []))
}

/** nGraph's Broadcast backwards: the gradient of arg is Sum(delta, broadcast_axes). @clause ngraph.backprop */
export const broadcastBackprop = (
  dtype: DType,
  delta: SpecTensor<Value>,
  broadcastAxes: readonly number[],
): SpecTensor<Value> => reduce('Sum', dtype, delta, { axes: broadcastAxes })

/** The gradient of the operand of `shape` that `map` reads, where `delta` is the gradient of the result. */
const gradient = (dtype: DType, map: IndexMap, shape: Shape, delta: SpecTensor<Value>): SpecTensor<Value> => {
  const axes = ignoredAxes(map, delta.shape.length)
  const summed = reduce('Sum', dtype, delta, { axes, keepdims: true })
  return define(shape, (index) => {
    for (const place of indices(summed.shape)) if (equalShapes(map(place), index)) return summed.at(place)
    throw new SpecError('shape', `nothing reads the element at (${index.join(',')})`)
  })
}

/** `broadcast` backwards: the same for each operand, over the axes that its map does not look at. @clause ngraph.backprop */
export const sumToEach = (
  dtype: DType,
  result: RuleResult,
  shapes: readonly Shape[],
  deltas: readonly SpecTensor<Value>[],
): SpecTensor<Value>[] => {
  if (!result.ok) throw new SpecError('shape', `${result.clause}: ${result.reason}`)
  if (deltas.some(({ shape }) => !equalShapes(shape, result.shape))) {
    throw new SpecError('shape', 'the gradient of a result has its shape')
  }
  return deltas.map((delta, m) => gradient(dtype, result.maps[m]!, shapes[m]!, delta))
}

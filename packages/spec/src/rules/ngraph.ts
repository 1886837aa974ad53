// nGraph's Broadcast: a set of axes of the output along which the argument is ignorant.
import type { Index, Shape } from '../tensor.ts'
import { equalShapes, fail, type IndexMap, type RuleResult, show } from './result.ts'

/** p(C): the coordinate with the broadcast axes removed. @clause ngraph.p */
export const p =
  (broadcastAxes: readonly number[]): IndexMap =>
  (coordinate: Index) =>
    coordinate.filter((_, axis) => !broadcastAxes.includes(axis))

/** The index map output -> argument, or why there is none. */
export const ngraphBroadcast = (arg: Shape, shape: Shape, broadcastAxes: readonly number[]): IndexMap | RuleResult => {
  /** @clause ngraph.axisset */
  if (new Set(broadcastAxes).size !== broadcastAxes.length) {
    return fail('ngraph.axisset', `[${broadcastAxes.join(',')}] names an axis twice`)
  }
  const outside = broadcastAxes.find((axis) => !Number.isInteger(axis) || axis < 0 || axis >= shape.length)
  if (outside !== undefined) return fail('ngraph.axisset', `${outside} is not an axis of ${show(shape)}`)
  /** @clause ngraph.match */
  const removed = p(broadcastAxes)(shape)
  if (!equalShapes(arg, removed)) {
    return fail('ngraph.match', `${show(shape)} without axes [${broadcastAxes.join(',')}] is not ${show(arg)}`)
  }
  /** output_C = arg_p(C). @clause ngraph.definition @clause ngraph.output @clause ngraph.arg */
  return p(broadcastAxes)
}

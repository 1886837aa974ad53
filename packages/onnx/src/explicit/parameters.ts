// Scale and bias of layer normalisations. onnxruntime computes those with one element for each normalised place in
// another way than those that stretch, with other last bits; so a rewrite must not turn one into the other.
import { type Dim, isEqual } from '../dims/index.ts'
import { axisOf, layerNormalisations } from '../infer/attributes/axes.ts'
import type { Broadcast } from '../infer/context.ts'
import type { Site } from './site.ts'

const isOne = (dim: Dim | undefined): boolean => dim === undefined || isEqual(dim, 1) === true
const isMore = (dim: Dim | undefined): boolean => dim !== undefined && isEqual(dim, 1) === false

/** Whether a parameter has not one element for each normalised place, for certain. */
function stretches({ operands: [data, ...parameters] }: Broadcast, axis: number): boolean {
  const whole = data!.shape
  if (whole === null) return false
  const inside = axis < 0 ? -axis : whole.length - axis
  return parameters.some(
    ({ shape }) =>
      shape !== null &&
      whole.some((_, i) => {
        const at = -1 - i
        return i < inside ? isOne(shape.at(at)) && isMore(whole.at(at)) : isMore(shape.at(at))
      }),
  )
}

/** Whether all axes before the normalised ones are of size 1: then the shape of the data has one element for each place. */
const isWhole = ({ operands: [data] }: Broadcast, axis: number): boolean =>
  data!.shape!.slice(0, axis).every((dim) => isOne(dim))

/** Why the parameters of a normalisation stay as they are; undefined where they can be expanded, and for other nodes. */
export function reasonToKeepParameters({ node, meetings }: Site): string | undefined {
  if (!layerNormalisations.has(node.opType)) return undefined
  if (node.attributes.kind('axis') === 'reference') return 'its axis is an attribute of the function it is in.'
  const axis = axisOf({ node, opset: node.scope.opsets.get(node.domain) ?? 0, attributes: node.attributes })
  if (!meetings.every((meeting) => stretches(meeting, axis))) {
    return 'it is not certain that its parameters stretch, and expanding others would change last bits.'
  }
  return meetings.some((meeting) => isWhole(meeting, axis))
    ? 'it normalises all axes, and expanding its parameters would change last bits.'
    : undefined
}

// Normalisations: the result has the shape of the data; statistics may come with it.
import { unidirectional } from 'bcast'
import { constant, type Dim, type DimShape, isEqual } from '../../dims/index.ts'
import { type ElementType, elementTypeOf } from '../../model/element-type.ts'
import { axisOf } from '../attributes/axes.ts'
import { isPerElement } from '../attributes/forms.ts'
import { stashNumber } from '../attributes/types.ts'
import type { Call } from '../call.ts'
import { type Known, tensor } from '../known.ts'
import type { Row } from '../row.ts'

/** Of several inputs, of which the first gives shape and type. */
const sameRows: readonly Row[] = [
  ...['InstanceNormalization', 'GroupNormalization', 'LRN', 'MeanVarianceNormalization', 'LpNormalization'],
  'RotaryEmbedding',
].map((name) => ({ name, infer: (call) => [tensor(call.element(0), call.shape(0))] }))

/** The size of an operand that has one element for each channel. */
function learnChannels(call: Call, i: number, shape: DimShape, what: string): void {
  const own = call.optional(i)?.shape
  if (shape === null || shape.length < 2 || own === null || own === undefined || own.length !== 1) return
  call.learn(own[0]!, shape[1]!, () => `${what} has another size than the channels of the data.`)
}

/** While training, means and variances come out too: running ones, and until opset 13 those of the batch. */
const batchNormalization: Row = {
  name: 'BatchNormalization',
  infer: (call) => {
    const { element, shape } = call.tensor(0)
    const perElement = isPerElement(call)
    if (!perElement) for (const i of [1, 2, 3, 4]) learnChannels(call, i, shape, `input ${i}`)
    const [mean, variance] = [3, 4].map((i) => tensor(call.element(i), call.shape(i))) as [Known, Known]
    return [tensor(element, shape), mean, variance, ...(call.opset < 14 ? [mean, variance] : [])]
  },
}

/** The type in which statistics are computed. */
function stashType(call: Call): ElementType | undefined {
  return elementTypeOf(stashNumber(call))
}

/** Whether a parameter can have one element for each of the normalised axes' places, and no fewer. */
function isPerPlace(own: readonly Dim[], normalised: readonly Dim[]): boolean {
  const lead = own.length - normalised.length
  if (lead < 0 || own.slice(0, lead).some((dim) => isEqual(dim, 1) !== true)) return false
  return normalised.every((dim, axis) => {
    const size = own[lead + axis]!
    // It never stretches the data: what is not 1 is the data's size, or the node fails.
    return isEqual(size, dim) === true || (isEqual(size, 1) === false && isEqual(size, dim) !== false)
  })
}

/**
 * Scale and bias usually have one element for each place on the normalised axes, and then they are no more broadcast
 * than the weights of a convolution. Others stretch onto the data.
 */
function meetParameters(call: Call, shape: DimShape, axis: number): void {
  const inputs = [1, 2].filter((i) => call.has(i))
  const normalised = shape?.slice(axis)
  const isUsual = inputs.every((i) => {
    const own = call.shape(i)
    return normalised !== undefined && own !== null && isPerPlace(own, normalised)
  })
  if (!isUsual) {
    const operands = [0, ...inputs].map((i) => call.operand(i))
    call.broadcast(operands, unidirectional)
    return
  }
  for (const i of inputs) {
    const own = call.shape(i)!.slice(-normalised!.length)
    for (const [at, dim] of normalised!.entries()) {
      call.learn(own[at]!, dim, () => `input ${i} has another size than axis ${axis + at} of the data.`)
    }
  }
}

/** The axes from `axis` on are normalised together, and have one statistic. */
export function layerNormalized(call: Call, statistics: ElementType | undefined): readonly Known[] {
  const { element, shape } = call.tensor(0)
  const axis = shape === null ? 0 : call.axis(axisOf(call), shape.length)
  meetParameters(call, shape, axis)
  if (shape === null) return [tensor(element, null), tensor(statistics, null), tensor(statistics, null)]
  const statistic = tensor(
    statistics,
    shape.map((dim, at) => (at < axis ? dim : constant(1))),
  )
  return [tensor(element, shape), statistic, statistic]
}

/** ONNX has it since opset 17; onnxruntime wrote it into files of older opsets as it is. */
const layerNormalization: Row = {
  name: 'LayerNormalization',
  infer: (call) => layerNormalized(call, stashType(call)),
}

/** Of onnxruntime, though it says it is ONNX's own: without a mean, the second output is the inverse deviation. */
const simplifiedLayerNormalization: Row = {
  name: 'SimplifiedLayerNormalization',
  infer: (call) => layerNormalized(call, stashType(call)).slice(0, 2),
}

const rmsNormalization: Row = {
  name: 'RMSNormalization',
  since: 23,
  infer: (call) => layerNormalized(call, undefined).slice(0, 1),
}

export const normalisationRows: readonly Row[] = [
  ...[...sameRows, batchNormalization, layerNormalization, simplifiedLayerNormalization, rmsNormalization],
]

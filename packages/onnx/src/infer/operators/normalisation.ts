// Normalisations: the result has the shape of the data; statistics may come with it.
import { unidirectional } from 'bcast'
import { constant, type DimShape } from '../../dims/index.ts'
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

/** Scale and bias stretch onto the data; the axes from `axis` on are normalised together, and have one statistic. */
export function layerNormalized(call: Call, statistics: ElementType | undefined): readonly Known[] {
  const { element, shape } = call.tensor(0)
  const operands = [0, 1, 2].filter((i) => call.has(i)).map((i) => call.operand(i))
  if (operands.length > 1) call.broadcast(operands, unidirectional)
  if (shape === null) return [tensor(element, null), tensor(statistics, null), tensor(statistics, null)]
  const axis = call.axis(axisOf(call), shape.length)
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

// Operators of onnxruntime (domain com.microsoft) that exporters and quantizers write: fused, quantized, channels last.
import { numpy, unidirectional } from 'bcast'
import { constant, type Dim, type DimShape, floorDiv, mul } from '../../dims/index.ts'
import { distinctAxes } from '../arguments.ts'
import { keepsDims } from '../attributes/forms.ts'
import { isSet } from '../attributes/said.ts'
import type { Call } from '../call.ts'
import type { Operand } from '../context.ts'
import { type KnownTensor, tensor } from '../known.ts'
import type { Row } from '../row.ts'
import { convolved, plain } from './convolution.ts'
import { inferGridSample } from './image.ts'
import { gemmShape, matmulShape, productShape } from './linear.ts'
import { concatenated } from './move.ts'
import { layerNormalized } from './normalisation.ts'
import { inferGlobal, pooledShape } from './pooling.ts'
import { inferDequantize, inferQuantize } from './quantisation.ts'
import { inferRecurrent } from './recurrent.ts'

const MICROSOFT = 'com.microsoft'

type Infer = Row['infer']

const contrib = (name: string, infer: Infer): Row => ({ domain: MICROSOFT, name, infer })

const same: Infer = (call) => [tensor(call.element(0), call.shape(0))]

/** Of several inputs, of which the first gives shape and type. */
const sameRows = [
  ...['Gelu', 'QuickGelu', 'BiasAdd', 'BiasSoftmax', 'GroupNorm', 'Inverse', 'Trilu', 'RotaryEmbedding', 'MoE', 'QMoE'],
  ...['QLinearLeakyRelu', 'QLinearSigmoid', 'QLinearSoftmax', 'LongformerAttention'],
].map((name) => contrib(name, same))

/** A bias has one element for each place on the last axis; onnxruntime takes no other. */
const biased: Infer = (call) => {
  const [shape, bias] = [call.ranked(0, 1), call.has(1) ? call.ranked(1, 1, 1) : undefined]
  if (shape && bias)
    call.learn(bias[0]!, shape.at(-1)!, () => 'the bias has another size than the last axis of the data.')
  return same(call)
}

const biasSplitGelu: Infer = (call) => {
  const { element, shape } = call.tensor(0)
  return [tensor(element, shape?.with(-1, floorDiv(shape.at(-1)!, 2)) ?? null)]
}

/** An operand as FusedMatMul sees it: the first axis moved behind the batch, then the last two exchanged. */
function turned(call: Call, i: number, batch: string, last: string): Operand {
  const operand = call.operand(i)
  if (operand.shape === null || operand.shape.length < 2) return operand
  const [first, ...rest] = operand.shape
  const moved = isSet(call, batch) ? [...rest.slice(0, -1), first!, rest.at(-1)!] : operand.shape
  const exchanged = [...moved.slice(0, -2), moved.at(-1)!, moved.at(-2)!]
  return { ...operand, shape: isSet(call, last) ? exchanged : moved }
}

const fusedMatMul: Infer = (call) => {
  const [left, right] = [turned(call, 0, 'transBatchA', 'transA'), turned(call, 1, 'transBatchB', 'transB')]
  return [tensor(call.element(0) ?? call.element(1), productShape(call, left, right))]
}

/** Weights of fewer bits, packed: the attributes say that they are (K, N). */
const packedMatMul: Infer = (call) => {
  const { element, shape } = call.tensor(0)
  const [inner, columns] = [call.attributes.int('K'), call.attributes.int('N')]
  if (shape === null) return [tensor(element, null)]
  if (shape.length === 0) return call.fail('the data has no axis to be multiplied along.')
  call.learn(shape.at(-1)!, inner, () => `the last axis of the data is not K, which is ${inner}.`)
  return [tensor(element, shape.with(-1, constant(columns)))]
}

/** Not quantized again without a zero point. */
const qGemm: Infer = (call) => [
  tensor(call.has(8) ? call.element(8) : 'float32', gemmShape(call, [0, 3, 6], unidirectional)),
]

/** Operands come with their scales and zero points. */
const quantizedPair: Infer = (call) => [
  tensor(call.element(0) ?? call.element(3), call.broadcast([call.operand(0), call.operand(3)], numpy)),
]

const quantizedWhere: Infer = (call) => [
  tensor(call.element(1), call.broadcast([call.operand(0), call.operand(1), call.operand(4)], numpy)),
]

/** The result's scale and zero point come first, then each tensor with its own. */
const quantizedConcat: Infer = (call) => {
  const tensors: KnownTensor[] = []
  for (let i = 2; i < call.inputs.length; i += 3) tensors.push(call.tensor(i))
  if (tensors.length === 0) return call.fail('it has no inputs.')
  const { shape } = concatenated(call, tensors, call.attributes.int('axis'))
  return [tensor(call.element(1), shape)]
}

const quantizedMean: Infer = (call) => {
  const { element, shape } = call.tensor(0)
  if (shape === null) return [tensor(element, null)]
  const given = call.attributes.ints('axes', [])
  const axes = new Set(given.length === 0 ? shape.keys() : distinctAxes(call, given, shape.length))
  const kept = keepsDims(call)
  const sizes = shape.map((dim, axis) => (axes.has(axis) ? (kept ? constant(1) : null) : dim))
  return [
    tensor(
      element,
      sizes.filter((dim) => dim !== null),
    ),
  ]
}

const quantizedAveragePool: Infer = (call) => [
  tensor(call.element(0), pooledShape(call, false, isSet(call, 'channels_last'))),
]

const quantizedGlobalAveragePool: Infer = (call) => {
  if (!isSet(call, 'channels_last')) return inferGlobal(call)
  const shape = call.ranked(0, 2)
  const sizes = shape?.map((dim, axis) => (axis === 0 || axis === shape.length - 1 ? dim : constant(1)))
  return [tensor(call.element(0), sizes ?? null)]
}

const quantizedConv: Infer = (call) =>
  convolved(call, { data: 0, weights: 3, bias: 8 }, call.element(7), isSet(call, 'channels_last'))

const channelsLastConv: Infer = (call) => convolved(call, plain, call.element(0), true)

const fusedConv: Infer = (call) => convolved(call, plain, call.element(0) ?? call.element(1))

/** Regions of images, brought to one size. */
const cropAndResize: Infer = (call) => {
  const [data, boxes, size] = [call.ranked(0, 4, 4), call.ranked(1, 2, 2), call.dims(3)]
  const first = [boxes?.[0] ?? call.fresh('regions'), data?.[1] ?? call.fresh('channels')]
  return [tensor(call.element(0), [...first, call.size(size?.[0], 2), call.size(size?.[1], 3)])]
}

const distances: Infer = (call) => {
  const [left, right] = [call.ranked(0, 2, 2), call.ranked(1, 2, 2)]
  if (left !== null && right !== null) call.learn(left[1]!, right[1]!, () => 'the vectors have different lengths.')
  return [tensor(call.element(0), [left?.[0] ?? call.fresh('rows'), right?.[0] ?? call.fresh('columns')])]
}

/** Gathers from packed data: a byte holds several elements of the last axis. */
const gatherQuantized: Infer = (call) => {
  const { element, shape } = call.tensor(0)
  const indices = call.shape(1)
  const type = call.element(2)
  if (shape === null || indices === null) return [tensor(type, null)]
  const axis = call.axis(call.attributes.int('gather_axis', 0), shape.length)
  const unpacked: readonly Dim[] = shape.with(-1, unpackedSize(call, shape.at(-1)!, element))
  return [tensor(type, [...unpacked.slice(0, axis), ...indices, ...unpacked.slice(axis + 1)])]
}

function unpackedSize(call: Call, size: Dim, element: KnownTensor['element']): Dim {
  if (element === undefined) return call.fresh('size')
  return element === 'uint8' ? mul(size, 8 / call.attributes.int('bits', 4)) : size
}

const skipRows = ['SkipLayerNormalization', 'SkipSimplifiedLayerNormalization'].map((name) =>
  contrib(name, (call) => {
    const { element, shape } = call.tensor(0)
    // What is skipped to may be the same for the whole batch.
    const skipped = call.broadcast([call.operand(0), call.operand(1)], unidirectional)
    const own = call.shape(1)
    if (skipped !== null && own !== null) {
      for (const at of [-1, -2]) {
        const [left, right] = [skipped.at(at), own.at(at)]
        if (left && right) call.learn(left, right, () => `input 1 has another size on axis ${at} than the data.`)
      }
    }
    const statistic = tensor('float32', null)
    return [tensor(element, shape), statistic, statistic, tensor(element, shape)]
  }),
)

/** Ids (batch, length) and words (count, size) to (batch, length, size), the lengths of masks, and the plain sum. */
const embedded =
  (result: (call: Call) => KnownTensor['element']): Infer =>
  (call) => {
    const [ids, words] = [call.ranked(0, 2, 2), call.ranked(2, 2, 2)]
    const batch = ids?.[0] ?? call.fresh('batch')
    const shape: DimShape = [batch, ids?.[1] ?? call.fresh('length'), words?.[1] ?? call.fresh('size')]
    return [tensor(result(call), shape), tensor('int32', [batch]), tensor(result(call), shape)]
  }

const nhwcMaxPool: Infer = (call) => [tensor(call.element(0), pooledShape(call, true, true))]

/** The product of the first two inputs. */
const quantizedProduct =
  (element: (call: Call) => KnownTensor['element']): Infer =>
  (call) => [tensor(element(call), matmulShape(call, 0, 1))]

export const contribRows: readonly Row[] = [
  ...sameRows,
  ...skipRows,
  contrib('BiasGelu', biased),
  contrib('FastGelu', biased),
  contrib('BiasSplitGelu', biasSplitGelu),
  contrib('SkipGroupNorm', (call) => [...same(call), ...same(call)]),
  contrib('LayerNormalization', (call) => layerNormalized(call, 'float32')),
  contrib(
    'EmbedLayerNormalization',
    embedded((call) => call.element(2)),
  ),
  contrib(
    'QEmbedLayerNormalization',
    embedded(() => 'float32'),
  ),
  contrib('FusedConv', fusedConv),
  contrib('NhwcConv', channelsLastConv),
  contrib('NhwcFusedConv', channelsLastConv),
  contrib('NhwcMaxPool', nhwcMaxPool),
  contrib('FusedGemm', (call) => [tensor(call.element(0), gemmShape(call, [0, 1, 2], unidirectional))]),
  contrib('QGemm', qGemm),
  contrib('FusedMatMul', fusedMatMul),
  contrib('FusedMatMulActivation', fusedMatMul),
  contrib('TransposeMatMul', fusedMatMul),
  contrib(
    'GemmFastGelu',
    quantizedProduct((call) => call.element(0)),
  ),
  contrib(
    'DynamicQuantizeMatMul',
    quantizedProduct((call) => call.element(0)),
  ),
  contrib(
    'MatMulIntegerToFloat',
    quantizedProduct((call) => call.element(2)),
  ),
  contrib(
    'MatMulInteger16',
    quantizedProduct((call) => (call.element(0) === 'uint16' ? 'uint32' : 'int32')),
  ),
  contrib('MatMulNBits', packedMatMul),
  contrib('MatMulBnb4', packedMatMul),
  contrib('QLinearAdd', quantizedPair),
  contrib('QLinearMul', quantizedPair),
  contrib('QLinearWhere', quantizedWhere),
  contrib('QLinearConcat', quantizedConcat),
  contrib('QLinearReduceMean', quantizedMean),
  contrib('QLinearAveragePool', quantizedAveragePool),
  contrib('QLinearGlobalAveragePool', quantizedGlobalAveragePool),
  contrib('QLinearConv', quantizedConv),
  contrib('QuantizeLinear', inferQuantize),
  contrib('DequantizeLinear', inferDequantize),
  contrib('DynamicQuantizeLSTM', inferRecurrent(2, 1)),
  contrib('GatherBlockQuantized', gatherQuantized),
  contrib('GridSample', inferGridSample),
  contrib('CropAndResize', cropAndResize),
  contrib('CDist', distances),
]

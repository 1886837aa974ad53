// Random nodes of the other families: normalisation, recurrence, attention, images, quantisation, losses, text.
import type { Generate } from './cases-windows.ts'
import type { Given } from './engine.ts'
import type { Random } from './random.ts'

const product = (sizes: readonly number[]): number => sizes.reduce((a, b) => a * b, 1)
const int64 = (values: readonly number[], constant: boolean): Given => ({
  ...{ element: 'int64', shape: [values.length], values, constant },
})
const floats = (values: readonly number[], constant: boolean): Given => ({ shape: [values.length], values, constant })
const byte = (shape: readonly number[], constant = false): Given => ({ element: 'uint8', shape, constant })
const one = (element: 'uint8' | 'float32'): Given => ({ element, shape: [], values: [1], constant: true })
const zeros = (shape: readonly number[], element: 'int32' | 'int64' = 'int64'): Given => ({
  ...{ element, shape, values: new Array<number>(product(shape)).fill(0) },
})

const same =
  (op: string, attributes = {}, opset = 13): Generate =>
  (random) => ({ op, opset, inputs: [{ shape: random.ints(4, 1, 5) }], attributes })

const perChannel =
  (op: string, operands: number, opset: number, attributes = {}): Generate =>
  (random) => {
    const shape = [random.int(1, 3), 4, ...random.ints(random.int(1, 2), 1, 4)]
    return { op, opset, inputs: [{ shape }, ...Array.from({ length: operands }, () => ({ shape: [4] }))], attributes }
  }

const batchTraining: Generate = (random) => ({
  ...{ op: 'BatchNormalization', opset: 15, outputs: 3, attributes: { training_mode: 1 } },
  inputs: [{ shape: [2, 4, ...random.ints(2, 1, 4)] }, ...Array.from({ length: 4 }, () => ({ shape: [4] }))],
})

const layerNormalization =
  (op: string, opset: number, outputs: number): Generate =>
  (random) => {
    const shape = random.ints(random.int(2, 4), 1, 5)
    const axis = random.int(0, shape.length - 1)
    const scale = { shape: shape.slice(axis) }
    const bias = op === 'LayerNormalization' && random.chance() ? [scale] : []
    return {
      ...{ op, opset, outputs, inputs: [{ shape }, scale, ...bias] },
      attributes: { axis: random.chance() ? axis : axis - shape.length },
    }
  }

const recurrent =
  (op: string, gates: number, states: number): Generate =>
  (random) => {
    const [length, batch, width, hidden] = [random.int(1, 4), random.int(1, 3), random.int(1, 3), random.int(1, 4)]
    const direction = random.pick('forward', 'reverse', 'bidirectional')
    const count = direction === 'bidirectional' ? 2 : 1
    return {
      ...{ op, opset: random.pick(7, 14, 22), outputs: 1 + states },
      inputs: [
        { shape: [length, batch, width] },
        { shape: [count, gates * hidden, width] },
        { shape: [count, gates * hidden, hidden] },
        ...(random.chance() ? [{ shape: [count, 2 * gates * hidden] }] : []),
      ],
      attributes: { hidden_size: hidden, direction },
    }
  }

const attention: Generate = (random) => {
  const [batch, shared, length, kv] = [random.int(1, 2), random.int(1, 2), random.int(1, 4), random.int(1, 4)]
  const [heads, size, valueSize, past] = [shared * random.int(1, 2), 4, random.int(1, 4), random.int(1, 3)]
  const packed = random.chance()
  const shapeOf = (count: number, steps: number, width: number): number[] =>
    packed ? [batch, steps, count * width] : [batch, count, steps, width]
  const withPast = random.chance()
  const cached = (width: number): Given[] => (withPast ? [{ shape: [batch, shared, past, width] }] : [])
  return {
    ...{ op: 'Attention', opset: 23, outputs: withPast ? random.pick(3, 4) : 1 },
    inputs: [
      { shape: shapeOf(heads, length, size) },
      { shape: shapeOf(shared, kv, size) },
      { shape: shapeOf(shared, kv, valueSize) },
      ...(withPast ? [undefined] : []),
      ...cached(size),
      ...cached(valueSize),
    ],
    attributes: packed ? { q_num_heads: heads, kv_num_heads: shared } : {},
  }
}

const rotary: Generate = (random) => {
  const [batch, heads, length, size] = [random.int(1, 2), random.int(1, 3), random.int(1, 4), 4]
  const cache = { shape: [batch, length, size / 2] }
  return { op: 'RotaryEmbedding', opset: 23, inputs: [{ shape: [batch, heads, length, size] }, cache, cache] }
}

const scales = (random: Random, count: number): number[] =>
  Array.from({ length: count }, () => random.pick(1, 2, 0.5, 1.5, 3, 0.25, 0.7, 1.3, 2.2, 1 / 3, 0.6))

const resize: Generate = (random) => {
  const opset = random.pick(10, 11, 13, 18, 19)
  const shape = [1, random.int(1, 3), ...random.ints(2, 2, 17)]
  const constant = random.chance(0.7)
  if (opset === 10) {
    return { op: 'Resize', opset, inputs: [{ shape }, floats([1, 1, ...scales(random, 2)], constant)] }
  }
  const axes = opset >= 18 && random.chance() ? [2, random.pick(3, -1)] : undefined
  const leading = axes === undefined ? [1, 1] : []
  const bySizes = random.chance()
  const policy =
    bySizes && opset >= 18 && axes !== undefined ? random.pick('stretch', 'not_larger', 'not_smaller') : undefined
  const sizes = [...(axes === undefined ? shape.slice(0, 2) : []), ...random.ints(2, 2, 20)]
  const empty = opset < 13 ? floats([], true) : undefined
  return {
    ...{ op: 'Resize', opset },
    inputs: bySizes
      ? [{ shape }, empty, empty, int64(sizes, constant)]
      : [{ shape }, empty, floats([...leading, ...scales(random, 2)], constant)],
    attributes: {
      mode: 'nearest',
      ...(axes && { axes }),
      ...(policy && { keep_aspect_ratio_policy: policy }),
    },
  }
}

const cropped: Generate = (random) => ({
  ...{ op: 'Resize', opset: 13, attributes: { mode: 'linear', coordinate_transformation_mode: 'tf_crop_and_resize' } },
  inputs: [
    { shape: [1, 1, ...random.ints(2, 4, 9)] },
    floats(random.pick([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0.25, 0.25, 1, 1, 0.75, 0.75]), true),
    floats([1, 1, 2, 0.5], true),
  ],
})

const upsample: Generate = (random) => {
  const opset = random.pick(7, 9)
  const shape = [1, random.int(1, 3), ...random.ints(2, 2, 9)]
  const factors = [1, 1, ...Array.from({ length: 2 }, () => random.pick(1, 2, 1.5, 1.3, 2.2, 2.7))]
  return opset === 7
    ? { op: 'Upsample', opset, inputs: [{ shape }], attributes: { scales: { floats: factors } } }
    : { op: 'Upsample', opset, inputs: [{ shape }, floats(factors, random.chance())] }
}

const gridSample: Generate = (random) => {
  const axes = random.int(2, 3)
  const batch = random.int(1, 2)
  return {
    ...{ op: 'GridSample', opset: axes === 3 ? 20 : random.pick(16, 20) },
    inputs: [{ shape: [batch, 2, ...random.ints(axes, 1, 5)] }, { shape: [batch, ...random.ints(axes, 1, 5), axes] }],
  }
}

const affineGrid: Generate = (random) => {
  const [axes, batch] = [random.int(2, 3), random.int(1, 2)]
  const size = [batch, random.int(1, 3), ...random.ints(axes, 1, 5)]
  return { op: 'AffineGrid', inputs: [{ shape: [batch, axes, axes + 1] }, int64(size, random.chance())] }
}

const suppression: Generate = (random) => {
  const [batch, classes, count] = [random.int(1, 2), random.int(1, 3), random.int(1, 6)]
  const allowed = random.chance() ? [int64([random.int(0, 4)], random.chance())] : []
  return {
    ...{ op: 'NonMaxSuppression', opset: random.pick(10, 11) },
    inputs: [{ shape: [batch, count, 4] }, { shape: [batch, classes, count] }, ...allowed],
  }
}

const loss =
  (op: string): Generate =>
  (random) => {
    const [batch, classes, rest] = [random.int(1, 3), random.int(1, 4), random.ints(random.int(0, 2), 1, 3)]
    const reduction = random.pick('none', 'mean', 'sum')
    return {
      ...{ op, opset: 13, outputs: op === 'SoftmaxCrossEntropyLoss' ? random.int(1, 2) : 1, attributes: { reduction } },
      inputs: [{ shape: [batch, classes, ...rest] }, zeros([batch, ...rest])],
    }
  }

const quantize: Generate = (random) => {
  const zero = random.pick('uint8' as const, 'int8' as const, undefined)
  const last: Given[] = zero === undefined ? [] : [{ element: zero, shape: [], values: [0], constant: random.chance() }]
  return {
    op: 'QuantizeLinear',
    opset: random.pick(10, 13, 19),
    inputs: [{ shape: random.ints(3, 1, 4) }, { shape: [] }, ...last],
  }
}

const dequantize: Generate = (random) => ({
  ...{ op: 'DequantizeLinear', opset: random.pick(10, 13, 19) },
  inputs: [byte(random.ints(3, 1, 4)), { shape: [] }],
})

const dynamicQuantize: Generate = (random) => ({
  ...{ op: 'DynamicQuantizeLinear', outputs: 3 },
  inputs: [{ shape: random.ints(random.int(1, 3), 1, 4) }],
})

/** Shapes whose batches broadcast. */
function matrices(random: Random): readonly [number[], number[]] {
  const [m, k, n, b] = [random.int(1, 3), random.int(1, 4), random.int(1, 3), random.int(1, 3)]
  return random.pick<readonly [number[], number[]]>(
    [
      [m, k],
      [k, n],
    ],
    [
      [b, m, k],
      [k, n],
    ],
    [
      [b, 1, m, k],
      [2, k, n],
    ],
    [
      [1, m, k],
      [b, k, n],
    ],
  )
}

const matMulInteger: Generate = (random) => {
  const [a, b] = matrices(random)
  return { op: 'MatMulInteger', inputs: [byte(a), byte(b)] }
}

const qLinearMatMul: Generate = (random) => {
  const [a, b] = matrices(random)
  const scale = [one('float32'), one('uint8')]
  return { op: 'QLinearMatMul', opset: 13, inputs: [byte(a), ...scale, byte(b), ...scale, ...scale] }
}

const tfIdf: Generate = (random) => ({
  ...{ op: 'TfIdfVectorizer', inputs: [{ element: 'int64', shape: random.ints(random.int(1, 2), 1, 5) }] },
  attributes: {
    ...{ mode: 'TF', min_gram_length: 1, max_gram_length: 1, max_skip_count: 0 },
    ...{ ngram_counts: [0], ngram_indexes: random.pick([0, 1, 2], [2, 5, 0]), pool_int64s: [1, 2, 3] },
  },
})

const lrn: Generate = (random) => ({ op: 'LRN', inputs: [{ shape: random.ints(4, 1, 5) }], attributes: { size: 3 } })

export const nodeCases: readonly Generate[] = [
  ...[same('MeanVarianceNormalization'), same('LpNormalization'), lrn],
  perChannel('InstanceNormalization', 2, 13),
  perChannel('BatchNormalization', 4, 15),
  perChannel('BatchNormalization', 4, 9),
  perChannel('GroupNormalization', 2, 21, { num_groups: 2 }),
  batchTraining,
  layerNormalization('LayerNormalization', 17, 3),
  layerNormalization('RMSNormalization', 23, 1),
  ...[recurrent('RNN', 1, 1), recurrent('GRU', 3, 1), recurrent('LSTM', 4, 2)],
  ...[attention, rotary, resize, cropped, upsample, gridSample, affineGrid, suppression],
  ...[loss('SoftmaxCrossEntropyLoss'), loss('NegativeLogLikelihoodLoss')],
  ...[quantize, dequantize, dynamicQuantize, matMulInteger, qLinearMatMul, tfIdf],
]

// Random nodes of onnxruntime's own operators, of ai.onnx.ml, and of signals.
import type { Attributes } from '../../../../testing/models/infer.ts'
import type { Generate } from './cases-windows.ts'
import type { Given } from './engine.ts'
import type { Random } from './random.ts'

const byte = (shape: readonly number[], constant = false): Given => ({ element: 'uint8', shape, constant })
const scale: Given = { shape: [], values: [1], constant: true }
const zero: Given = { element: 'uint8', shape: [], values: [1], constant: true }
const quantization = [scale, zero]
const scalar = (value: number, element: 'int64' | 'int32' = 'int64', constant = false): Given => ({
  ...{ element, shape: [], values: [value], constant },
})

const contrib =
  (
    op: string,
    make: (random: Random) => { inputs: readonly (Given | undefined)[]; attributes?: Attributes; outputs?: number },
  ): Generate =>
  (random) => ({ op, domain: 'com.microsoft', ...make(random) })

const ml =
  (
    op: string,
    make: (random: Random) => { inputs: readonly Given[]; attributes?: Attributes; outputs?: number },
  ): Generate =>
  (random) => ({ op, domain: 'ai.onnx.ml', ...make(random) })

const table = (random: Random, columns = 3): Given => ({ shape: [random.int(1, 4), columns] })

const fusedMatMul = contrib('FusedMatMul', (random) => {
  const [m, k, n, b] = [random.int(1, 3), random.int(1, 4), random.int(1, 3), random.int(2, 3)]
  const [transA, transB, transBatchA] = [random.int(0, 1), random.int(0, 1), random.int(0, 1)]
  const left = transA ? [k, m] : [m, k]
  return {
    inputs: [
      { shape: transBatchA ? [left[0]!, b, left[1]!] : [b, ...left] },
      { shape: [...(random.chance() ? [b] : []), ...(transB ? [n, k] : [k, n])] },
    ],
    attributes: { transA, transB, transBatchA, transBatchB: 0 },
  }
})

const gemm = (op: string, quantized: boolean): Generate =>
  contrib(op, (random) => {
    const [m, k, n, transA, transB] = [
      random.int(1, 3),
      random.int(1, 4),
      random.int(1, 3),
      random.int(0, 1),
      random.int(0, 1),
    ]
    const [a, b] = [transA ? [k, m] : [m, k], transB ? [n, k] : [k, n]]
    const output = random.chance() ? [undefined, ...quantization] : []
    return {
      inputs: quantized
        ? [byte(a), ...quantization, byte(b), ...quantization, ...output]
        : [{ shape: a }, { shape: b }, ...(random.chance() ? [{ shape: [n] }] : [])],
      attributes: { transA, transB, ...(quantized ? {} : { activation: 'Relu' }) },
    }
  })

const attended = (op: string): Generate =>
  contrib(op, (random) => {
    const [batch, length, width, heads, size] = [random.int(1, 2), random.int(1, 4), 5, random.int(1, 2), 8]
    const [hidden, past] = [heads * size, random.int(1, 3)]
    const cache = { shape: [2, batch, heads, past, size] }
    const withPast = random.chance()
    const attributes = { num_heads: heads, ...(withPast ? { unidirectional: 1 } : {}) }
    if (op === 'Attention') {
      const inputs = [{ shape: [batch, length, width] }, { shape: [width, 3 * hidden] }, { shape: [3 * hidden] }]
      return { inputs: withPast ? [...inputs, undefined, cache] : inputs, attributes, outputs: withPast ? 2 : 1 }
    }
    const first = [byte([batch, length, width]), byte([width, 3 * hidden], true), { shape: [3 * hidden] }, scale, scale]
    const rest = withPast ? [undefined, zero, zero, cache] : [undefined, zero, zero]
    return { inputs: [...first, ...rest], attributes, outputs: withPast ? 2 : 1 }
  })

const multiHead = contrib('MultiHeadAttention', (random) => {
  const [batch, length, kv, heads, size, valueSize] = [
    random.int(1, 2),
    random.int(1, 4),
    random.int(1, 4),
    random.int(1, 2),
    8,
    4,
  ]
  const [past, kind] = [random.int(1, 3), random.int(0, 2)]
  const attributes = { num_heads: heads }
  if (kind === 0) return { inputs: [{ shape: [batch, length, heads, 3, size] }], attributes }
  const query = { shape: [batch, length, heads * size] }
  const last = kind === 1 ? valueSize : size
  const [key, value] = [{ shape: [batch, kv, heads * size] }, { shape: [batch, kv, heads * last] }]
  if (kind === 1) return { inputs: [query, key, value], attributes, outputs: random.pick(1, 3) }
  const cache = { shape: [batch, heads, past, size] }
  const inputs = [query, key, value, undefined, undefined, undefined, cache, cache]
  return { inputs, attributes, outputs: 3 }
})

const groupQuery = contrib('GroupQueryAttention', (random) => {
  const [batch, length, shared, size] = [1, random.int(1, 4), random.int(1, 2), 8]
  const heads = shared * random.int(1, 2)
  const packed = random.chance()
  const key = { shape: [batch, length, shared * size] }
  return {
    inputs: [
      { shape: [batch, length, (packed ? heads + 2 * shared : heads) * size] },
      ...(packed ? [undefined, undefined] : [key, key]),
      ...[undefined, undefined],
      { element: 'int32', shape: [batch, 1], values: [length - 1] },
      scalar(length, 'int32'),
    ],
    attributes: { num_heads: heads, kv_num_heads: shared },
    outputs: 3,
  }
})

const embedding = contrib('EmbedLayerNormalization', (random) => {
  const [batch, length, size] = [random.int(1, 2), random.int(1, 4), random.int(2, 5)]
  const ids: Given = { element: 'int32', shape: [batch, length], values: new Array<number>(batch * length).fill(1) }
  const words = { shape: [9, size] }
  const norm = { shape: [size] }
  return { inputs: [ids, ids, words, words, words, norm, norm], outputs: random.int(1, 3) }
})

const skip = (op: string): Generate =>
  contrib(op, (random) => {
    const shape = [random.int(1, 2), random.int(1, 4), 4]
    return { inputs: [{ shape }, { shape }, { shape: [4] }] }
  })

const quantizedPair = (op: string): Generate =>
  contrib(op, (random) => {
    const shape = random.ints(3, 1, 4)
    const other = shape.map((size) => (random.chance(0.3) ? 1 : size)).slice(random.int(0, 2))
    return { inputs: [byte(shape), ...quantization, byte(other), ...quantization, ...quantization] }
  })

const quantizedUnary = (op: string, attributes: Attributes = {}): Generate =>
  contrib(op, (random) => ({ inputs: [byte(random.ints(3, 1, 4)), ...quantization, ...quantization], attributes }))

const quantizedConcat = contrib('QLinearConcat', (random) => {
  const parts = Array.from({ length: random.int(1, 3) }, () => [byte([2, random.int(1, 4), 3]), ...quantization])
  return { inputs: [...quantization, ...parts.flat()], attributes: { axis: random.pick(1, -2) } }
})

const quantizedProducts = [
  contrib('DynamicQuantizeMatMul', (random) => ({
    inputs: [{ shape: [random.int(1, 2), random.int(1, 3), 4] }, byte([4, 5]), { shape: [] }, zero],
  })),
  contrib('MatMulIntegerToFloat', (random) => ({
    inputs: [byte([random.int(1, 2), random.int(1, 3), 4]), byte([4, 5]), { shape: [] }, { shape: [] }, zero, zero],
  })),
  contrib('MatMulNBits', (random) => ({
    inputs: [
      { shape: [random.int(1, 2), random.int(1, 3), 32] },
      byte([6, 1, 16], true),
      { shape: [6], constant: true },
    ],
    attributes: { K: 32, N: 6, bits: 4, block_size: 32 },
  })),
]

const activations = [
  ...['Gelu', 'QuickGelu'].map((op) => contrib(op, (random) => ({ inputs: [{ shape: random.ints(3, 1, 4) }] }))),
  ...['BiasGelu', 'FastGelu'].map((op) =>
    contrib(op, (random) => ({ inputs: [{ shape: [...random.ints(2, 1, 4), 5] }, { shape: [5] }] })),
  ),
]

const others = [
  contrib('CDist', (random) => ({ inputs: [table(random), table(random)], attributes: { metric: 'euclidean' } })),
  contrib('GridSample', (random) => ({
    inputs: [{ shape: [1, 2, 3, 4] }, { shape: [1, ...random.ints(2, 1, 4), 2] }],
  })),
  contrib('CropAndResize', (random) => {
    const count = random.int(1, 3)
    const size: Given = { element: 'int32', shape: [2], values: random.ints(2, 1, 4), constant: random.chance() }
    const batches: Given = { element: 'int32', shape: [count], values: new Array<number>(count).fill(0) }
    return { inputs: [{ shape: [1, 2, 5, 6] }, { shape: [count, 4] }, batches, size] }
  }),
  contrib('Trilu', (random) => ({ inputs: [{ shape: random.ints(3, 1, 4) }] })),
  contrib('Inverse', () => ({
    inputs: [{ shape: [2, 3, 3], values: [1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1] }],
  })),
  contrib('QuantizeLinear', (random) => ({ inputs: [{ shape: random.ints(3, 1, 4) }, { shape: [] }, zero] })),
  contrib('DequantizeLinear', (random) => ({ inputs: [byte(random.ints(3, 1, 4)), { shape: [] }, zero] })),
  contrib('GatherBlockQuantized', (random) => ({
    inputs: [
      byte([5, 16], true),
      { element: 'int64', shape: random.ints(random.int(1, 2), 1, 3) },
      { shape: [5, 2], constant: true },
    ].map((given, i) =>
      i === 1 ? { ...given, values: new Array<number>(given.shape.reduce((a, b) => a * b, 1)).fill(1) } : given,
    ) as Given[],
    attributes: { bits: 4, block_size: 16, gather_axis: 0, quantize_axis: 1 },
  })),
]

const classical = [
  ml('Scaler', (random) => ({
    inputs: [table(random)],
    attributes: { scale: { floats: [1] }, offset: { floats: [0] } },
  })),
  ml('Normalizer', (random) => ({ inputs: [table(random)], attributes: { norm: 'L2' } })),
  ml('Binarizer', (random) => ({ inputs: [table(random)] })),
  ml('Imputer', (random) => ({
    inputs: [table(random)],
    attributes: { imputed_value_floats: { floats: [1] }, replaced_value_float: { float: 0 } },
  })),
  ml('ArrayFeatureExtractor', (random) => ({
    inputs: [{ shape: [...random.ints(random.int(0, 2), 1, 3), 4] }, { element: 'int64', shape: [2], values: [0, 3] }],
  })),
  ml('FeatureVectorizer', (random) => {
    const [rows, a, b] = random.ints(3, 1, 4) as [number, number, number]
    return { inputs: [{ shape: [rows, a] }, { shape: [rows, b] }], attributes: { inputdimensions: [a, b] } }
  }),
  ml('OneHotEncoder', (random) => ({
    inputs: [{ element: 'int64', shape: random.ints(random.int(1, 2), 1, 4) }],
    attributes: { cats_int64s: [1, 2, 3, 4, 5, 6, 7, 8], zeros: 1 },
  })),
  ml('LinearRegressor', (random) => ({
    inputs: [random.chance() ? table(random) : { shape: [3] }],
    attributes: { coefficients: { floats: [1, 2, 3, 4, 5, 6] }, intercepts: { floats: [0, 1] }, targets: 2 },
  })),
  ml('LinearClassifier', (random) => {
    const binary = random.chance()
    return {
      inputs: [random.chance() ? table(random) : { shape: [3] }],
      attributes: binary
        ? { coefficients: { floats: [1, 2, 3] }, intercepts: { floats: [0] }, classlabels_ints: [0, 1] }
        : {
            coefficients: { floats: [1, 2, 3, 4, 5, 6, 7, 8, 9] },
            intercepts: { floats: [0, 1, 2] },
            classlabels_ints: [0, 1, 2],
          },
      outputs: 2,
    }
  }),
  ml('SVMRegressor', (random) => ({
    inputs: [table(random)],
    attributes: {
      ...{ kernel_type: 'LINEAR', n_supports: 2, rho: { floats: [0] }, coefficients: { floats: [1, 2] } },
      ...{ support_vectors: { floats: [1, 2, 3, 4, 5, 6] }, kernel_params: { floats: [1, 0, 1] } },
    },
  })),
]

const window =
  (op: string): Generate =>
  (random) => ({ op, inputs: [scalar(random.int(1, 9), 'int64', random.chance())] })

const signals: readonly Generate[] = [
  ...['HannWindow', 'HammingWindow', 'BlackmanWindow'].map(window),
  (random) => {
    const opset = random.pick(17, 20)
    const length = random.chance() ? scalar(random.int(1, 9), 'int64', random.chance()) : undefined
    const [onesided, axis] = [random.int(0, 1), random.int(1, 2)]
    const shape = [random.int(1, 2), random.int(2, 6), random.int(2, 5), onesided ? 1 : random.int(1, 2)]
    return opset === 17
      ? { op: 'DFT', opset, inputs: [{ shape }, length], attributes: { onesided, axis } }
      : { op: 'DFT', opset, inputs: [{ shape }, length, scalar(axis, 'int64', true)], attributes: { onesided } }
  },
  (random) => {
    const [length, step, frame] = [random.int(8, 16), random.int(1, 4), random.int(2, 8)]
    const constant = random.chance()
    const byWindow = random.chance()
    return {
      op: 'STFT',
      inputs: [
        { shape: [random.int(1, 2), length, 1] },
        scalar(step, 'int64', constant),
        byWindow ? { shape: [frame] } : undefined,
        ...(byWindow && random.chance() ? [] : [scalar(frame, 'int64', constant)]),
      ],
      attributes: { onesided: random.int(0, 1) },
    }
  },
  (random) => {
    const constant = random.chance()
    const number = (value: number): Given => ({ shape: [], values: [value], constant })
    return {
      op: 'MelWeightMatrix',
      inputs: [
        ...[scalar(random.int(1, 8), 'int64', constant), scalar(random.int(16, 32), 'int64', constant)],
        ...[scalar(8192, 'int64', constant), number(0), number(4096)],
      ],
    }
  },
  (random) => ({
    op: 'CenterCropPad',
    opset: 18,
    inputs: [
      { shape: random.ints(3, 1, 6) },
      { element: 'int64', shape: [2], values: random.ints(2, 1, 6), constant: random.chance() },
    ],
    attributes: { axes: random.pick([0, 2], [-1, 1]) },
  }),
]

export const contribCases: readonly Generate[] = [
  ...[fusedMatMul, gemm('FusedGemm', false), gemm('QGemm', true), attended('Attention'), attended('QAttention')],
  ...[multiHead, groupQuery, embedding, skip('SkipLayerNormalization'), skip('SkipSimplifiedLayerNormalization')],
  ...[quantizedPair('QLinearAdd'), quantizedPair('QLinearMul'), quantizedConcat],
  ...[
    quantizedUnary('QLinearLeakyRelu'),
    quantizedUnary('QLinearSigmoid'),
    quantizedUnary('QLinearSoftmax', { opset: 13 }),
  ],
  ...[...quantizedProducts, ...activations, ...others, ...classical, ...signals],
]

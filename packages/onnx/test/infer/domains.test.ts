// Operators of other domains: com.microsoft, ai.onnx.ml, and training.
import { create } from '@bufbuild/protobuf'
import { describe, expect, it } from 'vitest'
import { type Attributes, modelOf, node, text } from '../../../../testing/models/infer.ts'
import { inferShapes, viewModel } from '../../src/index.ts'
import { ModelProtoSchema, OperatorSetIdProtoSchema } from '../../src/proto/onnx_pb.ts'

/** The outputs of one node of a domain, as text, or why it cannot be. */
function outputsOf(
  domain: string,
  op: string,
  inputs: Readonly<Record<string, string>>,
  attributes: Attributes = {},
  count = 1,
): string[] {
  const given = Object.fromEntries(Object.entries(inputs).filter(([name]) => !name.startsWith('_')))
  const names = Object.keys(inputs).map((name) => (name.startsWith('_') ? '-' : name))
  const results = Array.from({ length: count }, (_, i) => `y${i}`)
  const { proto } = modelOf({
    inputs: given,
    nodes: [node(op, names.join(' '), results.join(' '), attributes, domain)],
  })
  const opsets = [{ version: 22n }, { domain, version: domain === 'ai.onnx.ml' ? 3n : 1n }]
  const opsetImport = opsets.map((opset) => create(OperatorSetIdProtoSchema, opset))
  const inference = inferShapes(viewModel(create(ModelProtoSchema, { ...proto, opsetImport })))
  if (inference.findings.length > 0) return inference.findings.map(({ message }) => `fails: ${message}`)
  return results.map((name) => text(inference.valueOf(inference.root.scope, name)))
}

const microsoft = (op: string, inputs: Readonly<Record<string, string>>, attributes: Attributes = {}, count = 1) =>
  outputsOf('com.microsoft', op, inputs, attributes, count)

const ml = (op: string, inputs: Readonly<Record<string, string>>, attributes: Attributes = {}, count = 1) =>
  outputsOf('ai.onnx.ml', op, inputs, attributes, count)

describe('com.microsoft', () => {
  it('fuses convolutions and products', () => {
    expect(microsoft('FusedConv', { x: 'N, 3, 9', w: '4, 3, 3' })).toEqual(['float32(N, 4, 7)'])
    expect(microsoft('NhwcFusedConv', { x: 'N, 9, 8, 3', w: '4, 3, 3, 3' })).toEqual(['float32(N, 7, 6, 4)'])
    expect(microsoft('NhwcMaxPool', { x: 'uint8: N, 8, 8, 3' }, { kernel_shape: [2, 2], strides: [2, 2] })).toEqual([
      'uint8(N, 4, 4, 3)',
    ])
    expect(microsoft('FusedMatMul', { a: 'B, 3, M', b: 'B, N, 3' }, { transA: 1, transB: 1 })).toEqual([
      'float32(B, M, N)',
    ])
    expect(microsoft('FusedMatMul', { a: 'M, B, 3', b: 'B, 3, N' }, { transBatchA: 1 })).toEqual(['float32(B, M, N)'])
    expect(microsoft('FusedGemm', { a: 'M, 3', b: '3, 4', c: '4' })).toEqual(['float32(M, 4)'])
    expect(microsoft('MatMulNBits', { a: 'B, L, 32', b: 'uint8: 6, 1, 16', s: '6' }, { K: 32, N: 6 })).toEqual([
      'float32(B, L, 6)',
    ])
  })

  it('quantizes', () => {
    const [s, z] = ['', 'uint8:']
    const pair = { a: 'uint8: N, 3', s0: s, z0: z, b: 'uint8: 3', s1: s, z1: z, s2: s, z2: z }
    expect(microsoft('QLinearAdd', pair)).toEqual(['uint8(N, 3)'])
    expect(microsoft('QLinearMul', { ...pair, b: 'uint8: 4' })[0]).toMatch(/^fails: /)
    expect(
      microsoft(
        'QLinearConcat',
        { s0: s, z0: z, a: 'uint8: N, 3', s1: s, z1: z, b: 'uint8: N, 4', s2: s, z2: z },
        { axis: 1 },
      ),
    ).toEqual(['uint8(N, 7)'])
    expect(microsoft('QLinearGlobalAveragePool', { x: 'uint8: N, 4, 5, C' }, { channels_last: 1 })).toEqual([
      'uint8(N, 1, 1, C)',
    ])
    expect(microsoft('QLinearReduceMean', { x: 'uint8: N, 4, 5' }, { axes: [-1], keepdims: 0 })).toEqual([
      'uint8(N, 4)',
    ])
    expect(microsoft('QGemm', { a: 'uint8: M, 3', s0: s, z0: z, b: 'int8: 3, 4', s1: s, z1: 'int8:' })).toEqual([
      'float32(M, 4)',
    ])
    expect(
      microsoft('MatMulIntegerToFloat', { a: 'uint8: M, 3', b: 'int8: 3, 4', s0: 'float16:', s1: 'float16:' }),
    ).toEqual(['float16(M, 4)'])
    expect(
      microsoft('GatherBlockQuantized', { x: 'uint8: 5, 16', i: 'int64: A, B', s: 'float16: 5, 2' }, { bits: 4 }),
    ).toEqual(['float16(A, B, 32)'])
  })

  it('attends', () => {
    const projected = { x: 'B, L, 5', w: '5, 48', b: '48', _: '', past: '2, B, 2, P, 8' }
    expect(microsoft('Attention', projected, { num_heads: 2 }, 2)).toEqual([
      'float32(B, L, 16)',
      'float32(2, B, 2, L + P, 8)',
    ])
    expect(
      microsoft('Attention', { x: 'B, L, 5', w: '5, 40' }, { num_heads: 2, qkv_hidden_sizes: [16, 16, 8] }),
    ).toEqual(['float32(B, L, 8)'])
    expect(
      microsoft('MultiHeadAttention', { q: 'B, L, 16', k: 'B, S, 16', v: 'B, S, 8' }, { num_heads: 2 }, 3),
    ).toEqual(['float32(B, L, 8)', 'float32(B, 2, S, 8)', 'float32(B, 2, S, 4)'])
    expect(microsoft('MultiHeadAttention', { q: 'B, L, 2, 3, 8' }, { num_heads: 2 })).toEqual(['float32(B, L, 16)'])
    expect(microsoft('GroupQueryAttention', { q: 'B, L, 32' }, { num_heads: 4, kv_num_heads: 2 }, 2)).toEqual([
      'float32(B, L, 16)',
      'float32(B, 2, y0.length, 4)',
    ])
  })

  it('embeds and normalises', () => {
    const table = { ids: 'int32: B, L', seg: 'int32: B, L', words: '99, 8', p: '9, 8', s: '2, 8', g: '8', b: '8' }
    expect(microsoft('EmbedLayerNormalization', table, {}, 3)).toEqual([
      'float32(B, L, 8)',
      'int32(B)',
      'float32(B, L, 8)',
    ])
    expect(microsoft('SkipLayerNormalization', { x: 'B, L, 8', s: 'B, L, 8', g: '8' }, {}, 4)).toEqual([
      'float32(B, L, 8)',
      'float32(*)',
      'float32(*)',
      'float32(B, L, 8)',
    ])
    expect(microsoft('BiasGelu', { x: 'B, 8', b: '8' })).toEqual(['float32(B, 8)'])
    expect(microsoft('BiasSplitGelu', { x: 'B, L, 8', b: '8' })).toEqual(['float32(B, L, 4)'])
  })
})

describe('ai.onnx.ml', () => {
  it('keeps tables of features', () => {
    expect(ml('Scaler', { x: 'int64: N, 3' })).toEqual(['float32(N, 3)'])
    expect(ml('Imputer', { x: 'int64: N, 3' })).toEqual(['int64(N, 3)'])
    expect(ml('OneHotEncoder', { x: 'int64: N' }, { cats_int64s: [1, 2, 3] })).toEqual(['float32(N, 3)'])
    expect(ml('FeatureVectorizer', { a: 'N, 2', b: 'N, 3' })).toEqual(['float32(N, 5)'])
    expect(ml('ArrayFeatureExtractor', { a: 'N, 9', b: 'int64: 4' })).toEqual(['float32(N, 4)'])
    expect(ml('CategoryMapper', { x: 'string: N' })).toEqual(['int64(N)'])
    expect(ml('LabelEncoder', { x: 'int64: N' }, { values_floats: { floats: [1] } })).toEqual(['float32(N)'])
  })

  it('classifies and predicts', () => {
    const binary = { intercepts: { floats: [0] }, classlabels_ints: [0, 1] }
    expect(ml('LinearClassifier', { x: 'N, 3' }, binary, 2)).toEqual(['int64(N)', 'float32(N, 2)'])
    expect(ml('LinearRegressor', { x: '3' }, { targets: 4 })).toEqual(['float32(1, 4)'])
    expect(ml('TreeEnsembleRegressor', { x: 'N, 3' }, { n_targets: 2 })).toEqual(['float32(N, 2)'])
    expect(ml('TreeEnsembleClassifier', { x: 'N, 3' }, { classlabels_int64s: [4, 5, 6] }, 2)).toEqual([
      'int64(N)',
      'float32(N, 3)',
    ])
    expect(ml('SVMClassifier', { x: 'N, 3' }, {}, 2)).toEqual(['int64(N)', 'float32(N, y0.classes)'])
    expect(ml('ZipMap', { x: 'N, 3' }, { classlabels_int64s: [4, 5, 6] })).toEqual(['N of map of float32()'])
  })
})

describe('training', () => {
  it('renews tensors and their states', () => {
    const step = {
      r: '',
      t: 'int64:',
      a: '2, 3',
      b: 'N',
      ga: '2, 3',
      gb: 'N',
      va: '2, 3',
      vb: 'N',
      ha: '2, 3',
      hb: 'N',
    }
    expect(outputsOf('ai.onnx.preview.training', 'Adam', step, {}, 6)).toEqual([
      ...['float32(2, 3)', 'float32(N)', 'float32(2, 3)'],
      ...['float32(N)', 'float32(2, 3)', 'float32(N)'],
    ])
    const { r, t, a, b } = step
    expect(outputsOf('ai.onnx.preview.training', 'Momentum', { r, t, a, b }, {}, 2)).toEqual([
      'fails: 4 inputs are not complete sets.',
    ])
  })
})

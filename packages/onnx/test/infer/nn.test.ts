// Normalisation, recurrence, attention, quantisation and losses, by ONNX's text.
import { describe, expect, it } from 'vitest'
import { inferred, ints, modelOf, node } from '../../../../testing/models/infer.ts'
import { dimBounds, inferShapes } from '../../src/index.ts'

describe('normalisation', () => {
  it('keeps the shape', () => {
    expect(inferred('InstanceNormalization', { x: 'N, 3, H', s: '3', b: '3' })).toEqual(['float32(N, 3, H)'])
    expect(inferred('LRN', { x: 'N, 3, H' }, { size: 3 })).toEqual(['float32(N, 3, H)'])
  })

  it('BatchNormalization gives statistics while it trains, two more before opset 14', () => {
    const inputs = { x: 'float16: N, 3, H, W', s: '3', b: '3', m: '3', v: '3' }
    expect(inferred('BatchNormalization', inputs, { training_mode: 1 }, { opset: 15, outputs: 3 })).toEqual([
      'float16(N, 3, H, W)',
      'float32(3)',
      'float32(3)',
    ])
    expect(inferred('BatchNormalization', inputs, {}, { opset: 9, outputs: 5 }).slice(1)).toEqual(
      new Array(4).fill('float32(3)'),
    )
    expect(inferred('BatchNormalization', { ...inputs, s: '4' })).toEqual([
      'fails: input 1 has another size than the channels of the data.',
    ])
    const single = { x: 'N, 3, 4', s: '3, 4', b: '3, 4', m: '3, 4', v: '3, 4' }
    expect(inferred('BatchNormalization', single, { spatial: 0 }, { opset: 7 })).toEqual(['float32(N, 3, 4)'])
  })

  it('LayerNormalization has one mean and one deviation for the axes that it takes together', () => {
    const outputs = (axis: number) =>
      inferred('LayerNormalization', { x: 'float16: N, L, 8', s: 'float16: 8' }, { axis }, { outputs: 3 })
    expect(outputs(-1)).toEqual(['float16(N, L, 8)', 'float32(N, L, 1)', 'float32(N, L, 1)'])
    expect(outputs(1)).toEqual(['float16(N, L, 8)', 'float32(N, 1, 1)', 'float32(N, 1, 1)'])
    expect(outputs(3)).toEqual(['fails: axis 3 is outside rank 3.'])
    expect(inferred('LayerNormalization', { x: '2, 3', s: '4' })[0]).toMatch(/^fails: /)
    expect(inferred('RMSNormalization', { x: 'N, 8', s: '8' }, {}, { opset: 23 })).toEqual(['float32(N, 8)'])
  })

  it.each(['x s b', 'x s'])('records once that scale and bias stretch: %s', (inputs) => {
    const model = (scale: string) =>
      modelOf({ inputs: { x: 'N, 8', s: scale, b: '8' }, nodes: [node('LayerNormalization', inputs, 'y')] })
    const [broadcast, ...others] = inferShapes(model('1')).broadcasts
    expect(others).toEqual([])
    expect(broadcast!.operands.map(({ name }) => name)).toEqual(inputs.split(' '))
    expect(inferShapes(model('8')).broadcasts).toEqual([])
    expect(inferShapes(model('1, 8')).broadcasts).toEqual([])
  })

  it('learns the sizes of normalised axes from scale and bias, which never stretch them', () => {
    expect(inferred('LayerNormalization', { x: 'N, D', s: '8' })).toEqual(['float32(N, 8)'])
    expect(inferred('LayerNormalization', { x: 'N, D', s: '1' })).toEqual(['float32(N, D)'])
  })
})

describe('recurrent networks', () => {
  it('give every hidden state, the last one, and the last cell', () => {
    const inputs = { x: 'L, B, 4', w: '2, 12, 4', r: '2, 12, 3' }
    const attributes = { hidden_size: 3, direction: 'bidirectional' }
    expect(inferred('LSTM', inputs, attributes, { outputs: 3 })).toEqual([
      'float32(L, 2, B, 3)',
      'float32(2, B, 3)',
      'float32(2, B, 3)',
    ])
    expect(inferred('RNN', { ...inputs, r: '1, 3, 3' }, {}, { outputs: 2 })).toEqual([
      'float32(L, 1, B, 3)',
      'float32(1, B, 3)',
    ])
  })

  it('have the batch first in layout 1', () => {
    const inputs = { x: 'B, L, 4', w: '1, 9, 4', r: '1, 9, 3' }
    expect(inferred('GRU', inputs, { hidden_size: 3, layout: 1 }, { outputs: 2 })).toEqual([
      'float32(B, L, 1, 3)',
      'float32(B, 1, 3)',
    ])
  })

  it('cannot be of two hidden sizes, or of a direction that is none', () => {
    const inputs = { x: 'L, B, 4', w: '1, 5, 4', r: '1, 5, 5' }
    expect(inferred('RNN', inputs, { hidden_size: 3 })).toEqual([
      'fails: the recurrence weights have another hidden size.',
    ])
    expect(inferred('RNN', inputs, { direction: 'up' })).toEqual(['fails: the direction is "up".'])
  })
})

describe('attention', () => {
  it('has the sizes of queries and values', () => {
    const four = { q: 'B, 8, L, 64', k: 'B, 2, S, 64', v: 'B, 2, S, 32' }
    expect(inferred('Attention', four, {}, { opset: 23 })).toEqual(['float32(B, 8, L, 32)'])
    const three = { q: 'B, L, 512', k: 'B, S, 128', v: 'B, S, 64' }
    const heads = { q_num_heads: 8, kv_num_heads: 2 }
    expect(inferred('Attention', three, heads, { opset: 23, outputs: 4 })).toEqual([
      'float32(B, L, 256)',
      'float32(B, 2, S, 64)',
      'float32(B, 2, S, 32)',
      'float32(B, 8, L, S)',
    ])
  })

  it('puts what is new behind what was before', () => {
    const inputs = { q: 'B, 8, L, 64', k: 'B, 8, L, 64', v: 'B, 8, L, 64', _: '', p: 'B, 8, P, 64', o: 'B, 8, P, 64' }
    expect(inferred('Attention', inputs, {}, { opset: 23, outputs: 4 }).slice(1)).toEqual([
      'float32(B, 8, L + P, 64)',
      'float32(B, 8, L + P, 64)',
      'float32(B, 8, L, L + P)',
    ])
  })

  it('LinearAttention keeps a state of keys and values', () => {
    const inputs = { q: 'B, L, 64', k: 'B, L, 32', v: 'B, L, 48' }
    expect(inferred('LinearAttention', inputs, { q_num_heads: 4, kv_num_heads: 2 }, { opset: 27, outputs: 2 })).toEqual(
      ['float32(B, L, 96)', 'float32(B, 2, 16, 24)'],
    )
  })

  it('CausalConvWithState keeps one element less than the kernel has', () => {
    const inputs = { x: 'B, C, L', w: 'C, 1, 4' }
    expect(inferred('CausalConvWithState', inputs, {}, { opset: 27, outputs: 2 })).toEqual([
      'float32(B, C, L)',
      'float32(B, C, 3)',
    ])
  })
})

describe('quantisation', () => {
  it('takes its type from the zero point, an attribute, or none', () => {
    expect(inferred('QuantizeLinear', { x: 'N, 3', s: '', z: 'int8:' })).toEqual(['int8(N, 3)'])
    expect(inferred('QuantizeLinear', { x: 'N, 3', s: '' })).toEqual(['uint8(N, 3)'])
    expect(inferred('QuantizeLinear', { x: 'N, 3', s: '' }, { output_dtype: 22 })).toEqual(['int4(N, 3)'])
    expect(inferred('DequantizeLinear', { x: 'int8: N, 3', s: 'float16: 3' })).toEqual(['float16(N, 3)'])
    expect(inferred('DequantizeLinear', { x: 'int8: 2, 3', s: '2' }, { axis: -2 })).toEqual(['float32(2, 3)'])
    expect(inferred('DequantizeLinear', { x: 'int8: 2, 3', s: '1' })).toEqual(['float32(2, 3)'])
    expect(inferred('DequantizeLinear', { x: 'int8: 2, 3', s: 'S' })).toEqual(['float32(2, 3)'])
    expect(inferred('DequantizeLinear', { x: 'int8: 2, 4', s: '2, 2' }, { block_size: 2 })).toEqual(['float32(2, 4)'])
    for (const op of ['QuantizeLinear', 'DequantizeLinear']) {
      expect(inferred(op, { x: 'int8: 2, 3', s: '2' })).toEqual([
        'fails: axis 1 has another size than there are scales.',
      ])
    }
    expect(inferred('DynamicQuantizeLinear', { x: 'N, 3' }, {}, { outputs: 3 })).toEqual([
      'uint8(N, 3)',
      'float32()',
      'uint8()',
    ])
  })

  it('multiplies matrices', () => {
    expect(inferred('MatMulInteger', { a: 'uint8: B, M, 3', b: 'int8: 3, N' })).toEqual(['int32(B, M, N)'])
    const inputs = { a: 'uint8: M, 3', s: '', z: 'uint8:', b: 'uint8: 3, N', s2: '', z2: 'uint8:', s3: '', z3: 'int8:' }
    expect(inferred('QLinearMatMul', inputs)).toEqual(['int8(M, N)'])
  })
})

describe('losses and detection', () => {
  it('are one number, or one for each label', () => {
    const inputs = { x: 'N, 5, 7', labels: 'int64: N, 7' }
    expect(inferred('NegativeLogLikelihoodLoss', inputs)).toEqual(['float32()'])
    expect(inferred('SoftmaxCrossEntropyLoss', inputs, { reduction: 'none' }, { outputs: 2 })).toEqual([
      'float32(N, 7)',
      'float32(N, 5, 7)',
    ])
    expect(inferred('NegativeLogLikelihoodLoss', { ...inputs, labels: 'int64: N, 6' })[0]).toMatch(/^fails: .*axis 1/)
  })

  it('keep as many boxes as data decides, within what is allowed', () => {
    const inputs = { boxes: '2, 100, 4', scores: '2, 3, 100' }
    expect(inferred('NonMaxSuppression', { ...inputs, most: ints(5) })).toEqual(['int64(y.kept, 3)'])
    expect(inferred('NonMaxSuppression', inputs)).toEqual(['int64(0, 3)'])
    expect(inferred('NonMaxSuppression', { ...inputs, scores: '2, 3, 99' })).toEqual([
      'fails: there are not as many scores as boxes.',
    ])
    const model = modelOf({
      inputs: { ...inputs, most: ints(5) },
      nodes: [node('NonMaxSuppression', 'boxes scores most', 'y')],
    })
    const kept = inferShapes(model).symbols().get('y.kept')!
    expect(dimBounds(kept)).toEqual({ min: 0n, max: 30n })
  })

  it('SwiGLU wants one shape', () => {
    expect(inferred('SwiGLU', { a: 'N, 3', b: '2, 3' }, {}, { opset: 28 })).toEqual(['float32(2, 3)'])
    expect(inferred('SwiGLU', { a: 'N, 1', b: '2, 3' }, {}, { opset: 28 })).toEqual([
      'fails: cannot broadcast axis -1: 1 vs 3 (shapes [N,1] and [2,3])',
    ])
  })

  it('TfIdfVectorizer counts up to its greatest index', () => {
    expect(inferred('TfIdfVectorizer', { x: 'int64: N, 9' }, { ngram_indexes: [0, 4, 2] })).toEqual(['float32(N, 5)'])
    expect(inferred('TfIdfVectorizer', { x: 'int64: 9' }, { ngram_indexes: [0, 4, 2] })).toEqual(['float32(5)'])
  })
})

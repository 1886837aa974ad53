// Convolutions and pools, by the formulas of ONNX's text.
import { describe, expect, it } from 'vitest'
import { inferred, ints, modelOf, node, texts } from '../../../../testing/models/infer.ts'
import { dimBounds, inferShapes } from '../../src/index.ts'

const conv = (x: string, w: string, attributes = {}) => inferred('Conv', { x, w }, attributes)[0]

describe('Conv', () => {
  it('has floor((input + pads - extent) / stride) + 1 places on an axis', () => {
    expect(conv('1, 3, 224, 224', '64, 3, 7, 7', { strides: [2, 2], pads: [3, 3, 3, 3] })).toBe(
      'float32(1, 64, 112, 112)',
    )
    expect(conv('N, 3, H, W', '8, 3, 3, 3', { pads: [1, 1, 1, 1] })).toBe('float32(N, 8, H, W)')
    expect(conv('1, 1, 9', '1, 1, 3', { dilations: [3] })).toBe('float32(1, 1, 3)')
    expect(conv('N, 1, L', '4, 1, 3', { strides: [2], pads: [0, 1] })).toBe('float32(N, 4, floor(L/2))')
    expect(conv('1, 1, 5', '1, 1, 2', { pads: [2, 0], strides: [3] })).toBe('float32(1, 1, 2)')
  })

  it('pads by itself', () => {
    expect(conv('1, 1, 5, 6', '1, 1, 3, 3', { auto_pad: 'SAME_UPPER', strides: [2, 4] })).toBe('float32(1, 1, 3, 2)')
    expect(conv('1, 1, H, W', '1, 1, 3, 3', { auto_pad: 'SAME_LOWER' })).toBe('float32(1, 1, H, W)')
    expect(conv('1, 1, L', '1, 1, 5', { auto_pad: 'VALID' })).toBe('float32(1, 1, L - 4)')
    expect(conv('1, 1, 9', '1, 1, 5', { auto_pad: 'SAME_UPPER', pads: [1, 1] })).toBe('float32(1, 1, y.2)')
    expect(conv('1, 1, 9', '1, 1, 5', { auto_pad: 'SAME' })).toBe('fails: auto_pad is "SAME".')
  })

  it('takes the size of the kernel from the weights or an attribute', () => {
    expect(conv('1, 1, 9', '1, 1, K')).toBe('float32(1, 1, 10 - K)')
    expect(conv('1, 1, 9', '?, 1, ?', { kernel_shape: [3] })).toMatch(/^float32\(1, [^,]+, 7\)$/)
    expect(conv('*', '4, 1, 3')).toMatch(/^float32\(y\.batch, 4, y\.2\)$/)
    expect(conv('*', '*')).toBe('float32(*)')
    expect(conv('1, 1, 9', '1, 1, 3', { kernel_shape: [5] })).toBe(
      'fails: kernel_shape and the weights differ on axis 0.',
    )
  })

  it('learns how many channels there are', () => {
    const model = modelOf({
      inputs: { x: 'N, C, L', w: '6, 2, 1', b: 'M' },
      nodes: [node('Conv', 'x w b', 'y', { group: 3 }), node('Relu', 'x', 'z'), node('Relu', 'b', 'v')],
    })
    expect(texts(inferShapes(model))).toEqual({ y: 'float32(N, 6, L)', z: 'float32(N, 6, L)', v: 'float32(6)' })
  })

  it('has at least one place, so that later nodes know the sizes that there can be', () => {
    // Reshape takes a 0 for the size that the data has on that axis; there is none here.
    const model = modelOf({
      inputs: { x: 'N, 8, L', w: '8, 8, 10', places: ints(2), heads: ints(2, -1) },
      nodes: [
        node('Conv', 'x w', 'y', { strides: [5] }),
        node('Shape', 'y', 's'),
        node('Gather', 's places', 'length'),
        node('Concat', 'length heads', 'target', { axis: 0 }),
        node('Reshape', 'y target', 'z'),
        node('Relu', 'x', 'r'),
      ],
    })
    const inference = inferShapes(model)
    expect(texts(inference)).toMatchObject({ y: 'float32(N, 8, floor(L/5) - 1)', z: 'float32(floor(L/5) - 1, 2, 4*N)' })
    expect(dimBounds(inference.symbols().get('L')!)).toEqual({ min: 10n, max: Number.POSITIVE_INFINITY })
  })

  it('cannot be with other channels, ranks, or a kernel that does not fit', () => {
    expect(conv('1, 4, 9', '1, 3, 3')).toBe('fails: the data has another number of channels than the weights.')
    expect(conv('1, 3, 9', '1, 3, 3, 3')).toBe('fails: data of rank 3 meets weights of rank 4.')
    expect(conv('1, 3', '1, 3')).toBe('fails: input 0 has rank 2; it must be at least 3.')
    expect(conv('1, 3, 2', '1, 3, 3')).toBe('fails: the kernel is larger than the padded axis 2.')
    expect(conv('1, 3, 9', '1, 3, 3', { strides: [0] })).toBe('fails: axis 0 has stride 0 and dilation 1.')
    expect(conv('1, 3, 9', '1, 3, 3', { pads: [1] })).toBe('fails: pads has 1 numbers, not 2.')
  })

  it('has quantized and deformable forms', () => {
    const quantized = {
      x: 'uint8: 1, 3, 9',
      s: '',
      z: 'uint8:',
      w: 'int8: 4, 3, 3',
      s2: '',
      z2: 'int8:',
      s3: '',
      z3: 'int8:',
    }
    expect(inferred('QLinearConv', quantized)).toEqual(['int8(1, 4, 7)'])
    expect(inferred('ConvInteger', { x: 'uint8: 1, 3, 9', w: 'int8: 4, 3, 3' })).toEqual(['int32(1, 4, 7)'])
    expect(inferred('DeformConv', { x: 'N, 3, 9, 9', w: '4, 3, 3, 3', o: 'N, 18, 7, 7' })).toEqual([
      'float32(N, 4, 7, 7)',
    ])
    expect(inferred('DeformConv', { x: 'N, 3, 9, 9', w: '4, 3, 3, 3', o: 'N, 18, 6, 7' })).toEqual([
      'fails: the offsets have another size on axis 2.',
    ])
  })
})

describe('ConvTranspose', () => {
  const spread = (x: string, w: string, attributes = {}) => inferred('ConvTranspose', { x, w }, attributes)[0]

  it('is stride * (input - 1) + output_padding + extent - pads', () => {
    expect(spread('1, 1, 3, 3', '1, 2, 3, 3')).toBe('float32(1, 2, 5, 5)')
    expect(spread('1, 1, 3, 3', '1, 2, 3, 3', { strides: [3, 2], output_padding: [1, 1] })).toBe('float32(1, 2, 10, 8)')
    expect(spread('N, 1, H, W', '1, 2, 3, 3', { strides: [3, 2], pads: [1, 2, 1, 2] })).toBe(
      'float32(N, 2, 3*H - 2, 2*W - 3)',
    )
    expect(spread('1, 1, 3, 3', '1, 1, 2, 2', { dilations: [2, 2] })).toBe('float32(1, 1, 5, 5)')
    expect(spread('1, 4, 3', '4, 3, 2', { group: 2 })).toBe('float32(1, 6, 4)')
  })

  it('has the sizes that are asked for', () => {
    expect(spread('1, 1, 3, 3', '1, 2, 3, 3', { strides: [3, 2], output_shape: [10, 8] })).toBe('float32(1, 2, 10, 8)')
    expect(spread('1, 1, 3, 3', '1, 2, 3, 3', { output_shape: [1, 2, 10, 8] })).toBe('float32(1, 2, 10, 8)')
    expect(spread('1, 1, 3, 3', '1, 2, 3, 3', { auto_pad: 'SAME_UPPER', strides: [2, 2] })).toBe('float32(1, 2, 6, 6)')
    // A window shorter than the stride would need negative pads.
    expect(spread('1, 1, 3', '1, 2, 1', { auto_pad: 'SAME_UPPER', strides: [2] })).toBe('float32(1, 2, y.2)')
    expect(spread('1, 1, 3', '1, 2, 3', { auto_pad: 'SAME_UPPER', strides: [2], output_padding: [1] })).toBe(
      'float32(1, 2, y.2)',
    )
    expect(spread('1, 1, 3', '1, 2, 1', { output_shape: [4, 5] })).toBe('fails: output_shape has 2 sizes for 1 axes.')
  })
})

describe('Col2Im', () => {
  it('divides the block out of the channels', () => {
    const image = ints(5, 5)
    expect(inferred('Col2Im', { x: 'N, 5, 5', image, block: ints(1, 5) })).toEqual(['float32(N, 1, 5, 5)'])
    expect(inferred('Col2Im', { x: 'N, C, L', image, block: ints(2, 2) })).toEqual(['float32(N, floor(C/4), 5, 5)'])
    expect(inferred('Col2Im', { x: 'N, C, L', image, block: 'int64: 2' })).toEqual([
      expect.stringMatching(/^float32\(N, .+, 5, 5\)$/),
    ])
  })
})

describe('MaxPool', () => {
  const pool = (x: string, attributes = {}, opset = 22) => inferred('MaxPool', { x }, attributes, { opset })[0]

  it('has places like a convolution, and indices', () => {
    expect(
      inferred('MaxPool', { x: 'N, C, 32, 32' }, { kernel_shape: [2, 2], strides: [2, 2] }, { outputs: 2 }),
    ).toEqual(['float32(N, C, 16, 16)', 'int64(N, C, 16, 16)'])
    expect(pool('1, 1, 4, 4', { kernel_shape: [2, 2], dilations: [2, 2] })).toBe('float32(1, 1, 2, 2)')
    expect(pool('1, 3, H', { kernel_shape: [3], strides: [3], pads: [2, 2] })).toBe('float32(1, 3, floor((H + 4)/3))')
    expect(pool('1, 3, 32', { kernel_shape: [3], auto_pad: 'SAME_LOWER', strides: [3] })).toBe('float32(1, 3, 11)')
  })

  it('rounds up, but for windows that start behind the data', () => {
    const ceil = { kernel_shape: [3], strides: [2], ceil_mode: 1 }
    expect(pool('1, 1, 4', ceil)).toBe('float32(1, 1, 2)')
    // ceil((2 + 0 - 1) / 2) + 1 is 2, but the second window would start at 2, where the pads begin.
    expect(pool('1, 1, 2', { kernel_shape: [1], strides: [2], ceil_mode: 1 })).toBe('float32(1, 1, 1)')
    expect(pool('1, 1, 2', { kernel_shape: [3], strides: [3], pads: [1, 1], ceil_mode: 1 })).toBe('float32(1, 1, 1)')
    const open = pool('1, 1, L', ceil)
    expect(open).toBe('float32(1, 1, floor(L/2))')
  })

  it('leaves open what engines and the text read differently', () => {
    expect(pool('1, 1, 8', { kernel_shape: [3], dilations: [2], auto_pad: 'SAME_UPPER' })).toBe('float32(1, 1, y.2)')
    expect(pool('1, 1, 6', { kernel_shape: [3], strides: [2], auto_pad: 'VALID', ceil_mode: 1 })).toBe(
      'float32(1, 1, y.2)',
    )
    expect(pool('1, 1, 7', { kernel_shape: [3], strides: [2], auto_pad: 'VALID', ceil_mode: 1 })).toBe(
      'float32(1, 1, 3)',
    )
    expect(pool('1, 1, 2', { kernel_shape: [3] })).toBe('float32(1, 1, y.2)')
  })

  it('cannot be with a kernel of another rank', () => {
    expect(pool('1, 1, 8', { kernel_shape: [3, 3] })).toBe('fails: kernel_shape has 2 sizes for rank 3.')
  })
})

describe('other pools', () => {
  it('take averages, whole images, and regions', () => {
    expect(inferred('AveragePool', { x: 'N, 3, 32, 32' }, { kernel_shape: [3, 3], strides: [3, 3] })).toEqual([
      'float32(N, 3, 10, 10)',
    ])
    expect(inferred('LpPool', { x: 'N, 3, 32' }, { kernel_shape: [2], strides: [2] })).toEqual(['float32(N, 3, 16)'])
    expect(inferred('GlobalAveragePool', { x: 'N, C, H, W' })).toEqual(['float32(N, C, 1, 1)'])
    expect(inferred('MaxRoiPool', { x: '1, C, 8, 8', r: 'R, 5' }, { pooled_shape: [2, 3] })).toEqual([
      'float32(R, C, 2, 3)',
    ])
    expect(inferred('RoiAlign', { x: '1, C, 8, 8', r: '7, 4', b: 'int64: R' }, { output_height: 5 })).toEqual([
      'float32(7, C, 5, 1)',
    ])
  })

  it('MaxUnpool covers what the windows cover, or what is asked for', () => {
    const indices = 'int64: 1, 1, 2, 2'
    const attributes = { kernel_shape: [2, 2], strides: [2, 2] }
    expect(inferred('MaxUnpool', { x: '1, 1, 2, 2', indices }, attributes)).toEqual(['float32(1, 1, 4, 4)'])
    expect(inferred('MaxUnpool', { x: '1, 1, 2, 2', indices, size: ints(1, 1, 5, 5) }, attributes)).toEqual([
      'float32(1, 1, 5, 5)',
    ])
  })
})

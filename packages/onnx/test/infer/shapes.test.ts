// Operators that make shapes, and those that give tensors another one. Cases are those of ONNX's text where it has any.
import { tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { inferred, int, ints, modelOf, node, texts } from '../../../../testing/models/infer.ts'
import { inferShapes } from '../../src/index.ts'

const strings = tensor(['a', 'b'])

describe('Constant', () => {
  it('has the value of any of its attributes', () => {
    expect(inferred('Constant', {}, { value: ints(1, 2) })).toEqual(['int64(2)[1, 2]'])
    expect(inferred('Constant', {}, { value: strings })).toEqual(['string(2)'])
    expect(inferred('Constant', {}, { value_int: 5 })).toEqual(['int64()[5]'])
    expect(inferred('Constant', {}, { value_ints: [5, 6] })).toEqual(['int64(2)[5, 6]'])
    expect(inferred('Constant', {}, { value_float: { float: 0.5 } })).toEqual(['float32()[0.5]'])
    expect(inferred('Constant', {}, { value_floats: { floats: [0.5, 2] } })).toEqual(['float32(2)[0.5, 2]'])
    expect(inferred('Constant', {}, { value_string: 'a' })).toEqual(['string()'])
    expect(inferred('Constant', {})).toEqual(['fails: it has no value.'])
  })

  it('is known by its shape alone when it is large', () => {
    expect(inferred('Constant', {}, { value: tensor(new Float32Array(2000), { shape: [2000] }) })).toEqual([
      'float32(2000)',
    ])
  })
})

describe('Shape and its kin', () => {
  it('give sizes as values', () => {
    expect(inferred('Shape', { x: 'N, 3, ?' })).toEqual(['int64(3)[N, 3, x.2]'])
    expect(inferred('Shape', { x: 'N, 3, 4' }, { start: 1 })).toEqual(['int64(2)[3, 4]'])
    expect(inferred('Shape', { x: 'N, 3, 4' }, { start: -1 })).toEqual(['int64(1)[4]'])
    expect(inferred('Shape', { x: 'N, 3, 4' }, { start: 1, end: -1 })).toEqual(['int64(1)[3]'])
    expect(inferred('Shape', { x: 'N, 3, 4' }, { start: -10, end: 10 })).toEqual(['int64(3)[N, 3, 4]'])
    expect(inferred('Shape', { x: 'N, 3, 4' }, { start: 2, end: 1 })).toEqual(['int64(0)[]'])
    expect(inferred('Shape', { x: '*' })).toEqual(['int64(y.rank)'])
    expect(inferred('Size', { x: 'N, 3, 4' })).toEqual(['int64()[12*N]'])
  })

  it('make tensors of values', () => {
    expect(inferred('ConstantOfShape', { s: ints(2, 3) }, { value: ints(7) })).toEqual([
      'int64(2, 3)[7, 7, 7, 7, 7, 7]',
    ])
    expect(inferred('ConstantOfShape', { s: ints(2) })).toEqual(['float32(2)[0, 0]'])
    expect(inferred('ConstantOfShape', { s: 'int64: 2' })).toEqual(['float32(s.value.0, s.value.1)'])
    expect(inferred('ConstantOfShape', { s: 'int64: 20' })[0]).toMatch(/^float32\(y\.0, y\.1, .*y\.19\)$/)
    expect(inferred('ConstantOfShape', { s: 'int64: N' })).toEqual(['float32(*)'])
    expect(inferred('ConstantOfShape', { s: ints(-2) })).toEqual(['fails: a size would be -2.'])
    expect(inferred('EyeLike', { x: 'N, 3' }, { dtype: 7 })).toEqual(['int64(N, 3)'])
  })

  it('count ranges', () => {
    expect(inferred('Range', { start: int(3), limit: int(9), delta: int(3) })).toEqual(['int64(2)[3, 6]'])
    expect(inferred('Range', { start: int(10), limit: int(4), delta: int(-2) })).toEqual(['int64(3)[10, 8, 6]'])
    expect(inferred('Range', { start: int(4), limit: int(4), delta: int(1) })).toEqual(['int64(0)[]'])
    const half = (x: number) => tensor(x)
    expect(inferred('Range', { start: half(0), limit: half(1), delta: half(0.3) })).toEqual(['float32(4)'])
    expect(inferred('Range', { start: int(0), limit: 'int64:', delta: int(1) })).toEqual(['int64(max(limit.value, 0))'])
    expect(inferred('Range', { start: int(0), limit: 'int64:', delta: 'int64:' })).toEqual(['int64(y.count)'])
    const model = modelOf({
      inputs: { x: 'N, 3', zero: int(0), one: int(1) },
      nodes: [
        node('Shape', 'x', 's'),
        node('Gather', 's zero', 'n'),
        node('Range', 'zero n one', 'r'),
        node('Unsqueeze', 'r axes', 'u'),
      ],
    })
    expect(texts(inferShapes(model))).toMatchObject({ n: 'int64()[N]', r: 'int64(N)' })
  })

  it('draw random numbers', () => {
    expect(inferred('RandomNormal', {}, { shape: [2, 3] })).toEqual(['float32(2, 3)'])
    expect(inferred('RandomUniformLike', { x: 'N, 3' }, { dtype: 11 })).toEqual(['float64(N, 3)'])
    expect(inferred('Bernoulli', { x: 'N' })).toEqual(['float32(N)'])
    expect(inferred('Multinomial', { x: 'N, 5' }, { sample_size: 4 })).toEqual(['int32(N, 4)'])
    expect(inferred('HannWindow', { n: int(10) })).toEqual(['float32(10)'])
  })
})

describe('Reshape', () => {
  const reshape = (x: string, ...target: number[]) => inferred('Reshape', { x, shape: ints(...target) })

  it('copies where it is asked 0, and fills -1', () => {
    expect(reshape('2, 3, 4', 4, 2, 3)).toEqual(['float32(4, 2, 3)'])
    expect(reshape('2, 3, 4', 2, 12)).toEqual(['float32(2, 12)'])
    expect(reshape('2, 3, 4', 2, -1, 2)).toEqual(['float32(2, 6, 2)'])
    expect(reshape('2, 3, 4', -1, 2, 3, 4)).toEqual(['float32(1, 2, 3, 4)'])
    expect(reshape('2, 3, 4', 2, 0, 4, 1)).toEqual(['float32(2, 3, 4, 1)'])
    expect(reshape('2, 3, 4', 2, 0, 1, -1)).toEqual(['float32(2, 3, 1, 4)'])
    expect(reshape('N, 3, 4', 0, -1)).toEqual(['float32(N, 12)'])
    expect(reshape('N, 3, 4', -1, 4)).toEqual(['float32(3*N, 4)'])
    expect(reshape('N, H, W', 0, -1)).toEqual(['float32(N, H*W)'])
    expect(reshape('N, 4, 8', 0, 2, -1, 16)).toEqual(['float32(N, 2, 1, 16)'])
    expect(reshape('N, 5', -1, 10)).toEqual(['float32(floor(N/2), 10)'])
    expect(reshape('*', 2, -1)).toEqual(['float32(2, y.1)'])
  })

  it('keeps zeros with allowzero', () => {
    const allow = { allowzero: 1 }
    expect(inferred('Reshape', { x: '0, 3, 4', shape: ints(3, 4, 0) }, allow)).toEqual(['float32(3, 4, 0)'])
  })

  it('takes an attribute at first', () => {
    expect(inferred('Reshape', { x: 'N, 4' }, { shape: [-1, 2] }, { opset: 4 })).toEqual(['float32(2*N, 2)'])
  })

  it('fails where elements do not fit', () => {
    expect(reshape('2, 3', 4, 2)[0]).toMatch(/^fails: the shape has another number/)
    expect(reshape('2, 3', -1, 4)[0]).toMatch(/^fails: the elements do not fill/)
    expect(reshape('2, 3', -1, -1)[0]).toMatch(/^fails: .*twice/)
    expect(reshape('2, 3', 1, 2, 0)[0]).toMatch(/^fails: a 0 .* no axis/)
    expect(reshape('2, 3', -2, 3)[0]).toMatch(/^fails: .*-2/)
  })

  it('learns what must be equal', () => {
    const model = modelOf({
      inputs: { x: 'N, 6', s: ints(2, 6), y: 'N, 3' },
      nodes: [node('Reshape', 'x s', 'r'), node('Relu', 'y', 'z')],
    })
    expect(texts(inferShapes(model))).toEqual({ r: 'float32(2, 6)', z: 'float32(2, 3)' })
  })

  it('does not take a size that may be 0 for a size', () => {
    const model = modelOf({
      inputs: { x: 'N, 6', y: 'M, 3', rest: ints(-1), zero: ints(0) },
      nodes: [
        node('Shape', 'y', 's', { end: 1 }),
        node('Concat', 's rest', 'target', { axis: 0 }),
        node('Reshape', 'x target', 'r'),
      ],
    })
    expect(texts(inferShapes(model))['r']).toBe('float32(M, floor(6*N/M))')
    expect(texts(inferShapes(model, { symbolBounds: { min: 0 } }))['r']).toBe('float32(r.0, r.1)')
  })

  it('knows the rank when only the number of sizes is known', () => {
    expect(inferred('Reshape', { x: '2, 3', shape: 'int64: 30' })[0]).toMatch(/^float32\(y\.0, .*y\.29\)$/)
    expect(inferred('Reshape', { x: '2, 3', shape: 'int64: N' })).toEqual(['float32(*)'])
  })
})

describe('axes of size 1', () => {
  it('are squeezed', () => {
    expect(inferred('Squeeze', { x: '1, N, 1', axes: ints(0) })).toEqual(['float32(N, 1)'])
    expect(inferred('Squeeze', { x: '1, N, 1', axes: ints(-1) })).toEqual(['float32(1, N)'])
    expect(inferred('Squeeze', { x: '1, 3, 1' })).toEqual(['float32(3)'])
    expect(inferred('Squeeze', { x: '1, N, 1' })).toEqual(['float32(*)'])
    expect(inferred('Squeeze', { x: '1, 3, 1' }, { axes: [0, 2] }, { opset: 11 })).toEqual(['float32(3)'])
    expect(inferred('Squeeze', { x: '1, 3', axes: ints(1) })).toEqual(['fails: axis 1 is not of size 1.'])
    expect(inferred('Squeeze', { x: '1, 3', axes: ints(2) })).toEqual(['fails: axis 2 is outside rank 2.'])
    expect(inferred('Squeeze', { x: '1, 3, 1', axes: 'int64: 1' })).toEqual(['float32(y.0, y.1)'])
    expect(inferred('Squeeze', { x: ints(5).reshape([1, 1]), axes: ints(0) })).toEqual(['int64(1)[5]'])
  })

  it('are added', () => {
    expect(inferred('Unsqueeze', { x: 'N, 3', axes: ints(0, 3) })).toEqual(['float32(1, N, 3, 1)'])
    expect(inferred('Unsqueeze', { x: 'N, 3', axes: ints(-1, 0) })).toEqual(['float32(1, N, 3, 1)'])
    expect(inferred('Unsqueeze', { x: 'N' }, { axes: [1] }, { opset: 11 })).toEqual(['float32(N, 1)'])
    expect(inferred('Unsqueeze', { x: 'N', axes: ints(0, 0) })[0]).toMatch(/^fails: .*twice/)
    expect(inferred('Unsqueeze', { x: int(4), axes: ints(0) })).toEqual(['int64(1)[4]'])
  })

  it('flatten', () => {
    expect(inferred('Flatten', { x: 'N, 3, 4' })).toEqual(['float32(N, 12)'])
    expect(inferred('Flatten', { x: 'N, 3, 4' }, { axis: 0 })).toEqual(['float32(1, 12*N)'])
    expect(inferred('Flatten', { x: 'N, 3, 4' }, { axis: 3 })).toEqual(['float32(12*N, 1)'])
    expect(inferred('Flatten', { x: 'N, 3, 4' }, { axis: -1 })).toEqual(['float32(3*N, 4)'])
    expect(inferred('Flatten', { x: '*' })).toEqual(['float32(y.0, y.1)'])
  })
})

describe('whole axes', () => {
  it('are transposed', () => {
    expect(inferred('Transpose', { x: 'N, 3, H' })).toEqual(['float32(H, 3, N)'])
    expect(inferred('Transpose', { x: 'N, 3, H' }, { perm: [0, 2, 1] })).toEqual(['float32(N, H, 3)'])
    expect(inferred('Transpose', { x: ints(1, 2, 3, 4, 5, 6).reshape([2, 3]) })).toEqual([
      'int64(3, 2)[1, 4, 2, 5, 3, 6]',
    ])
    expect(inferred('Transpose', { x: 'N, 3' }, { perm: [0, 0] })[0]).toMatch(/^fails: perm/)
  })

  it('are expanded', () => {
    expect(inferred('Expand', { x: '3, 1', shape: ints(2, 1, 6) })).toEqual(['float32(2, 3, 6)'])
    expect(inferred('Expand', { x: '3, 4', shape: ints(1) })).toEqual(['float32(3, 4)'])
    expect(inferred('Expand', { x: 'N, 1', shape: ints(1, 4) })).toEqual(['float32(N, 4)'])
    expect(inferred('Expand', { x: int(3), shape: ints(2) })).toEqual(['int64(2)[3, 3]'])
    expect(inferred('Expand', { x: '2, 3', shape: ints(2, 4) })[0]).toMatch(/^fails: /)
  })

  it('are tiled', () => {
    expect(inferred('Tile', { x: 'N, 3', repeats: ints(2, 4) })).toEqual(['float32(2*N, 12)'])
    expect(inferred('Tile', { x: ints(1, 2), repeats: ints(2) })).toEqual(['int64(4)[1, 2, 1, 2]'])
    expect(inferred('Tile', { x: 'N, 3', repeats: ints(2) })[0]).toMatch(/^fails: /)
    expect(inferred('Tile', { x: 'N, 3', tiles: int(2), axis: int(1) }, {}, { opset: 5 })).toEqual(['float32(N, 6)'])
  })

  it('are joined', () => {
    expect(inferred('Concat', { a: 'N, 3', b: '2, 3' }, { axis: 0 })).toEqual(['float32(N + 2, 3)'])
    expect(inferred('Concat', { a: 'N, 3', b: 'M, 4' }, { axis: -1 })).toEqual(['float32(M, 7)'])
    expect(inferred('Concat', { a: ints(1), b: 'int64: 1', c: ints(3) }, { axis: 0 })).toEqual([
      'int64(3)[1, b.value.0, 3]',
    ])
    expect(inferred('Concat', { a: '2, 3', b: '2, 4' }, { axis: 0 })).toEqual(['fails: axis 1 has different sizes.'])
    expect(inferred('Concat', { a: '2, 3', b: '2' }, { axis: 0 })).toEqual(['fails: the inputs have different ranks.'])
    const [a, b] = [ints(1, 2, 3, 4).reshape([2, 2]), ints(5, 6).reshape([2, 1])]
    expect(inferred('Concat', { a, b }, { axis: 1 })).toEqual(['int64(2, 3)[1, 2, 5, 3, 4, 6]'])
  })

  it('Concat of a constant and an input whose sizes the constant tells', () => {
    const token = tensor(new Float32Array(4), { shape: [1, 1, 4] })
    expect(inferred('Concat', { token, x: 'batch, 2, 4' }, { axis: 1 })).toEqual([
      `float32(1, 3, 4)[${'0, '.repeat(4)}${'?, '.repeat(7)}?]`,
    ])
    // Sizes that make a number together are none by themselves.
    const nodes = [
      node('Shape', 'w', 'k'),
      node('Sub', 'five k', 'rest'),
      node('ConstantOfShape', 'k', 'front'),
      node('ConstantOfShape', 'rest', 'back'),
      node('Concat', 'front one back', 'y', { axis: 0 }),
    ]
    const inputs = { w: 'K', five: ints(5), one: tensor([1]) }
    expect(texts(inferShapes(modelOf({ inputs, nodes })))).toMatchObject({
      back: 'float32(5 - K)',
      y: 'float32(6)',
    })
  })

  it('are padded', () => {
    expect(inferred('Pad', { x: 'N, 3', pads: ints(0, 1, 2, 3) })).toEqual(['float32(N + 2, 7)'])
    expect(inferred('Pad', { x: 'N, 3' }, { pads: [0, 1, 2, 3] }, { opset: 2 })).toEqual(['float32(N + 2, 7)'])
    expect(inferred('Pad', { x: 'N, 3, 4', pads: ints(1, 2), _: '', axes: ints(-1) })).toEqual(['float32(N, 3, 7)'])
    expect(inferred('Pad', { x: 'N, 3', pads: ints(0, -2, 0, -2) })[0]).toMatch(/^fails: /)
    expect(inferred('CenterCropPad', { x: 'N, 3, 4', shape: ints(7) }, { axes: [1] })).toEqual(['float32(N, 7, 4)'])
  })

  it('move between depth and space', () => {
    expect(inferred('DepthToSpace', { x: 'N, 8, H, 3' }, { blocksize: 2 })).toEqual(['float32(N, 2, 2*H, 6)'])
    expect(inferred('SpaceToDepth', { x: 'N, 2, H, 6' }, { blocksize: 2 })).toEqual(['float32(N, 8, floor(H/2), 3)'])
    expect(inferred('SpaceToDepth', { x: 'N, 2, 4, 5' }, { blocksize: 2 })[0]).toMatch(/^fails: .*axis 3/)
  })
})

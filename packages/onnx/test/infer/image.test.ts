// Images resized and sampled.
import { type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { inferred, ints } from '../../../../testing/models/infer.ts'

const floats = (...values: number[]): Tensor => tensor(Float32Array.from(values)) as Tensor
const none = floats()

describe('Resize', () => {
  const scaled = (x: string, scales: Tensor | string, attributes = {}, opset = 13) =>
    inferred('Resize', { x, _roi: '', scales }, attributes, { opset })[0]

  it('scales and rounds down', () => {
    expect(scaled('1, 1, 4, 5', floats(1, 1, 0.6, 2))).toBe('float32(1, 1, 2, 10)')
    expect(scaled('N, C, H, W', floats(1, 1, 2, 0.5))).toBe('float32(N, C, 2*H, floor(W/2))')
    expect(scaled('N, C, H, W', floats(1, 1, 1.5, 0.25))).toBe('float32(N, C, floor(3*H/2), floor(W/4))')
    expect(inferred('Resize', { x: '1, 1, 4, 5', s: floats(1, 1, 2, 3) }, {}, { opset: 10 })).toEqual([
      'float32(1, 1, 8, 15)',
    ])
  })

  it('leaves open what 32 bits round to another size', () => {
    // The nearest number to 0.7 is below it: ten times that is below 7, and 7 when it is rounded to 32 bits.
    expect(scaled('1, 1, 10, 9', floats(1, 1, 0.7, 0.7))).toBe('float32(1, 1, y.2, 6)')
    expect(scaled('1, 1, H, 9', floats(1, 1, 0.7, 0.7))).toBe('float32(1, 1, y.2, 6)')
  })

  it('has the sizes that are asked for', () => {
    const sized = (x: string, sizes: Tensor | string, attributes = {}, opset = 19) =>
      inferred('Resize', { x, _roi: '', _scales: '', sizes }, attributes, { opset })[0]
    expect(sized('1, 1, H, W', ints(1, 1, 7, 8))).toBe('float32(1, 1, 7, 8)')
    expect(sized('N, C, H, W', ints(7, 8), { axes: [2, -1] })).toBe('float32(N, C, 7, 8)')
    expect(sized('N, C, H, W', ints(7, 8))).toBe('fails: there are 2 sizes for 4 axes.')
    expect(sized('N, C, H, W', 'int64: 4', { axes: [2, 3] })).toMatch(/^fails: there are 4 sizes for 2 axes/)
    expect(
      inferred('Resize', { x: '1, 1, 4, 4', roi: none, scales: none, s: ints(1, 1, 7, 8) }, {}, { opset: 11 }),
    ).toEqual(['float32(1, 1, 7, 8)'])
  })

  it('keeps the aspect ratio', () => {
    const limited = (policy: string, x = '1, 1, 2, 4') =>
      inferred(
        'Resize',
        { x, _roi: '', _scales: '', s: ints(7, 8) },
        { axes: [2, 3], keep_aspect_ratio_policy: policy },
        { opset: 18 },
      )[0]
    expect(limited('not_larger')).toBe('float32(1, 1, 4, 8)')
    expect(limited('not_smaller')).toBe('float32(1, 1, 7, 14)')
    expect(limited('not_smaller', '1, 1, H, 4')).toBe('float32(1, 1, y.2, y.3)')
    // ONNX counts an axis from the end as any other; onnxruntime leaves it out.
    const oneAxis = (axis: number) =>
      inferred(
        'Resize',
        { x: '2, 2', _roi: '', _scales: '', s: ints(1) },
        { axes: [axis], keep_aspect_ratio_policy: 'not_smaller' },
        { opset: 18 },
      )[0]
    expect(oneAxis(0)).toBe('float32(1, 2)')
    expect(oneAxis(-2)).toBe('float32(y.0, 2)')
    expect(limited('larger')).toBe('fails: keep_aspect_ratio_policy is "larger".')
  })

  it('needs one of scales and sizes', () => {
    expect(inferred('Resize', { x: '1, 4', _roi: '', s: floats(1, 2), t: ints(1, 8) })).toEqual([
      'fails: both scales and sizes are given.',
    ])
    expect(inferred('Resize', { x: '1, 4', _roi: '', s: none })).toEqual(['fails: neither scales nor sizes are given.'])
    expect(scaled('1, 4', '2')).toMatch(/^float32\(y\.0, y\.1\)$/)
    expect(scaled('1, 4', floats(1, -2))).toBe('fails: axis 1 is scaled by -2.')
  })

  it('does not know how large a region becomes', () => {
    const crop = { coordinate_transformation_mode: 'tf_crop_and_resize' }
    const inputs = (roi: Tensor) => ({ x: '4, 4', roi, scales: floats(1, 2) })
    expect(inferred('Resize', inputs(floats(0, 0, 0.5, 1)), crop)).toEqual(['float32(y.0, y.1)'])
    expect(inferred('Resize', inputs(floats(0, 0, 1, 1)), crop)).toEqual(['float32(4, 8)'])
  })
})

describe('Upsample', () => {
  it('takes scales from attributes, then from an input', () => {
    const x = '1, 1, 2, W'
    expect(
      inferred('Upsample', { x }, { height_scale: { float: 2 }, width_scale: { float: 3 } }, { opset: 6 }),
    ).toEqual(['float32(1, 1, 4, 3*W)'])
    expect(inferred('Upsample', { x }, { scales: { floats: [1, 1, 2, 3] } }, { opset: 7 })).toEqual([
      'float32(1, 1, 4, 3*W)',
    ])
    expect(inferred('Upsample', { x, s: floats(1, 1, 2, 3) }, {}, { opset: 9 })).toEqual(['float32(1, 1, 4, 3*W)'])
  })
})

describe('grids', () => {
  it('have the batch and channels of the data, and their own places', () => {
    expect(inferred('GridSample', { x: 'N, C, H, W', grid: 'N, 5, 6, 2' })).toEqual(['float32(N, C, 5, 6)'])
    expect(inferred('GridSample', { x: 'N, C, D, H, W', grid: 'N, 4, 5, 6, 3' })).toEqual(['float32(N, C, 4, 5, 6)'])
    expect(inferred('GridSample', { x: 'N, C, H, W', grid: 'N, 5, 6, 3' })).toEqual([
      'fails: the grid does not name one place for each axis.',
    ])
  })

  it('are made for a size', () => {
    expect(inferred('AffineGrid', { t: 'N, 2, 3', size: ints(1, 3, 5, 6) })).toEqual(['float32(N, 5, 6, 2)'])
    expect(inferred('AffineGrid', { t: 'N, 3, 4', size: 'int64: 5' })).toEqual([
      expect.stringMatching(/^float32\(N, [^,]+, [^,]+, [^,]+, 3\)$/),
    ])
    expect(inferred('AffineGrid', { t: 'N, 2, 3', size: ints(1, 3, 5) })).toEqual([
      'fails: there are 3 sizes for 2 axes.',
    ])
  })

  it('ImageDecoder says no more than the rank', () => {
    expect(inferred('ImageDecoder', { x: 'uint8: N' })).toEqual(['uint8(y.0, y.1, y.2)'])
  })
})

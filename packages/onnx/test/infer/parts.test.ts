// Operators that take parts: by position, by index, over axes; and what data decides.
import { type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { inferred, int, ints, modelOf, node, texts } from '../../../../testing/models/infer.ts'
import { inferShapes } from '../../src/index.ts'

const END = Number.MAX_SAFE_INTEGER

describe('Slice', () => {
  const slice = (x: string, start: number, end: number, step = 1) =>
    inferred('Slice', { x, starts: ints(start), ends: ints(end), axes: ints(0), steps: ints(step) })[0]

  it('counts what lies between, within the axis', () => {
    expect(slice('20, 5', 0, 3)).toBe('float32(3, 5)')
    expect(slice('20', 3, 1000)).toBe('float32(17)')
    expect(slice('20', 1000, 1000)).toBe('float32(0)')
    expect(slice('20', 0, -1)).toBe('float32(19)')
    expect(slice('20', -5, END)).toBe('float32(5)')
    expect(slice('20', 0, 20, 3)).toBe('float32(7)')
    expect(slice('20', 20, 0, -4)).toBe('float32(5)')
    expect(slice('20', -1, -END, -1)).toBe('float32(20)')
    expect(slice('20', 5, 3)).toBe('float32(0)')
  })

  it('of a size that is not known is an expression', () => {
    expect(slice('N', 0, END)).toBe('float32(N)')
    expect(slice('N', 1, END)).toBe('float32(N - 1)')
    expect(slice('N', 1, 1e9)).toBe('float32(N - 1)')
    expect(slice('3000000000', 0, 1e9)).toBe('float32(1000000000)')
    expect(slice('3000000000', -2147483648, END)).toBe('float32(2147483648)')
    expect(slice('N', 0, -1)).toBe('float32(N - 1)')
    expect(slice('N', -1, END)).toBe('float32(1)')
    expect(slice('N', 0, 10)).toBe('float32(min(N, 10))')
    expect(slice('N', 0, END, 2)).toBe('float32(floor((N + 1)/2))')
    expect(slice('N', -1, -END, -1)).toBe('float32(N)')
    expect(slice('N', -3, END)).toBe('float32(3 - max(3 - N, 0))')
  })

  it('takes attributes at first', () => {
    const attributes = { starts: [1, 0], ends: [3, 1000], axes: [0, 2] }
    expect(inferred('Slice', { x: 'N, 3, 4' }, attributes, { opset: 9 })).toEqual(['float32(min(N, 3) - 1, 3, 4)'])
  })

  it('moves values', () => {
    expect(inferred('Slice', { x: ints(1, 2, 3, 4, 5), s: ints(1), e: ints(4) })).toEqual(['int64(3)[2, 3, 4]'])
    expect(inferred('Slice', { x: ints(1, 2, 3, 4, 5), s: ints(-1), e: ints(-END), a: ints(0), t: ints(-2) })).toEqual([
      'int64(3)[5, 3, 1]',
    ])
  })

  it('keeps the rank where positions are not known', () => {
    const given = { x: 'N, 3', s: 'int64: 1', e: ints(5), a: ints(1) }
    expect(inferred('Slice', given)).toEqual(['float32(N, y.1)'])
    expect(inferred('Slice', { x: 'N, 3', s: ints(0), e: ints(1), a: 'int64: 1' })).toEqual(['float32(y.0, y.1)'])
    expect(inferred('Slice', { x: '3', s: ints(0), e: ints(1), a: ints(0), t: ints(0) })).toEqual([
      'fails: a step is 0.',
    ])
  })
})

describe('Split', () => {
  it('makes equal parts, or those that are said', () => {
    const two = { outputs: 2 }
    expect(inferred('Split', { x: '6, N' }, {}, { ...two, opset: 11 })).toEqual(['float32(3, N)', 'float32(3, N)'])
    expect(inferred('Split', { x: '7, N' }, { num_outputs: 2 }, two)).toEqual(['float32(4, N)', 'float32(3, N)'])
    expect(inferred('Split', { x: '6, N', split: ints(2, 4) }, {}, two)).toEqual(['float32(2, N)', 'float32(4, N)'])
    expect(inferred('Split', { x: 'N, 6' }, { axis: -1, split: [1, 5] }, { ...two, opset: 2 })).toEqual([
      'float32(N, 1)',
      'float32(N, 5)',
    ])
    expect(inferred('Split', { x: ints(1, 2, 3), split: ints(1, 2) }, {}, two)).toEqual([
      'int64(1)[1]',
      'int64(2)[2, 3]',
    ])
    expect(inferred('Split', { x: '6', split: ints(2, 3) }, {}, two)[0]).toMatch(/^fails: the parts/)
    expect(inferred('Split', { x: '7' }, {}, { ...two, opset: 13 })[0]).toMatch(/^fails: /)
  })
})

describe('elements by index', () => {
  it('are gathered', () => {
    expect(inferred('Gather', { x: 'N, 3, 4', i: 'int64: M, 2' }, { axis: 1 })).toEqual(['float32(N, M, 2, 4)'])
    expect(inferred('Gather', { x: ints(5, 6, 7), i: int(-1) })).toEqual(['int64()[7]'])
    expect(inferred('Gather', { x: ints(5, 6, 7), i: ints(2, 0) })).toEqual(['int64(2)[7, 5]'])
    expect(inferred('Gather', { x: ints(1, 2, 3, 4).reshape([2, 2]), i: ints(1) }, { axis: 1 })).toEqual([
      'int64(2, 1)[2, 4]',
    ])
    expect(inferred('Gather', { x: ints(5), i: int(1) })).toEqual(['fails: index 1 is outside an axis of size 1.'])
    expect(inferred('GatherElements', { x: 'N, 3', i: 'int64: M, 2' })).toEqual(['float32(M, 2)'])
    expect(inferred('GatherND', { x: '2, 2, 5', i: 'int64: N, 2' })).toEqual(['float32(N, 5)'])
    expect(inferred('GatherND', { x: '2, 3, 5', i: 'int64: 2, 1' }, { batch_dims: 1 })).toEqual(['float32(2, 5)'])
    expect(inferred('GatherND', { x: '2', i: 'int64: N, 2' })[0]).toMatch(/^fails: /)
  })

  it('are scattered into the shape that is there', () => {
    expect(inferred('ScatterND', { x: 'N, 3', i: 'int64: 1, 1', u: '1, 3' })).toEqual(['float32(N, 3)'])
    expect(inferred('ScatterElements', { x: 'N, 3', i: 'int64: 1, 1', u: '1, 1' })).toEqual(['float32(N, 3)'])
  })

  it('become hot', () => {
    const values = tensor([0, 1])
    expect(inferred('OneHot', { i: 'int64: N', depth: int(5), values })).toEqual(['float32(N, 5)'])
    expect(inferred('OneHot', { i: 'int64: N, 2', depth: int(5), values }, { axis: 1 })).toEqual(['float32(N, 5, 2)'])
  })
})

describe('reductions', () => {
  it('take axes from attributes, later from an input', () => {
    expect(inferred('ReduceMean', { x: 'N, 3, 4' }, { axes: [1] }, { opset: 13 })).toEqual(['float32(N, 1, 4)'])
    expect(inferred('ReduceMean', { x: 'N, 3, 4', axes: ints(-1) }, { keepdims: 0 })).toEqual(['float32(N, 3)'])
    expect(inferred('ReduceSum', { x: 'N, 3, 4', axes: ints(0, 2) }, {}, { opset: 13 })).toEqual(['float32(1, 3, 1)'])
    expect(inferred('ReduceMax', { x: 'N, 3' })).toEqual(['float32(1, 1)'])
    expect(inferred('ReduceMax', { x: 'N, 3' }, { noop_with_empty_axes: 1 })).toEqual(['float32(N, 3)'])
    expect(inferred('ReduceMax', { x: '*' }, { keepdims: 0 })).toEqual(['float32()'])
    expect(inferred('ReduceMax', { x: 'N, 3', axes: 'int64: 1' })).toEqual(['float32(y.0, y.1)'])
    expect(inferred('ReduceMax', { x: 'N, 3', axes: 'int64: 1' }, { keepdims: 0 })).toEqual(['float32(y.0)'])
  })

  it('compute over integers', () => {
    const x = ints(1, 2, 3, 4, 5, 6).reshape([2, 3])
    expect(inferred('ReduceProd', { x: ints(2, 3, 4) })).toEqual(['int64(1)[24]'])
    expect(inferred('ReduceSum', { x, axes: ints(0) }, { keepdims: 0 })).toEqual(['int64(3)[5, 7, 9]'])
    expect(inferred('ReduceMax', { x, axes: ints(1) })).toEqual(['int64(2, 1)[3, 6]'])
    expect(inferred('ReduceMin', { x })).toEqual(['int64(1, 1)[1]'])
  })

  it('choose among floats, but do not add them', () => {
    const x = tensor([2.5, 3, -1]) as Tensor
    expect(inferred('ReduceMax', { x })).toEqual(['float32(1)[3]'])
    expect(inferred('ReduceMin', { x }, { keepdims: 0 })).toEqual(['float32()[-1]'])
    expect(inferred('ReduceSum', { x })).toEqual(['float32(1)'])
  })

  it('scale an image to fit, by the sizes of its sides', () => {
    // As torchvision's detection models do: the shorter side becomes 64, unless the longer one would be above 96.
    const model = modelOf({
      inputs: {
        x: '3, 48, 80',
        sides: ints(1, 2),
        short: tensor(64) as Tensor,
        long: tensor(96) as Tensor,
      },
      nodes: [
        node('Shape', 'x', 's'),
        node('Gather', 's sides', 'hw'),
        node('ReduceMin', 'hw', 'least', { keepdims: 0 }),
        node('ReduceMax', 'hw', 'most', { keepdims: 0 }),
        ...['least', 'most'].map((name) => node('Cast', name, `${name}F`, { to: 1 })),
        ...['least', 'most'].map((name) => node('Reciprocal', `${name}F`, `${name}R`)),
        node('Mul', 'leastR short', 'a'),
        node('Mul', 'mostR long', 'b'),
        node('Min', 'a b', 'scale'),
        node('Cast', 'hw', 'hwF', { to: 1 }),
        node('Mul', 'hwF scale', 'scaled'),
        node('Floor', 'scaled', 'whole'),
        node('Cast', 'whole', 'sizes', { to: 7 }),
      ],
    })
    expect(texts(inferShapes(model))).toMatchObject({ sizes: 'int64(2)[57, 96]' })
  })

  it('point to elements', () => {
    expect(inferred('ArgMax', { x: 'N, 3' }, { axis: 1 })).toEqual(['int64(N, 1)'])
    expect(inferred('ArgMin', { x: 'N, 3' }, { axis: -1, keepdims: 0 })).toEqual(['int64(N)'])
    expect(inferred('TopK', { x: 'N, 9', k: ints(3) }, {}, { outputs: 2 })).toEqual(['float32(N, 3)', 'int64(N, 3)'])
    expect(inferred('TopK', { x: 'N, 9' }, { k: 3, axis: 0 }, { outputs: 2, opset: 9 })).toEqual([
      'float32(3, 9)',
      'int64(3, 9)',
    ])
    expect(inferred('TopK', { x: 'N, 9', k: 'int64: 1' })).toEqual(['float32(N, k.value.0)'])
  })
})

describe('what data decides', () => {
  it('is a symbol with bounds', () => {
    expect(inferred('NonZero', { x: 'N, 3' })).toEqual(['int64(2, y.count)'])
    expect(inferred('NonZero', { x: ints(0, 4, 5) })).toEqual(['int64(1, 2)'])
    expect(inferred('Compress', { x: 'N, 3', c: 'bool: 3' }, { axis: 1 })).toEqual(['float32(N, y.count)'])
    expect(inferred('Compress', { x: 'N, 3', c: 'bool: 3' })).toEqual(['float32(y.count)'])
    const condition = tensor([true, false, true, true])
    expect(inferred('Compress', { x: '2, 3', condition }, { axis: 1 })).toEqual(['float32(2, 2)'])
    expect(inferred('Compress', { x: '2, 3', condition })).toEqual(['float32(3)'])
    expect(inferred('Compress', { x: '1, 2', condition })).toEqual(['float32(1)'])
    expect(inferred('Compress', { x: '3, N', condition }, { axis: 1 })).toEqual(['float32(3, y.count)'])
    expect(inferred('Compress', { x: '3, N', condition: tensor([true, false, false]) }, { axis: 1 })).toEqual([
      'float32(3, 1)',
    ])
    expect(inferred('Unique', { x: 'N, 3' }, {}, { outputs: 4 })).toEqual([
      'float32(y.count)',
      'int64(y.count)',
      'int64(3*N)',
      'int64(y.count)',
    ])
    expect(inferred('Unique', { x: 'N, 3' }, { axis: 0 }, { outputs: 3 })).toEqual([
      'float32(y.count, 3)',
      'int64(y.count)',
      'int64(N)',
    ])
  })
})

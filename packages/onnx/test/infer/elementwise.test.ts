// Operators that broadcast, and those of one tensor: shapes, element types, and the values that flow through them.
import { type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { inferred, int, ints, modelOf, node, texts } from '../../../../testing/models/infer.ts'
import { inferShapes } from '../../src/index.ts'

describe('operators that broadcast', () => {
  it('follow the general rule, with expressions for sizes', () => {
    expect(inferred('Add', { a: 'N, 1, 4', b: '3, 1' })).toEqual(['float32(N, 3, 4)'])
    expect(inferred('Mul', { a: 'N', b: 'M' })).toEqual(['float32(max(M, N))'])
    expect(inferred('Sub', { a: 'N, 3', b: '*' })).toEqual(['float32(*)'])
    expect(inferred('Sum', { a: 'N', b: '1, 3', c: '' })).toEqual(['float32(1, 3)'])
    expect(inferred('Where', { c: 'bool: N, 1', a: 'int32: 3', b: 'int32:' })).toEqual(['int32(N, 3)'])
  })

  it('have the type of their operands, or bool', () => {
    expect(inferred('Pow', { a: 'int32: N', b: 'float32:' })).toEqual(['int32(N)'])
    for (const name of ['Equal', 'Less', 'Greater', 'LessOrEqual', 'GreaterOrEqual']) {
      expect(inferred(name, { a: 'N', b: '1' })).toEqual(['bool(N)'])
    }
    expect(inferred('And', { a: 'bool: N', b: 'bool: 1' })).toEqual(['bool(N)'])
    expect(inferred('BitShift', { a: 'uint8: N', b: 'uint8: 1' }, { direction: 'LEFT' })).toEqual(['uint8(N)'])
  })

  it('fail with the reason that the solver gives', () => {
    expect(inferred('Add', { a: '2, 3', b: '4, 3' })[0]).toMatch(/^fails: .*2.*4/)
    expect(inferred('PRelu', { x: '1, 2', slope: '3, 2' })[0]).toMatch(/^fails: /)
    expect(inferred('Pow', { x: ints(1, 2) })).toEqual(['fails: it has 1 input, not 2.'])
    expect(inferred('Sum', {})).toEqual(['fails: it has no inputs.'])
  })

  it('need equal shapes in old opsets, or the attributes that say otherwise', () => {
    const old = { opset: 6 }
    expect(inferred('Add', { a: '2, 3, 4, 5', b: '3, 4' }, { broadcast: 1, axis: 1 }, old)).toEqual([
      'float32(2, 3, 4, 5)',
    ])
    expect(inferred('Add', { a: '2, 3', b: '3' }, { broadcast: 1 }, old)).toEqual(['float32(2, 3)'])
    expect(inferred('Add', { a: '2, 3', b: '3' }, {}, old)[0]).toMatch(/^fails: /)
    expect(inferred('Add', { a: '2, 3', b: '3' }, {}, { opset: 7 })).toEqual(['float32(2, 3)'])
    expect(inferred('Max', { a: '2, 3', b: '3' }, {}, { opset: 7 })[0]).toMatch(/^fails: /)
    expect(inferred('Max', { a: '2, 3', b: '3' }, {}, { opset: 8 })).toEqual(['float32(2, 3)'])
    expect(inferred('PRelu', { x: 'N, 3, 8, 8', slope: '3' }, {}, old)).toEqual(['float32(N, 3, 8, 8)'])
    expect(inferred('PRelu', { x: 'N, 4, 8, 8', slope: '3' }, {}, old)[0]).toMatch(/^fails: /)
    expect(inferred('PRelu', { x: 'N, 3, 8, 8', slope: '3, 1, 1' })).toEqual(['float32(N, 3, 8, 8)'])
  })

  it('record every meeting with operands, rule and producers', () => {
    const model = modelOf({
      inputs: { x: 'N, 3', y: 'M' },
      nodes: [node('Relu', 'x', 'r'), node('Add', 'r y', 's'), node('Gemm', 'r w c', 'g')],
    })
    const { broadcasts } = inferShapes(model)
    expect(broadcasts.map(({ node: { opType }, rule, meeting }) => [opType, rule.name, meeting.verdict])).toEqual([
      ['Add', 'numpy', 'conditional'],
      ['Gemm', 'unidirectional', 'conditional'],
    ])
    expect(
      broadcasts[0]!.operands.map(({ name, input, producer }) => [name, input, producer?.definition.kind]),
    ).toEqual([
      ['r', 0, 'output'],
      ['y', 1, 'input'],
    ])
  })
})

describe('values', () => {
  const shapes = (...nodes: Parameters<typeof modelOf>[0]['nodes'][number][]) =>
    texts(
      inferShapes(modelOf({ inputs: { x: 'N, 3, H, 8', i: 'int64: 3' }, nodes: [node('Shape', 'x', 's'), ...nodes] })),
    )

  it('flow through arithmetic', () => {
    const constant = (name: string, value: number) => node('Constant', '', name, { value: int(value) })
    const got = shapes(
      constant('two', 2),
      node('Mul', 's two', 'mul'),
      node('Add', 's two', 'add'),
      node('Sub', 'two s', 'sub'),
      node('Div', 's two', 'div'),
      node('Mod', 's two', 'mod'),
      node('Max', 's two', 'max'),
      node('Min', 's two', 'min'),
      node('Neg', 's', 'neg'),
      node('Pow', 's two', 'pow'),
      node('Equal', 's two', 'equal'),
      node('Less', 's two', 'less'),
      node('Not', 'less', 'not'),
      node('Where', 'less two s', 'where'),
    )
    expect(got).toMatchObject({
      mul: 'int64(4)[2*N, 6, 2*H, 16]',
      add: 'int64(4)[N + 2, 5, H + 2, 10]',
      sub: 'int64(4)[2 - N, -1, 2 - H, -6]',
      div: 'int64(4)[floor(N/2), 1, floor(H/2), 4]',
      mod: 'int64(4)[mod(N, 2), 1, mod(H, 2), 0]',
      max: 'int64(4)[max(N, 2), 3, max(H, 2), 8]',
      min: 'int64(4)[min(N, 2), 2, min(H, 2), 2]',
      neg: 'int64(4)[-N, -3, -H, -8]',
      pow: 'int64(4)[N^2, 9, H^2, 64]',
      equal: 'bool(4)[?, 0, ?, 0]',
      less: 'bool(4)[?, 0, ?, 0]',
      not: 'bool(4)[?, 1, ?, 1]',
      where: 'int64(4)[?, 3, ?, 8]',
    })
  })

  it('are not known where the type could not hold them', () => {
    const bytes = (...values: number[]) => tensor(values, { dtype: 'uint8' })
    expect(inferred('Add', { a: bytes(200, 1), b: bytes(100, 2) })).toEqual(['uint8(2)[?, 3]'])
    expect(inferred('Sub', { a: bytes(1), b: bytes(2) })).toEqual(['uint8(1)'])
    expect(inferred('Div', { a: ints(7, -7, 5), b: ints(2, 2, 0) })).toEqual(['int64(3)[3, -3, ?]'])
    expect(shapes(node('Cast', 's', 'narrow', { to: 2 }))).toMatchObject({ narrow: 'uint8(4)[?, 3, ?, 8]' })
    expect(shapes(node('Neg', 's', 'n'), node('Cast', 'n', 'wide', { to: 13 }))).toMatchObject({ wide: 'uint64(4)' })
    expect(inferred('Mul', { a: ints(0, 2), b: 'int64: 2' })).toEqual(['int64(2)[0, 2*b.value.1]'])
  })

  it('are not known where numbers leave no room for sizes', () => {
    const largest = tensor([2n ** 63n - 1n, 2n ** 32n, 3n])
    expect(inferred('Mul', { a: largest, b: 'int64: 3' })).toEqual(['int64(3)[?, 4294967296*b.value.1, 3*b.value.2]'])
    expect(inferred('Add', { a: largest, b: 'int64: 3' })).toEqual([
      'int64(3)[?, b.value.1 + 4294967296, b.value.2 + 3]',
    ])
    expect(inferred('Mul', { a: tensor([70_000, 3], { dtype: 'int32' }), b: 'int32: 2' })).toEqual([
      'int32(2)[?, 3*b.value.1]',
    ])
    const squares = [node('Mul', 's s', 'p2'), node('Mul', 'p2 p2', 'p4'), node('Mul', 'p4 p4', 'p8')]
    expect(shapes(...squares, node('Mul', 'p8 p8', 'p16'))).toMatchObject({
      p8: 'int64(4)[N^8, 6561, H^8, 16777216]',
      p16: 'int64(4)[?, 43046721, ?, 281474976710656]',
    })
    expect(inferred('Size', { x: Array.from({ length: 9 }, () => 'N').join(', ') })).toEqual(['int64()'])
  })

  it('of floats are those of their precision', () => {
    const [a, b] = [tensor([0.1, 7, Number.NaN]), tensor([0.2, 2, 1])]
    expect(inferred('Add', { a, b })).toEqual([
      `float32(3)[${Math.fround(Math.fround(0.1) + Math.fround(0.2))}, 9, NaN]`,
    ])
    expect(inferred('Div', { a, b })).toEqual([
      `float32(3)[${Math.fround(Math.fround(0.1) / Math.fround(0.2))}, 3.5, NaN]`,
    ])
    expect(inferred('Max', { a, b })).toEqual([`float32(3)[${Math.fround(0.2)}, 7, NaN]`])
    expect(inferred('Less', { a, b })).toEqual(['bool(3)[1, 0, 0]'])
    const sizes = modelOf({
      inputs: { x: 'N, M', zero: tensor(0) as Tensor, half: tensor(0.5) as Tensor },
      nodes: [
        node('Shape', 'x', 's'),
        node('Cast', 's', 'floats', { to: 1 }),
        node('Less', 'zero floats', 'some'),
        node('Less', 'half floats', 'open'),
      ],
    })
    expect(texts(inferShapes(sizes))).toMatchObject({ some: 'bool(2)[1, 1]', open: 'bool(2)' })
  })

  it('are cast', () => {
    const floats = tensor([2.7, -2.7, 0, 300])
    expect(inferred('Cast', { x: floats }, { to: 7 })).toEqual(['int64(4)[2, -2, 0, 300]'])
    expect(inferred('Cast', { x: floats }, { to: 9 })).toEqual(['bool(4)[1, 1, 0, 1]'])
    expect(inferred('Cast', { x: ints(300, 5) }, { to: 2 })).toEqual(['uint8(2)[?, 5]'])
    expect(inferred('Cast', { x: ints(2 ** 24 + 1, 5) }, { to: 1 })).toEqual(['float32(2)[?, 5]'])
    expect(inferred('CastLike', { x: 'N', like: 'float16:' })).toEqual(['float16(N)'])
    expect(shapes(node('Cast', 's', 'f', { to: 1 }), node('Cast', 'f', 'back', { to: 6 }))).toMatchObject({
      f: 'float32(4)[N, 3, H, 8]',
      back: 'int32(4)[N, 3, H, 8]',
    })
  })
})

describe('operators of one tensor', () => {
  it('keep shape and type', () => {
    for (const name of ['Relu', 'Sigmoid', 'Softmax', 'Erf', 'Gelu', 'Trilu']) {
      expect(inferred(name, { x: 'N, ?, 3' })).toEqual(['float32(N, x.1, 3)'])
    }
    expect(inferred('IsNaN', { x: 'N' })).toEqual(['bool(N)'])
    expect(inferred('Identity', { x: ints(1, 2) })).toEqual(['int64(2)[1, 2]'])
    expect(inferred('Dropout', { x: 'N' }, {}, { outputs: 2 })).toEqual(['float32(N)', 'bool(N)'])
    expect(inferred('Dropout', { x: 'N' }, {}, { outputs: 2, opset: 7 })).toEqual(['float32(N)', 'float32(N)'])
  })

  it('compute what is known', () => {
    expect(inferred('Clip', { x: ints(-5, 1, 9), low: int(0), high: int(4) })).toEqual(['int64(3)[0, 1, 4]'])
    expect(inferred('Clip', { x: ints(-5, 9), _: '', high: int(4) })).toEqual(['int64(2)[-5, 4]'])
    expect(inferred('Clip', { x: tensor([-5, 9]) }, { min: { float: -1 } }, { opset: 6 })).toEqual([
      'float32(2)[-1, 9]',
    ])
    expect(inferred('Round', { x: tensor([0.5, 1.5, -2.5, 2.6]) })).toEqual(['float32(4)[0, 2, -2, 3]'])
    expect(inferred('Floor', { x: tensor([1.5, -1.5]) })).toEqual(['float32(2)[1, -2]'])
    expect(inferred('Sqrt', { x: tensor([2]) })).toEqual([`float32(1)[${Math.fround(Math.SQRT2)}]`])
    expect(inferred('Abs', { x: ints(-3) })).toEqual(['int64(1)[3]'])
    expect(inferred('Sign', { x: ints(-3, 0, 9) })).toEqual(['int64(3)[-1, 0, 1]'])
  })
})

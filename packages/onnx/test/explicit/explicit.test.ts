// What the rewrite makes of single nodes, written as text, and that onnxruntime computes the same with it.
import { create } from '@bufbuild/protobuf'
import { fromData, type Tensor, tensor } from 'bcast'
import * as ort from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { differenceOf, outputsOf } from '../../../../testing/models/bits.ts'
import { declared, ints, type ModelInit, modelOf, node } from '../../../../testing/models/infer.ts'
import { formatDim, makeExplicit, tensorProtoOf, viewModel } from '../../src/index.ts'
import { ModelProtoSchema, ValueInfoProtoSchema } from '../../src/proto/onnx_pb.ts'
import { expectExplicit, floats, linesOf, one, weights } from '../support/explicit.ts'

describe('operands of known sizes', () => {
  it('are expanded to a vector of numbers', async () => {
    const { report } = await expectExplicit(one('Add', { x: '2, 3, 4', b: weights(3, 1) }), {
      lines: ['y.B.expanded = Expand(b, [2,3,4])', 'y = Add(x, y.B.expanded)'],
      feeds: [{ x: floats(2, 3, 4) }],
    })
    expect(report.rewritten[0]!.operands).toMatchObject([{ input: 1, name: 'b', axes: [-3, -1], shared: false }])
    expect(formatDim(report.totals.bytes)).toBe('96')
    expect(report.totals).toMatchObject({ nodes: 1, operators: { Expand: 1 }, constants: 1, unknown: 0 })
  })

  it('both, where both stretch', async () => {
    await expectExplicit(one('Sub', { x: '2, 1', b: '3' }), {
      lines: [
        'y.A.expanded = Expand(x, [2,3])',
        'y.B.expanded = Expand(b, [2,3])',
        'y = Sub(y.A.expanded, y.B.expanded)',
      ],
      feeds: [{ x: floats(2, 1), b: floats(3) }],
    })
  })

  it('to nothing, where an axis is empty', async () => {
    await expectExplicit(one('Mul', { x: '0, 3', b: '1, 3' }), {
      lines: ['y.B.expanded = Expand(b, [0,3])', 'y = Mul(x, y.B.expanded)'],
      feeds: [{ x: floats(0, 3), b: floats(1, 3) }],
    })
  })

  it('stay as they are where shapes are equal', () => {
    const model = modelOf(one('Add', { x: 'N, 3', b: 'N, 3' }))
    const { model: same, report } = makeExplicit(model)
    expect(same === model).toBe(true)
    expect(report.totals).toMatchObject({ nodes: 0, constants: 0, unknown: 0 })
  })
})

describe('operands of sizes that a run decides', () => {
  it('take the shape of the one that has them all', async () => {
    const { report } = await expectExplicit(one('Add', { x: 'N, 3, H', b: weights(3, 1) }), {
      lines: ['x.shape = Shape(x)', 'y.B.expanded = Expand(b, x.shape)', 'y = Add(x, y.B.expanded)'],
      feeds: [{ x: floats(2, 3, 4) }, { x: floats(1, 3, 1) }, { x: floats(0, 3, 2) }],
    })
    expect(formatDim(report.totals.bytes)).toBe('12*H*N')
  })

  it('are told the numbers that matter where those are known', async () => {
    await expectExplicit(one('Add', { x: 'N, 1, H', b: weights(3, 1) }), {
      lines: [
        'y.A.expanded = Expand(x, [1,3,1])',
        'x.shape = Shape(x)',
        'y.B.expanded = Expand(b, x.shape)',
        'y = Add(y.A.expanded, y.B.expanded)',
      ],
      feeds: [{ x: floats(2, 1, 4) }],
    })
  })

  it('take the shapes of each other', async () => {
    await expectExplicit(one('Add', { x: 'N, 1', b: 'M' }), {
      lines: [
        'b.shape = Shape(b)',
        'y.A.expanded = Expand(x, b.shape)',
        'x.shape = Shape(x)',
        'y.B.expanded = Expand(b, x.shape)',
        'y = Add(y.A.expanded, y.B.expanded)',
      ],
      feeds: [{ x: floats(2, 1), b: floats(3) }],
    })
  })

  it('also where it is not known which one stretches; a check then proves them equal', async () => {
    const { report } = await expectExplicit(one('Add', { x: 'N', b: 'M' }), {
      lines: [
        'b.shape = Shape(b)',
        'y.A.expanded = Expand(x, b.shape)',
        'x.shape = Shape(x)',
        'y.B.expanded = Expand(b, x.shape)',
        'y = Add(y.A.expanded, y.B.expanded)',
      ],
      // That N = 1, M = 1 or N = M is what the model needs.
      findings: ['broadcast-conditional', 'broadcast-conditional'],
      feeds: [
        { x: floats(1), b: floats(3) },
        { x: floats(3), b: floats(1) },
        { x: floats(3), b: floats(3) },
        { x: floats(0), b: floats(1) },
      ],
    })
    expect(report.unproven).toHaveLength(2)
  })

  it('and where not even ranks are known', async () => {
    const { report } = await expectExplicit(one('Add', { x: '*', b: '*' }), {
      lines: [
        'b.shape = Shape(b)',
        'y.A.expanded = Expand(x, b.shape)',
        'x.shape = Shape(x)',
        'y.B.expanded = Expand(b, x.shape)',
        'y = Add(y.A.expanded, y.B.expanded)',
      ],
      findings: ['broadcast-unknown', 'broadcast-unknown', 'broadcast-unknown'],
      feeds: [
        { x: floats(2, 1), b: floats(3) },
        { x: floats(), b: floats(3, 1) },
      ],
    })
    expect(report.totals.unknown).toBe(2)
  })

  it('are not equal because a part of a shape was taken', async () => {
    const init: ModelInit = {
      inputs: { x: '*', b: '*' },
      nodes: [
        node('Shape', 'b', 'part', { start: 1 }),
        node('Expand', 'x part', 'xe'),
        node('Shape', 'x', 'whole'),
        node('Expand', 'b whole', 'be'),
        node('Add', 'xe be', 'y'),
      ],
      outputs: ['y'],
    }
    const { model } = makeExplicit(modelOf(init))
    expect(linesOf(model.graph).slice(4)).toEqual([
      'be.shape = Shape(be)',
      'y.A.expanded = Expand(xe, be.shape)',
      'xe.shape = Shape(xe)',
      'y.B.expanded = Expand(be, xe.shape)',
      'y = Add(y.A.expanded, y.B.expanded)',
    ])
  })

  it('of three take the shape of one that the others complete', async () => {
    await expectExplicit(one('Max', { a: 'N, 1, 1', b: 'M, 1', c: 'K' }), {
      lines: [
        'b.shape = Shape(b)',
        'y.A.expanded = Expand(a, b.shape)',
        'c.shape = Shape(c)',
        'y.A.expanded_2 = Expand(y.A.expanded, c.shape)',
        'y.A.expanded_2.shape = Shape(y.A.expanded_2)',
        'y.B.expanded = Expand(b, y.A.expanded_2.shape)',
        'y.C.expanded = Expand(c, y.A.expanded_2.shape)',
        'y = Max(y.A.expanded_2, y.B.expanded, y.C.expanded)',
      ],
      feeds: [{ a: floats(2, 1, 1), b: floats(3, 1), c: floats(4) }],
    })
  })
})

describe('what a node told about sizes', () => {
  it('may not be told any more when its operands are expanded, and nodes behind it are looked at again', () => {
    const model = modelOf({
      inputs: { a: 'N, 0', b: '*', c: '?, ?', d: weights(0, 1) },
      nodes: [node('Mean', 'a b c', 'y'), node('Add', 'c d', 'z')],
      outputs: ['y', 'z'],
    })
    const { model: explicit, report } = makeExplicit(model)
    expect(linesOf(explicit.graph).slice(-4)).toEqual([
      'z.A.expanded = Expand(c, [0,1])',
      'z.A.expanded.shape = Shape(z.A.expanded)',
      'z.B.expanded = Expand(d, z.A.expanded.shape)',
      'z = Add(z.A.expanded, z.B.expanded)',
    ])
    expect(report.rewritten.map(({ node: { index } }) => index)).toEqual([0, 1, 1])
    expect(makeExplicit(explicit).model === explicit).toBe(true)
  })
})

describe('operands of several ranks', () => {
  it('get every axis, those of size 1 too', async () => {
    await expectExplicit(one('Max', { a: 'N, ?', b: '?', c: '1, 1, 1' }), {
      lines: [
        'b.shape = Shape(b)',
        'y.A.expanded = Expand(a, b.shape)',
        'c.shape = Shape(c)',
        'y.A.expanded_2 = Expand(y.A.expanded, c.shape)',
        'y.A.expanded_2.shape = Shape(y.A.expanded_2)',
        'y.B.expanded = Expand(b, y.A.expanded_2.shape)',
        'y.C.expanded = Expand(c, y.A.expanded_2.shape)',
        'y = Max(y.A.expanded_2, y.B.expanded, y.C.expanded)',
      ],
      findings: ['broadcast-conditional', 'broadcast-conditional'],
      feeds: [{ a: floats(2, 3), b: floats(1), c: floats(1, 1, 1) }],
    })
  })
})

describe('one-way broadcasts', () => {
  it('give a slope the full shape', async () => {
    await expectExplicit(one('PRelu', { x: 'N, 3, H', slope: weights(3, 1) }), {
      lines: ['x.shape = Shape(x)', 'y.B.expanded = Expand(slope, x.shape)', 'y = PRelu(x, y.B.expanded)'],
      feeds: [{ x: floats(2, 3, 4) }],
    })
    await expectExplicit(one('PRelu', { x: 'N', slope: 'M' }), {
      lines: ['x.shape = Shape(x)', 'y.B.expanded = Expand(slope, x.shape)', 'y = PRelu(x, y.B.expanded)'],
      findings: ['broadcast-conditional', 'broadcast-conditional'],
      feeds: [{ x: floats(3), slope: floats(1) }],
    })
  })

  it('give a slope the full rank, also where that repeats nothing', async () => {
    await expectExplicit(one('PRelu', { x: '1, 4', slope: weights(4) }), {
      lines: ['y.B.expanded = Expand(slope, [1,4])', 'y = PRelu(x, y.B.expanded)'],
      feeds: [{ x: floats(1, 4) }],
    })
  })

  it('give C of Gemm the shape of the product', async () => {
    await expectExplicit(one('Gemm', { a: '2, 3', b: weights(3, 4), c: weights(4) }), {
      lines: ['y.C.expanded = Expand(c, [2,4])', 'y = Gemm(a, b, y.C.expanded)'],
      feeds: [{ a: floats(2, 3) }],
    })
    await expectExplicit(one('Gemm', { a: '3, M', b: 'N, 3', c: 'N' }, { transA: 1, transB: 1 }), {
      lines: [
        'a.shape = Shape(a)',
        'a.shape.1 = Gather(a.shape, [1])',
        'b.shape = Shape(b)',
        'b.shape.0 = Gather(b.shape, [0])',
        'y.product.shape = Concat(a.shape.1, b.shape.0)',
        'y.C.expanded = Expand(c, y.product.shape)',
        'y = Gemm(a, b, y.C.expanded)',
      ],
      feeds: [{ a: floats(3, 2), b: floats(4, 3), c: floats(4) }],
    })
    await expectExplicit(one('Gemm', { a: 'M, 3', b: '3, N', c: 'K' }), {
      lines: [
        'a.shape = Shape(a)',
        'a.shape.0 = Gather(a.shape, [0])',
        'b.shape = Shape(b)',
        'b.shape.1 = Gather(b.shape, [1])',
        'y.product.shape = Concat(a.shape.0, b.shape.1)',
        'y.C.expanded = Expand(c, y.product.shape)',
        'y = Gemm(a, b, y.C.expanded)',
      ],
      findings: ['broadcast-conditional', 'broadcast-conditional'],
      feeds: [{ a: floats(2, 3), b: floats(3, 4), c: floats(1) }],
    })
  })
})

describe('what is added', () => {
  it('is added once', async () => {
    const { report } = await expectExplicit(
      {
        inputs: { x: 'N, 3', b: weights(3) },
        nodes: [node('Add', 'x b', 'u'), node('Mul', 'x b', 'v'), node('Sub', 'u b', 'w'), node('Add', 'v w', 'y')],
        outputs: ['y'],
      },
      {
        lines: [
          'x.shape = Shape(x)',
          'u.B.expanded = Expand(b, x.shape)',
          'u = Add(x, u.B.expanded)',
          'v = Mul(x, u.B.expanded)',
          'u.shape = Shape(u)',
          'w.B.expanded = Expand(b, u.shape)',
          'w = Sub(u, w.B.expanded)',
          'y = Add(v, w)',
        ],
        feeds: [{ x: floats(2, 3) }],
      },
    )
    expect(report.rewritten.map(({ operands }) => operands[0]!.shared)).toEqual([false, true, false])
    expect(formatDim(report.totals.bytes)).toBe('24*N')
  })

  it('has names that nothing else has', async () => {
    const { model } = await expectExplicit(
      {
        inputs: { x: 'N, 3', b: weights(3), 'x.shape': weights(3) },
        nodes: [node('Add', 'x b', 'y.B.expanded'), node('Add', 'x x.shape', 'y')],
        outputs: ['y', 'y.B.expanded'],
      },
      {
        lines: [
          'x.shape_2 = Shape(x)',
          'y.B.expanded.B.expanded = Expand(b, x.shape_2)',
          'y.B.expanded = Add(x, y.B.expanded.B.expanded)',
          'y.B.expanded_2 = Expand(x.shape, x.shape_2)',
          'y = Add(x, y.B.expanded_2)',
        ],
        feeds: [{ x: floats(2, 3) }],
      },
    )
    expect(model.graph.nodes.map(({ name }) => name)).toEqual([
      'x.shape_2',
      'y.B.expanded.B.expanded',
      '',
      'y.B.expanded_2',
      '',
    ])
  })

  it('has no name that a declaration of nothing has', async () => {
    const valueInfo = { 'x.shape': '7', 'y.B.expanded': 'int64: 2, 2' }
    const model = modelOf({ ...one('Add', { x: 'N, 3', b: weights(3) }), valueInfo })
    const { model: explicit } = makeExplicit(model)
    expect(linesOf(explicit.graph)).toEqual([
      'x.shape_2 = Shape(x)',
      'y.B.expanded_2 = Expand(b, x.shape_2)',
      'y = Add(x, y.B.expanded_2)',
    ])
    expect(typeof (await outputsOf(explicit, { x: floats(2, 3) }))).toBe('object')
  })

  it('does not read what comes later, or what a run may replace', async () => {
    await expectExplicit(
      {
        inputs: { x: 'N, 3', b: weights(3) },
        nodes: [node('Add', 'x b', 'y'), node('Shape', 'x', 'late')],
        outputs: ['y', 'late'],
      },
      {
        lines: [
          'x.shape = Shape(x)',
          'y.B.expanded = Expand(b, x.shape)',
          'y = Add(x, y.B.expanded)',
          'late = Shape(x)',
        ],
        feeds: [{ x: floats(2, 3) }],
      },
    )
    const model = modelOf({ ...one('Add', { x: '2, 3', b: '3' }) })
    model.proto.graph!.initializer.push(tensorProtoOf(ints(2, 3), 'default'))
    model.proto.graph!.input.push(create(ValueInfoProtoSchema, declared('default', 'int64: 2')))
    const { model: explicit } = makeExplicit(viewModel(model.proto))
    expect(explicit.graph.nodes[0]!.inputs).toEqual(['b', 'explicit.2_3'])
  })

  it('shares the weights and leaves the given model as it is', () => {
    const model = modelOf(one('Add', { x: 'N, 3', b: weights(3) }))
    const { model: explicit } = makeExplicit(model)
    expect(model.graph.nodes).toHaveLength(1)
    expect(explicit.graph.initializers.get('b')!.proto).toBe(model.graph.initializers.get('b')!.proto)
  })

  it('is made of nodes alone in files whose initializers are inputs', async () => {
    const proto = create(ModelProtoSchema, {
      irVersion: 3n,
      opsetImport: [{ version: 8n }],
      graph: {
        name: 'old',
        input: [declared('x', '2, 3'), declared('b', '3')],
        node: [node('Add', 'x b', 'y')],
        output: [declared('y', '2, 3')],
      },
    })
    const { model } = await expectExplicit(viewModel(proto), {
      lines: ['explicit.2_3 = Constant()', 'y.B.expanded = Expand(b, explicit.2_3)', 'y = Add(x, y.B.expanded)'],
      feeds: [{ x: floats(2, 3), b: floats(3) }],
    })
    expect(model.graph.initializers.size).toBe(0)
  })
})

describe('shapes of inputs that are given', () => {
  it('become those that the model declares', async () => {
    const { model } = await expectExplicit(
      { ...one('Add', { x: 'N, C, H', b: 'C, 1' }), valueInfo: {} },
      {
        lines: ['y.B.expanded = Expand(b, [2,3,4])', 'y = Add(x, y.B.expanded)'],
        options: { inputs: { x: [2, 3, 4] } },
        feeds: [{ x: floats(2, 3, 4), b: floats(3, 1) }],
      },
    )
    expect(model.graph.inputs.map(({ type }) => type.kind === 'tensor' && type.shape)).toEqual([
      [2, 3, 4],
      [3, 1],
    ])
  })

  it('correct what is declared further inside', () => {
    const model = modelOf({ ...one('Add', { x: '2, 3', b: '3' }), valueInfo: { y: '2, 3' } })
    const { model: explicit } = makeExplicit(model, { inputs: { x: [5, 3] } })
    const { type } = explicit.graph.valueInfo.get('y')!
    expect(type.kind === 'tensor' && type.shape).toEqual([5, 3])
  })
})

describe('graphs in nodes', () => {
  const body = (name: string) => ({
    name,
    node: [node('Add', 'x b', `${name}.y`)],
    output: [{ name: `${name}.y` }],
  })

  it('get their own nodes, which read what is around', async () => {
    const init: ModelInit = {
      inputs: { x: 'N, 3', b: weights(3), c: 'bool:' },
      nodes: [node('If', 'c', 'y', { then_branch: { graph: body('yes') }, else_branch: { graph: body('no') } })],
      outputs: ['y'],
    }
    const { model } = await expectExplicit(init, {
      lines: ['y = If(c)'],
      feeds: [true, false].map((c) => ({ x: floats(2, 3), c: new ort.Tensor('bool', [c], []) })),
    })
    expect(model.graph.nodes[0]!.subgraphs.map(({ graph }) => linesOf(graph))).toEqual([
      ['x.shape = Shape(x)', 'yes.y.B.expanded = Expand(b, x.shape)', 'yes.y = Add(x, yes.y.B.expanded)'],
      ['x.shape_2 = Shape(x)', 'no.y.B.expanded = Expand(b, x.shape_2)', 'no.y = Add(x, no.y.B.expanded)'],
    ])
  })

  it('are right in every round of a loop', async () => {
    const loop = {
      name: 'body',
      input: [declared('i', 'int64:'), declared('go', 'bool:'), declared('state', '*')],
      node: [node('Identity', 'go', 'on'), node('Add', 'state b', 'next')],
      output: [declared('on', 'bool:'), declared('next', '*')],
    }
    const init: ModelInit = {
      inputs: { x: '1, 3', b: '2, 1', n: 'int64:' },
      nodes: [node('Loop', 'n - x', 'y', { body: { graph: loop } })],
      outputs: ['y'],
    }
    const model = modelOf(init)
    const { model: explicit } = makeExplicit(model)
    expect(makeExplicit(explicit).model === explicit).toBe(true)
    for (const rounds of [0n, 1n, 3n]) {
      const feeds = { x: floats(1, 3), b: floats(2, 1), n: new ort.Tensor('int64', [rounds], []) }
      const [before, after] = [await outputsOf(model, feeds), await outputsOf(explicit, feeds)]
      if (typeof before === 'string' || typeof after === 'string') throw new Error(`${before}\n${after}`)
      expect(differenceOf(before, after)).toBeUndefined()
    }
  })
})

describe('functions', () => {
  const shift = {
    name: 'Shift',
    domain: 'local',
    input: ['a', 'b'],
    output: ['c'],
    opsetImport: [{ version: 22n }],
    node: [node('Add', 'a b', 'c')],
  }
  const calling = (inputs: ModelInit['inputs'], calls: readonly [string, string][]): ModelInit => ({
    inputs,
    functions: [shift],
    nodes: calls.map(([read, made]) => node('Shift', read, made, {}, 'local')),
    outputs: calls.map(([, made]) => made),
  })

  it('are rewritten once for all their calls', async () => {
    const init = calling({ x: '2, 3', b: '3', z: '4, 5', c: '4, 1' }, [
      ['x b', 'y'],
      ['z c', 'w'],
    ])
    const { model, report } = await expectExplicit(init, {
      lines: ['y = Shift(x, b)', 'w = Shift(z, c)'],
      feeds: [{ x: floats(2, 3), b: floats(3), z: floats(4, 5), c: floats(4, 1) }],
    })
    expect(linesOf(model.functions[0]!)).toEqual([
      'a.shape = Shape(a)',
      'c.B.expanded = Expand(b, a.shape)',
      'c = Add(a, c.B.expanded)',
    ])
    expect(formatDim(report.totals.bytes)).toBe(String(4 * (6 + 20)))
  })

  it('where calls differ in the operand that stretches', async () => {
    const init = calling({ x: '2, 3', b: '3' }, [
      ['x b', 'y'],
      ['b x', 'w'],
    ])
    const { model } = await expectExplicit(init, {
      lines: ['y = Shift(x, b)', 'w = Shift(b, x)'],
      feeds: [{ x: floats(2, 3), b: floats(3) }],
    })
    expect(linesOf(model.functions[0]!)).toEqual([
      'explicit.2_3 = Constant()',
      'c.A.expanded = Expand(a, explicit.2_3)',
      'c.B.expanded = Expand(b, explicit.2_3)',
      'c = Add(c.A.expanded, c.B.expanded)',
    ])
  })
})

describe('what stays', () => {
  it('is said with the reason', () => {
    const model = modelOf({
      inputs: { x: 'N, 2, 3', w: '3, 4', g: weights(4), e: '5' },
      nodes: [node('MatMul', 'x w', 'p'), node('LayerNormalization', 'p g', 'q'), node('Add', 'x e', 'r')],
      outputs: ['q', 'r'],
    })
    const { report, model: same } = makeExplicit(model)
    expect(same === model).toBe(true)
    expect(report.kept.map(({ node: { opType }, reason }) => `${opType}: ${reason}`)).toEqual([
      'MatMul: it multiplies matrices, and broadcasts their batches itself.',
      'Add: it fails: cannot broadcast axis -1: 3 vs 5 (shapes [N,2,3] and [5]).',
    ])
  })

  it('is not what onnxruntime adds element by element', async () => {
    const scale = tensor(0.5) as Tensor
    const zero = fromData('uint8', Uint8Array.of(3), []) as Tensor
    const init: ModelInit = {
      inputs: { x: 'uint8: N, 3', b: 'uint8: 3', s: scale, z: zero },
      nodes: [node('QLinearAdd', 'x s z b s z s z', 'y', {}, 'com.microsoft')],
      outputs: ['y'],
    }
    const bytes = (...shape: number[]): ort.Tensor =>
      new ort.Tensor(
        'uint8',
        Uint8Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => (i * 37) % 256),
        shape,
      )
    await expectExplicit(init, {
      lines: [
        'x.shape = Shape(x)',
        'y.D.expanded = Expand(b, x.shape)',
        'y = QLinearAdd(x, s, z, y.D.expanded, s, z, s, z)',
      ],
      feeds: [{ x: bytes(2, 3), b: bytes(3) }],
    })
  })

  it('is an input that is no operand, though it is the same value', async () => {
    const three = fromData('uint8', Uint8Array.of(3), []) as Tensor
    const init: ModelInit = {
      inputs: { x: 'uint8: 2', b: three, s: tensor(0.5) as Tensor },
      nodes: [node('QLinearAdd', 'x s b b s b s b', 'y', {}, 'com.microsoft')],
      outputs: ['y'],
    }
    await expectExplicit(init, {
      lines: ['y.D.expanded = Expand(b, [2])', 'y = QLinearAdd(x, s, b, y.D.expanded, s, b, s, b)'],
      feeds: [{ x: new ort.Tensor('uint8', Uint8Array.of(7, 200), [2]) }],
    })
  })

  it('is nothing of a vector of sizes that a model has already', async () => {
    await expectExplicit(
      {
        inputs: { x: '2, 3', b: '3', own: ints(2, 3) },
        nodes: [node('Expand', 'b own', 'e'), node('Add', 'x b', 'y'), node('Mul', 'e y', 'z')],
        outputs: ['z'],
      },
      { lines: ['e = Expand(b, [2,3])', 'y = Add(x, e)', 'z = Mul(e, y)'], feeds: [{ x: floats(2, 3), b: floats(3) }] },
    )
  })
})

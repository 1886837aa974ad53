// What the caller says about inputs, what the file declares about other values, and what is learned on the way.
import { create } from '@bufbuild/protobuf'
import { describe, expect, it, vi } from 'vitest'
import { declared, ints, modelOf, node, text, texts } from '../../../../testing/models/infer.ts'
import { InputError, inferShapes, OnnxError, viewModel } from '../../src/index.ts'
import { rowOf } from '../../src/infer/operators/index.ts'
import { ModelProtoSchema, ValueInfoProtoSchema } from '../../src/proto/onnx_pb.ts'
import { thrown } from '../support/thrown.ts'

describe('inputs', () => {
  const model = modelOf({
    inputs: { x: 'N, 3, ?', y: 'N, ?' },
    nodes: [node('Relu', 'x', 'a'), node('Relu', 'y', 'b')],
  })
  const given = (inputs: Parameters<typeof inferShapes>[1] & {}) => texts(inferShapes(model, inputs))

  it('are what the file declares; sizes without a name get one', () => {
    expect(given({})).toEqual({ a: 'float32(N, 3, x.2)', b: 'float32(N, y.1)' })
  })

  it('are fixed by numbers, everywhere a name stands', () => {
    expect(given({ inputs: { x: [8, 3, 16] } })).toEqual({ a: 'float32(8, 3, 16)', b: 'float32(8, y.1)' })
    expect(given({ inputs: { x: [0, 3, null] } })).toEqual({ a: 'float32(0, 3, x.2)', b: 'float32(0, y.1)' })
  })

  it('take names, and intervals', () => {
    expect(given({ inputs: { x: ['B', 3, 'L'], y: [null, 'L'] } })).toEqual({
      a: 'float32(B, 3, L)',
      b: 'float32(B, L)',
    })
    const inference = inferShapes(model, { inputs: { x: [null, 3, { min: 2, max: 5 }] } })
    expect(inference.symbols().get('x.2')!.terms[0]!.monomial.factors[0]!.atom).toMatchObject({ min: 2n, max: 5n })
  })

  it('overrule the sizes of the file, not the number of axes', () => {
    expect(given({ inputs: { x: [8, 5, null] } })).toMatchObject({ a: 'float32(8, 5, x.2)' })
    for (const x of [[8, 5], [], [8, 3, 5, 1]]) {
      expect(thrown(() => inferShapes(model, { inputs: { x } }))).toMatchObject({
        code: 'ONNX_INPUT',
        message: `input "x": it is given as (${x}), and the model declares (N,3,?); sizes may be others, the number of axes not.`,
      })
    }
  })

  it('are tensors', () => {
    const { proto } = modelOf({ inputs: { x: 'N' }, nodes: [] })
    proto.graph!.input.push(create(ValueInfoProtoSchema, { name: 'u' }))
    expect(thrown(() => inferShapes(viewModel(proto), { inputs: { u: [2] } }))).toMatchObject({
      code: 'ONNX_INPUT',
      message: 'input "u": the model does not declare it as a tensor, which alone has a shape.',
    })
  })

  it('must be there, and agree', () => {
    const error = thrown(() => inferShapes(model, { inputs: { z: [1] } }))
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({
      code: 'ONNX_INPUT',
      input: 'z',
      message: 'input "z": the model has no such input; it has x, y.',
    })
    expect(thrown(() => inferShapes(model, { inputs: { x: [2, -3, 4] } }))).toMatchObject({
      message: 'input "x": -3 is no size; sizes are integers from 0 on.',
    })
    expect(thrown(() => inferShapes(model, { inputs: { x: [2, 3, 4], y: [5, null] } }))).toMatchObject({
      code: 'ONNX_INPUT',
      message: 'input "y": axis 0 is 5, but its name N was given as 2 before.',
    })
  })

  it('that are small integers stand for their elements', () => {
    const shaped = modelOf({
      inputs: { x: 'N', s: 'int64: 2' },
      nodes: [node('Reshape', 'x s', 'y'), node('Expand', 'x s', 'z')],
    })
    expect(texts(inferShapes(shaped))).toMatchObject({ y: 'float32(y.0, y.1)' })
  })

  it('with a default are constants in old files, and taken to be it in others unless they are named', () => {
    const file = (irVersion: bigint) =>
      viewModel(
        create(ModelProtoSchema, {
          irVersion,
          opsetImport: [{ version: 22n }],
          graph: {
            input: [declared('x', '2, 3'), declared('s', 'int64: 2')],
            initializer: [{ name: 's', dataType: 7, dims: [2n], int64Data: [3n, 2n] }],
            node: [node('Reshape', 'x s', 'y')],
            output: [{ name: 'y' }],
          },
        }),
      )
    expect(texts(inferShapes(file(3n)))).toEqual({ y: 'float32(3, 2)' })
    expect(texts(inferShapes(file(4n)))).toEqual({ y: 'float32(3, 2)' })
    expect(texts(inferShapes(file(4n), { inputs: { s: [2] } }))).toEqual({ y: 'float32(y.0, y.1)' })
    expect(texts(inferShapes(file(4n), { defaults: 'open' }))).toEqual({ y: 'float32(y.0, y.1)' })
    expect([...inferShapes(file(3n)).assumed]).toEqual([])
    expect([...inferShapes(file(4n)).assumed]).toEqual(['s'])
    expect(() => inferShapes(file(3n), { inputs: { s: [2] } })).toThrow(
      'input "s": it is a constant of the model, and no input that a run could give.',
    )
  })
})

describe('declared values', () => {
  const model = modelOf({
    inputs: { x: '2, 3' },
    nodes: [node('Mystery', 'x', 'm', {}, 'local'), node('Relu', 'm', 'y'), node('Relu', 'x', 'z')],
    valueInfo: { m: '4, K', z: '9, 9' },
  })

  it('hold where no operator says more', () => {
    expect(texts(inferShapes(model))).toEqual({ m: 'float32(4, K)', y: 'float32(4, K)', z: 'float32(2, 3)' })
  })

  it('do not hold for inputs that the file did not mean', () => {
    expect(texts(inferShapes(model, { inputs: { x: [5, 3] } }))).toEqual({
      m: 'float32(*)',
      y: 'float32(*)',
      z: 'float32(5, 3)',
    })
  })
})

describe('what inference gives', () => {
  const model = modelOf({
    inputs: { x: 'N, 3', w: ints(1, 2, 3) },
    nodes: [node('Add', 'x q', 'bad'), node('Relu', 'bad', 'after'), node('Relu', 'x', 'fine')],
    outputs: ['after', 'fine'],
  })
  const inference = inferShapes(model)

  it('goes on behind a node that cannot be', () => {
    const broken = inferShapes(
      modelOf({
        inputs: { x: '2, 3', y: '4, 3' },
        nodes: [node('Add', 'x y', 'z'), node('Relu', 'z', 'r'), node('Relu', 'x', 'q')],
      }),
    )
    expect(broken.findings).toHaveLength(1)
    expect(broken.findings[0]!.node.opType).toBe('Add')
    expect(texts(broken)).toEqual({ z: '?', r: '?(*)', q: 'float32(2, 3)' })
  })

  it('has in the outputs of a node what the node itself learns', () => {
    const inputs = { x: 'N, C', s: '8', b: '8', m: '8', v: '8', p: 'P, 3', q: 'Q, 3' }
    const nodes = [node('BatchNormalization', 'x s b m v', 'y'), node('Concat', 'p q', 'z', { axis: 1 })]
    const learned = inferShapes(modelOf({ inputs, nodes }))
    expect(texts(learned)).toMatchObject({ y: 'float32(N, 8)', z: 'float32(Q, 6)' })
    expect(text(learned.valueIn(learned.root, 'p'))).toBe('float32(Q, 3)')
  })

  it('reports an attribute of the wrong kind', () => {
    const wrong = inferShapes(modelOf({ inputs: { x: 'N' }, nodes: [node('Concat', 'x x', 'y', { axis: 'zero' })] }))
    expect(wrong.findings.map(({ message }) => message)).toEqual([
      'attribute "axis" of node 0 (Concat) is of kind string, not int.',
    ])
  })

  it('names the node when a row breaks, and hands the error on', () => {
    const relu = rowOf('', 'Relu', 22)!
    const breaking = vi.spyOn(relu, 'infer').mockImplementation(() => {
      throw new TypeError('no such thing')
    })
    const branch = (name: string) => ({ graph: { node: [node('Relu', 'x', name)], output: [{ name }] } })
    const nodes = [node('If', 'c', 'y', { then_branch: branch('a'), else_branch: branch('b') })]
    const error = thrown(() => inferShapes(modelOf({ inputs: { x: 'N', c: 'bool:' }, nodes })))
    breaking.mockRestore()
    expect(error).not.toBeInstanceOf(OnnxError)
    expect(error).toMatchObject({
      message:
        'A defect of bcast: shape inference broke at node 0 (Relu) in graph.node[0].attribute[0].g: TypeError: no such thing',
      cause: expect.any(TypeError),
    })
  })

  it('has values by scope and name, and all of them', () => {
    expect(text(inference.valueOf(model.graph, 'fine'))).toBe('float32(N, 3)')
    expect(text(inference.valueOf(model.graph, 'w'))).toBe('int64(3)[1, 2, 3]')
    expect(text(inference.valueOf(model.graph, 'nothing'))).toBe('?')
    expect([...inference.values()].map(({ name }) => name)).toEqual(
      expect.arrayContaining(['x', 'bad', 'after', 'fine']),
    )
    expect([...inference.symbols().keys()]).toEqual(['N'])
  })
})

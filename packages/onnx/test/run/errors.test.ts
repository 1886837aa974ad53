// What a run refuses: operators, all at once and before anything runs; inputs, all at once; broken models.
import { create } from '@bufbuild/protobuf'
import { type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { declared, modelOf, node } from '../../../../testing/models/infer.ts'
import {
  memoryFiles,
  NodeError,
  prepareModel,
  RunInputError,
  runModel,
  StructureError,
  UnsupportedOperatorsError,
  viewModel,
} from '../../src/index.ts'
import { StringStringEntryProtoSchema, ValueInfoProtoSchema } from '../../src/proto/onnx_pb.ts'
import { thrown } from '../support/thrown.ts'

const float = (...shape: number[]): Tensor =>
  tensor(new Float32Array(shape.reduce((a, b) => a * b, 1)), { shape }) as Tensor

describe('operators that are not supported', () => {
  it('are listed with their numbers and first nodes, those of branches too, those that nothing needs not', () => {
    const model = modelOf({
      inputs: { x: '1, 3, 8, 8', c: 'bool:' },
      nodes: [
        node('Tan', 'x', 'a'),
        node('Tan', 'a', 'b'),
        node('Cast', 'b', 'g', { to: 8 }),
        node('Cast', 'g', 'h', { to: 1 }),
        node('If', 'c', 'y', {
          then_branch: { graph: { node: [node('Acos', 'h', 't')], output: [{ name: 't' }] } },
          else_branch: { graph: { node: [node('Other', 'h', 'e', {}, 'com.microsoft')], output: [{ name: 'e' }] } },
        }),
        node('Unique', 'x', 'unused'),
      ],
      outputs: ['y'],
    })
    const error = thrown(() => prepareModel(model)) as UnsupportedOperatorsError
    expect(error).toBeInstanceOf(UnsupportedOperatorsError)
    expect(error.code).toBe('ONNX_OPERATORS')
    expect(error.message).toBe(
      [
        'the model cannot be run, for 4 operators in it:',
        '  Tan (opset 22): 2 nodes, the first is node 0 (Tan)',
        '  Cast (opset 22): node 2 (Cast); it is not run to string',
        '  Acos (opset 22): node 0 (Acos) in graph.node[4].attribute[0].g',
        '  com.microsoft.Other (opset 1): node 0 (Other) in graph.node[4].attribute[1].g',
      ].join('\n'),
    )
    const [first] = error.operators
    expect(first).toEqual({ domain: '', name: 'Tan', opset: 22, reason: undefined, count: 2, node: 'node 0 (Tan)' })
  })
})

describe('inputs of a run', () => {
  const model = modelOf({
    inputs: { x: 'N, 3', y: 'int64: N', z: 'float32: *', w: 'N' },
    nodes: [node('Relu', 'x', 'a')],
    outputs: ['a'],
  })

  it('are wrong in ways that one error lists', () => {
    const given = { x: float(2, 4), y: float(2), w: 5 as never, q: float(1), r: float(1) }
    const error = thrown(() => runModel(model, given)) as RunInputError
    expect(error).toBeInstanceOf(RunInputError)
    expect(error.message).toBe(
      [
        'the inputs are not those of the model:',
        '  input "x" has shape (2,4); the model takes (N,3).',
        `  input "y" is float32; the model takes int64. Convert with cast(x, 'int64').`,
        '  input "z" is missing.',
        '  input "w" is not a tensor; wrap it with tensor(…).',
        '  input "q" is not an input of the model; it has "x", "y", "z", "w".',
        '  input "r" is not an input of the model; it has "x", "y", "z", "w".',
      ].join('\n'),
    )
    expect(error.problems.map(({ input, problem }) => [input, problem])).toEqual([
      ['x', 'shape'],
      ['y', 'dtype'],
      ['z', 'missing'],
      ['w', 'no-tensor'],
      ['q', 'unknown'],
      ['r', 'unknown'],
    ])
  })

  it('agree on the sizes that have a name', () => {
    const given = { x: float(2, 3), y: tensor([1n, 2n]) as Tensor, z: float(), w: float(5) }
    expect(() => runModel(model, given)).toThrow(
      'input "w" has shape (5); the model takes (N), and N is 2 by another axis.',
    )
    expect(runModel(model, { ...given, w: float(2) })['a']!.shape).toEqual([2, 3])
  })

  it('are refused by a promise on the workers', async () => {
    await expect(runModel.async(model, {})).rejects.toBeInstanceOf(RunInputError)
  })

  it('may be left out where the model has a default', () => {
    const { proto } = modelOf({
      inputs: { x: '2', b: tensor([10, 20]) as Tensor },
      nodes: [node('Add', 'x b', 'y')],
      outputs: ['y'],
    })
    proto.graph!.input.push(create(ValueInfoProtoSchema, declared('b', '2')))
    const program = prepareModel(viewModel(proto))
    expect([...program.optional]).toEqual(['b'])
    const x = tensor([1, 2]) as Tensor
    expect(program.run({ x })['y']!.toArray()).toEqual([11, 22])
    expect(program.run({ x, b: x })['y']!.toArray()).toEqual([2, 4])
  })
})

describe('weights in other files', () => {
  it('are read where the caller says they lie', () => {
    const { proto } = modelOf({ inputs: { x: '2', b: float(2) }, nodes: [node('Add', 'x b', 'y')], outputs: ['y'] })
    const [b] = proto.graph!.initializer
    b!.rawData = new Uint8Array()
    b!.dataLocation = 1
    b!.externalData.push(create(StringStringEntryProtoSchema, { key: 'location', value: 'b.bin' }))
    const model = viewModel(proto)
    const files = memoryFiles({ 'b.bin': new Uint8Array(Float32Array.of(10, 20).buffer) })
    const x = tensor([1, 2]) as Tensor
    expect(runModel(model, { x }, { files })['y']!.toArray()).toEqual([11, 22])
    expect(() => runModel(model, { x })).toThrow('b.bin')
  })
})

describe('a broken model', () => {
  it('is refused with what is broken', () => {
    const model = modelOf({ inputs: { x: '2' }, nodes: [node('Add', 'x bais', 'y')], outputs: ['y'] })
    const error = thrown(() => prepareModel(model)) as StructureError
    expect(error).toBeInstanceOf(StructureError)
    expect(error.message).toBe('the model is broken: input 1 of node 0 (Add) is "bais", which nothing defines.')
  })
})

describe('a node that fails', () => {
  it.each([
    ['Reshape', 'x shape', {}, 'node 0 (Reshape): cannot reshape (2,3) (6 elements) to (4)'],
    [
      'Transpose',
      'x',
      { perm: [0, 0] },
      'node 0 (Transpose): transpose(0, 0) of shape (2,3): name each of the 2 axes once.',
    ],
    ['Concat', 'x shape', { axis: 0 }, 'node 0 (Concat): concat: element types differ: A is float32, B is int64.'],
    ['Concat', 'x x', { axis: 2 }, 'node 0 (Concat): Concat: axis 2 does not exist in rank 2.'],
    ['Concat', 'x x', {}, 'attribute "axis" of node 0 (Concat) is missing; it has none.'],
    ['Gather', 'x shape', {}, 'node 0 (Gather): Gather: index 4 does not exist on axis 0 of size 2.'],
    [
      'MatMul',
      'x x',
      {},
      "node 0 (MatMul): MatMul: A is (2,3) and B is (2,3); A's columns (3) must be B's rows (2). b.transpose(1, 0) has 3 rows.",
    ],
    ['Squeeze', 'x shape', {}, 'node 0 (Squeeze): Squeeze: axis 4 does not exist in rank 2.'],
    ['Split', 'x shape', {}, 'node 0 (Split): Split: parts of 4 do not make an axis of size 2.'],
    ['ReduceSum', 'x shape', {}, 'node 0 (ReduceSum): ReduceSum: axis 4 does not exist in rank 2.'],
  ] as const)('%s is named: %s', (op, inputs, attributes, message) => {
    const given = { x: '2, 3', shape: 'int64: 1' }
    const model = modelOf({ inputs: given, nodes: [node(op, inputs, 'y', attributes as never)], outputs: ['y'] })
    const error = thrown(() => runModel(model, { x: float(2, 3), shape: tensor([4n]) as Tensor })) as NodeError
    expect(error.message).toContain(message)
    expect(error).toBeInstanceOf(NodeError)
    expect(error.cause).toBeInstanceOf(Error)
  })

  it('on the workers too', async () => {
    const model = modelOf({
      inputs: { x: 'int32: 2', y: 'int32: 2' },
      nodes: [node('Div', 'x y', 'z')],
      outputs: ['z'],
    })
    const [x, y] = [tensor([1, 2], { dtype: 'int32' }), tensor([0, 1], { dtype: 'int32' })] as unknown as [
      Tensor,
      Tensor,
    ]
    await expect(runModel.async(model, { x, y })).rejects.toThrow('node 0 (Div): Div: division by zero at index [0]')
  })
})

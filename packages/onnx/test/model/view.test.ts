import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { describe, expect, it } from 'vitest'
import {
  AttributeError,
  type Attributes,
  declaredType,
  functionOf,
  type Graph,
  MessageError,
  type Model,
  nodeLabel,
  nodePath,
  readModel,
  resolve,
  VersionError,
  viewModel,
  writeModel,
} from '../../src/index.ts'
import {
  type AttributeProtoSchema,
  AttributeProto_AttributeType as AttributeType,
  TensorProto_DataType as DataType,
  type GraphProtoSchema,
  type ModelProto,
  ModelProtoSchema,
} from '../../src/proto/onnx_pb.ts'
import { thrown } from '../support/thrown.ts'

type Init = Exclude<MessageInitShape<typeof ModelProtoSchema>, ModelProto>

const view = (graph: MessageInitShape<typeof GraphProtoSchema>, more: Init = {}): Model =>
  viewModel(create(ModelProtoSchema, { irVersion: 8n, opsetImport: [{ version: 13n }], graph, ...more }))

describe('a model', () => {
  it('says its versions; ai.onnx is the domain without a name', () => {
    const { irVersion, opsets } = view(
      {},
      {
        irVersion: 9n,
        opsetImport: [
          { domain: 'ai.onnx', version: 17n },
          { domain: 'com.x', version: 2n },
        ],
      },
    )
    expect(irVersion).toBe(9)
    expect(opsets).toEqual(
      new Map([
        ['', 17],
        ['com.x', 2],
      ]),
    )
    expect(view({ node: [{ opType: 'Add', domain: 'ai.onnx' }] }).graph.nodes[0]!.domain).toBe('')
  })

  it('is refused without a graph, without an IR version, and from before operator sets', () => {
    expect(thrown(() => readModel(new Uint8Array()))).toMatchObject({
      code: 'ONNX_DAMAGED',
      message: 'it is empty and ends at byte 0.',
    })
    const graphless = create(ModelProtoSchema, { irVersion: 10n })
    expect(thrown(() => viewModel(graphless))).toMatchObject({ code: 'ONNX_DAMAGED', path: 'graph' })
    const version = (irVersion: bigint | undefined) =>
      thrown(() => view({}, irVersion === undefined ? ({ irVersion } as never) : { irVersion }))
    expect(version(2n)).toMatchObject({ code: 'ONNX_VERSION', irVersion: 2n })
    expect(version(-1n)).toBeInstanceOf(VersionError)
    const none = thrown(() => viewModel(create(ModelProtoSchema, { graph: {} })))
    expect(none).toMatchObject({ code: 'ONNX_VERSION', irVersion: undefined })
    expect(view({}, { irVersion: 3n }).irVersion).toBe(3)
    expect(view({}, { irVersion: 99n }).irVersion).toBe(99)
  })

  it('is written from its messages as they are now', () => {
    const model = view({ node: [{ opType: 'Add' }] })
    model.proto.graph!.node[0]!.opType = 'Sub'
    expect(readModel(writeModel(model)).graph.nodes[0]!.opType).toBe('Sub')
    model.proto.irVersion = 2n ** 70n
    expect(thrown(() => writeModel(model))).toBeInstanceOf(MessageError)
  })
})

const tensorType = (shape?: readonly (bigint | string | undefined)[]) => ({
  value: {
    case: 'tensorType' as const,
    value: {
      elemType: DataType.FLOAT,
      ...(shape === undefined
        ? {}
        : {
            shape: {
              dim: shape.map((dim) =>
                dim === undefined
                  ? {}
                  : {
                      value:
                        typeof dim === 'bigint'
                          ? ({ case: 'dimValue', value: dim } as const)
                          : ({ case: 'dimParam', value: dim } as const),
                    },
              ),
            },
          }),
    },
  },
})

describe('declared types', () => {
  const typesOf = (...types: object[]): unknown[] =>
    view({ input: types.map((type, i) => ({ name: `x${i}`, type })) }).graph.inputs.map(({ type }) => type)

  it('have shapes of numbers, names and unknowns', () => {
    const tensor = (shape: unknown) => ({ kind: 'tensor', element: 'float32', shape })
    expect(
      typesOf(tensorType([2n, 'N', undefined, 0n]), tensorType([]), tensorType(), tensorType([-1n, '', 2n ** 60n])),
    ).toEqual([tensor([2, 'N', null, 0]), tensor([]), tensor(null), tensor([null, null, null])])
  })

  it('are of every kind', () => {
    const elemType = tensorType([2n])
    const tensor = { kind: 'tensor', element: 'float32', shape: [2] }
    const wrapped = (name: string, value: object) => ({ value: { case: name, value } })
    expect(
      typesOf(
        wrapped('sequenceType', { elemType }),
        wrapped('optionalType', { elemType: wrapped('sequenceType', { elemType }) }),
        wrapped('mapType', { keyType: DataType.STRING, valueType: elemType }),
        wrapped('sparseTensorType', { elemType: DataType.INT4 }),
        wrapped('opaqueType', { domain: 'd', name: 'n' }),
        {},
      ),
    ).toEqual([
      { kind: 'sequence', of: tensor },
      { kind: 'optional', of: { kind: 'sequence', of: tensor } },
      { kind: 'map', key: 'string', of: tensor },
      { kind: 'sparse', element: 'int4', shape: null },
      { kind: 'opaque', domain: 'd', name: 'n' },
      { kind: 'unknown' },
    ])
  })
})

describe('attributes', () => {
  const attributesOf = (...attribute: MessageInitShape<typeof AttributeProtoSchema>[]): Attributes<Graph> =>
    view({ node: [{ name: 'n', opType: 'Op', attribute }] }).graph.nodes[0]!.attributes

  const all = attributesOf(
    { name: 'i', type: AttributeType.INT, i: -3n },
    { name: 'big', type: AttributeType.INT, i: 2n ** 60n },
    { name: 'zero', type: AttributeType.INT },
    { name: 'f', type: AttributeType.FLOAT, f: 0.5 },
    { name: 's', type: AttributeType.STRING, s: new TextEncoder().encode('größe') },
    { name: 'ints', type: AttributeType.INTS, ints: [1n, 2n] },
    { name: 'none', type: AttributeType.INTS },
    { name: 'floats', type: AttributeType.FLOATS, floats: [1, 2] },
    { name: 'strings', type: AttributeType.STRINGS, strings: [Uint8Array.of(97)] },
    { name: 't', type: AttributeType.TENSOR, t: { name: 'value' } },
    { name: 'missing', type: AttributeType.TENSOR },
    { name: 'g', type: AttributeType.GRAPH, g: { name: 'inner' } },
    { name: 'graphs', type: AttributeType.GRAPHS, graphs: [{ name: 'a' }, { name: 'b' }] },
    { name: 'tp', type: AttributeType.TYPE_PROTO, tp: tensorType([]) },
    { name: 'bad', type: AttributeType.STRING, s: Uint8Array.of(0xff) },
    { name: 'untyped', i: 4n },
    { name: 'empty' },
    { name: 'ref', type: AttributeType.INT, refAttrName: 'outer' },
  )

  it('are read by type', () => {
    expect([all.int('i'), all.bigint('big'), all.int('zero'), all.float('f'), all.string('s')]).toEqual([
      -3,
      2n ** 60n,
      0,
      0.5,
      'größe',
    ])
    expect([
      all.ints('ints'),
      all.bigints('ints'),
      all.ints('none'),
      all.floats('floats'),
      all.strings('strings'),
    ]).toEqual([[1, 2], [1n, 2n], [], [1, 2], ['a']])
    expect(all.tensor('t').name).toBe('value')
    expect(all.graph('g').name).toBe('inner')
    expect(all.graphs('graphs').map(({ name }) => name)).toEqual(['a', 'b'])
    expect(all.type('tp')).toEqual({ kind: 'tensor', element: 'float32', shape: [] })
    // The oldest files leave the type out.
    expect([all.int('untyped'), all.kind('untyped'), all.kind('empty')]).toEqual([4, 'int', 'unknown'])
    expect([all.kind('ref'), all.reference('ref')]).toEqual(['reference', 'outer'])
  })

  it('take a second argument for what is not there', () => {
    expect([all.int('absent', 7), all.string('absent', undefined), all.has('absent'), all.kind('absent')]).toEqual([
      7,
      undefined,
      false,
      undefined,
    ])
    expect(all.int('zero', 7)).toBe(0)
  })

  it.each<[string, () => unknown, RegExp]>([
    ['absence', () => all.int('absent'), /attribute "absent" of node 0 "n" \(Op\) is missing; it has i, big/],
    ['another kind', () => all.int('f'), /attribute "f" of node 0 "n" \(Op\) is of kind float, not int/],
    ['another kind, whatever the fallback', () => all.int('f', 1), /of kind float/],
    ['a number beyond 2^53', () => all.int('big'), /holds 1152921504606846976, beyond 2\^53/],
    ['text that is not UTF-8', () => all.string('bad'), /is not UTF-8/],
    ['a tensor that is not there', () => all.tensor('missing'), /says it holds a tensor and holds none/],
    ['a reference', () => all.int('ref'), /of kind reference to attribute "outer" of the function, not int/],
    ['no type', () => all.int('empty'), /of kind unknown/],
    ['none at all', () => attributesOf().int('a'), /it has none/],
  ])('%s is a typed error', (_, call, message) => {
    const error = thrown(call)
    expect(error).toBeInstanceOf(AttributeError)
    expect((error as AttributeError).message).toMatch(message)
  })
})

describe('scopes', () => {
  const inner = {
    node: [
      { opType: 'Add', input: ['x', 'w'], output: ['s'] },
      { opType: 'Mul', input: ['s', 'late'], output: ['m'] },
    ],
    output: [{ name: 'm' }, { name: 'c' }],
  }
  const { graph, ...model } = view(
    {
      input: [{ name: 'x', type: tensorType(['N']) }, { name: 'c' }],
      initializer: [
        { name: 'w', dims: [3n], dataType: DataType.FLOAT },
        { name: 'x', dims: [1n], dataType: DataType.FLOAT },
      ],
      sparseInitializer: [{ values: { name: 'sp', dataType: DataType.DOUBLE }, dims: [9n] }],
      node: [
        { opType: 'Relu', input: ['x'], output: ['late'] },
        {
          opType: 'If',
          name: 'choose',
          input: ['c', ''],
          output: ['y'],
          attribute: [{ name: 'then_branch', type: AttributeType.GRAPH, g: inner }],
        },
        { opType: 'F', domain: 'own', input: ['y', 'y'], output: ['z', ''] },
      ],
      output: [{ name: 'z', type: tensorType([2n]) }],
      valueInfo: [{ name: 'y', type: tensorType([4n]) }],
    },
    {
      functions: [
        {
          name: 'F',
          domain: 'own',
          input: ['a', 'b'],
          output: ['r'],
          attribute: ['k'],
          attributeProto: [{ name: 'd', type: AttributeType.INT, i: 5n }],
          opsetImport: [{ version: 11n }],
          node: [{ opType: 'Add', input: ['a', 'b'], output: ['r'] }],
        },
        { name: 'F', domain: 'own', overload: 'two', input: ['a'], output: ['a'] },
      ],
    },
  )
  const [relu, choose, call] = graph.nodes as [
    (typeof graph.nodes)[0] & object,
    (typeof graph.nodes)[0] & object,
    (typeof graph.nodes)[0] & object,
  ]
  const then = choose.attributes.graph('then_branch')

  it('define names once, by input, initializer or node', () => {
    expect(graph.definitions.get('x')).toEqual({ kind: 'input', index: 0 })
    expect(graph.definitions.get('w')).toMatchObject({ kind: 'initializer', initializer: { sparse: false } })
    expect(graph.definitions.get('sp')).toMatchObject({
      kind: 'initializer',
      initializer: { sparse: true, type: { kind: 'sparse', element: 'float64', shape: [9] } },
    })
    expect(graph.definitions.get('late')).toEqual({ kind: 'output', node: relu, index: 0 })
    expect([...graph.definitions.keys()]).toEqual(['x', 'c', 'w', 'sp', 'late', 'y', 'z'])
    // An initializer of an input's name is its default.
    expect([...graph.initializers.keys()]).toEqual(['w', 'x', 'sp'])
  })

  it('know who uses a name, subgraphs included', () => {
    const uses = (name: string) => graph.uses.get(name)?.map(({ node, input }) => [node.index, input])
    expect(uses('x')).toEqual([
      [0, 0],
      [1, undefined],
    ])
    expect(uses('y')).toEqual([
      [2, 0],
      [2, 1],
    ])
    expect(uses('w')).toEqual([[1, undefined]])
    expect(uses('c')).toEqual([
      [1, 0],
      [1, undefined],
    ])
    expect(graph.uses.has('')).toBe(false)
  })

  it('take names from around them', () => {
    expect(then.parent).toBe(choose)
    expect([...then.outerNames].sort()).toEqual(['c', 'late', 'w', 'x'])
    expect(graph.outerNames.size).toBe(0)
    expect(resolve(then, 's')?.scope).toBe(then)
    expect(resolve(then, 'w')).toMatchObject({ scope: { path: 'graph' }, definition: { kind: 'initializer' } })
    expect(resolve(then, 'nowhere')).toBeUndefined()
  })

  it('declare types', () => {
    expect(declaredType(then, 'x')).toMatchObject({ shape: ['N'] })
    expect(declaredType(then, 'w')).toEqual({ kind: 'tensor', element: 'float32', shape: [3] })
    expect(declaredType(graph, 'y')).toMatchObject({ shape: [4] })
    expect(declaredType(graph, 'z')).toMatchObject({ shape: [2] })
    expect(declaredType(graph, 'late')).toBeUndefined()
  })

  it('are functions too, which see nothing but their inputs', () => {
    const whole = { ...model, graph }
    const body = functionOf(whole, call)!
    expect(body).toMatchObject({ name: 'F', domain: 'own', overload: '', path: 'functions[0]', attributeNames: ['k'] })
    expect(body.opsets).toEqual(new Map([['', 11]]))
    expect(body.nodes[0]!.scope).toBe(body)
    expect(body.defaults.int('d')).toBe(5)
    expect(resolve(body, 'w')).toBeUndefined()
    expect(functionOf(whole, relu)).toBeUndefined()
  })

  it('are the first of two functions of one name', () => {
    const functions = ['one', 'two'].map((docString) => ({ name: 'F', domain: 'own', docString }))
    const twice = view({ node: [{ opType: 'F', domain: 'own' }] }, { functions })
    expect(functionOf(twice, twice.graph.nodes[0]!)!.proto.docString).toBe('one')
  })

  it('name their nodes', () => {
    expect(nodeLabel(choose)).toBe('node 1 "choose" (If)')
    expect(nodePath(then.nodes[1]!)).toBe('graph.node[1].attribute[0].g.node[1]')
    expect(nodeLabel(then.nodes[1]!)).toBe('node 1 (Mul) in graph.node[1].attribute[0].g')
    expect(then.opsets).toBe(graph.opsets)
  })
})

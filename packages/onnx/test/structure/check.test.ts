import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { describe, expect, it } from 'vitest'
import { checkStructure, type Finding, viewModel } from '../../src/index.ts'
import {
  AttributeProto_AttributeType as AttributeType,
  type GraphProtoSchema,
  type ModelProto,
  ModelProtoSchema,
} from '../../src/proto/onnx_pb.ts'
import { cyclesOf } from '../../src/structure/components.ts'

type ModelInit = Exclude<MessageInitShape<typeof ModelProtoSchema>, ModelProto>
type GraphInit = MessageInitShape<typeof GraphProtoSchema>

const model = (graph: GraphInit, more: ModelInit = {}) =>
  viewModel(create(ModelProtoSchema, { irVersion: 8n, opsetImport: [{ version: 13n }], graph, ...more }))

const check = (graph: GraphInit, more: ModelInit = {}): string[] =>
  checkStructure(model(graph, more)).map(({ code, path, message }) => `${code} at ${path}: ${message}`)

const op = (input: string[], output: string[], more: object = {}) => ({ opType: 'Op', input, output, ...more })
const holding = (g: GraphInit) => ({ attribute: [{ name: 'body', type: AttributeType.GRAPH, g }] })
const x = { input: [{ name: 'x' }] }

describe('structure', () => {
  it('finds nothing in a sound model', () => {
    expect(
      check({
        input: [{ name: 'x' }, { name: 'w' }],
        initializer: [{ name: 'w' }],
        node: [
          op(['x', '', 'w'], ['a', '', '']),
          op(['a'], ['b'], holding({ node: [op(['a', 'x'], ['i'])], output: [{ name: 'i' }] })),
        ],
        output: [{ name: 'b' }, { name: 'x' }],
        valueInfo: [{ name: 'a' }],
      }),
    ).toEqual([])
  })

  it.each<[string, GraphInit, string[]]>([
    [
      'two outputs of one name',
      { ...x, node: [op(['x'], ['a']), op(['x'], ['a'])] },
      [
        'duplicate-definition at graph.node[1]: "a" is defined by output 0 of node 0 (Op) and again by output 0 of node 1 (Op).',
      ],
    ],
    [
      'an output of an input’s name',
      { ...x, node: [op([], ['x'])] },
      ['duplicate-definition at graph.node[0]: "x" is defined by input 0 and again by output 0 of node 0 (Op).'],
    ],
    [
      'two inputs of one name',
      { input: [{ name: 'x' }, { name: 'x' }] },
      ['duplicate-definition at graph.input[1]: "x" is defined by input 0 and again by input 1.'],
    ],
    [
      'two initializers of one name',
      { initializer: [{ name: 'w' }], sparseInitializer: [{ values: { name: 'w' } }] },
      [
        'duplicate-definition at graph.sparse_initializer[0]: "w" is defined by initializer 0 and again by sparse initializer 0.',
      ],
    ],
    [
      'an input that nothing defines',
      { ...x, node: [op(['x', 'gone'], ['a'])] },
      ['undefined-name at graph.node[0]: input 1 of node 0 (Op) is "gone", which nothing defines.'],
    ],
    [
      'an output that nothing defines',
      { output: [{ name: 'gone' }] },
      ['undefined-output at graph.output[0]: output 0 is "gone", which nothing defines.'],
    ],
    [
      'names left out',
      { input: [{}], output: [{}], initializer: [{ name: 'i' }], node: [{ output: ['a'] }] },
      [
        'unnamed at graph.input[0]: input 0 has no name.',
        'unnamed at graph.output[0]: output 0 has no name.',
        'unnamed at graph.node[0]: node 0 () names no operator.',
      ],
    ],
    [
      'a node before its input',
      { ...x, node: [op(['b'], ['a']), op(['x'], ['b'])] },
      ['not-sorted at graph.node[0]: node 0 (Op) reads "b", which node 1 (Op) defines behind it.'],
    ],
    [
      'a node that reads itself',
      { node: [op(['a'], ['a'])] },
      ['cycle at graph.node[0]: node 0 (Op) reads its own output.'],
    ],
    [
      'a cycle, and a node that waits for it',
      { node: [op(['c'], ['a']), op(['a'], ['b']), op(['b'], ['c']), op(['e'], ['d']), op(['c'], ['e'])] },
      [
        'cycle at graph.node[0]: node 0 (Op), node 1 (Op), node 2 (Op) wait for each other.',
        'not-sorted at graph.node[3]: node 3 (Op) reads "e", which node 4 (Op) defines behind it.',
      ],
    ],
    [
      'a cycle that waits for a node behind it',
      { node: [op(['b', 'late'], ['a']), op(['a'], ['b']), op([], ['late'])] },
      [
        'cycle at graph.node[0]: node 0 (Op), node 1 (Op) wait for each other.',
        'not-sorted at graph.node[0]: node 0 (Op) reads "late", which node 2 (Op) defines behind it.',
      ],
    ],
    [
      'a cycle through a subgraph',
      { node: [op([], ['a'], holding({ node: [op(['b'], ['i'])] })), op(['a'], ['b'])] },
      ['cycle at graph.node[0]: node 0 (Op), node 1 (Op) wait for each other.'],
    ],
    [
      'a gone name deep inside',
      { ...x, node: [op([], ['a'], holding({ node: [op(['x', 'gone'], ['i'])] }))] },
      [
        'undefined-name at graph.node[0].attribute[0].g.node[0]: input 1 of node 0 (Op) in graph.node[0].attribute[0].g is "gone", which nothing defines.',
      ],
    ],
    [
      'a name that hides another',
      { ...x, node: [op([], ['a'], holding({ node: [op([], ['x'])] }))] },
      [
        'shadowed-name at graph.node[0].attribute[0].g.node[0]: output 0 of node 0 (Op) in graph.node[0].attribute[0].g hides "x" of graph; use another name.',
      ],
    ],
    [
      'two attributes of one name',
      { node: [{ opType: 'Op', attribute: [{ name: 'k' }, { name: 'k' }] }] },
      ['duplicate-attribute at graph.node[0]: node 0 (Op) has two attributes "k".'],
    ],
    [
      'two nodes of one name',
      {
        ...x,
        node: [
          { ...op(['x'], ['a']), name: 'n' },
          { ...op(['a'], ['b']), name: 'n' },
          { ...op(['b'], ['c'], holding({ node: [{ ...op(['x'], ['i']), name: 'n' }] })), name: 'm' },
          op(['c'], ['d']),
          op(['d'], ['e']),
        ],
      },
      [
        'duplicate-node-name at graph.node[1]: node 1 "n" (Op) has the name of node 0 "n" (Op); some engines refuse that.',
      ],
    ],
    [
      'a domain that is not imported',
      { node: [{ opType: 'Op', domain: 'd' }] },
      ['missing-opset at graph.node[0]: node 0 (Op) is of domain "d", of which no operator set is imported.'],
    ],
    [
      'a type for nothing',
      { valueInfo: [{ name: 'gone' }] },
      ['unused-declaration at graph: value_info declares "gone", which nothing defines.'],
    ],
  ])('finds %s', (_, graph, expected) => {
    expect(check(graph)).toEqual(expected)
  })

  it('finds what is wrong with versions', () => {
    const opsetImport = [
      { version: 13n },
      { domain: 'ai.onnx', version: 14n },
      { domain: 'd', version: 0n },
      { domain: 'd', version: 0n },
    ]
    expect(check({}, { opsetImport })).toEqual([
      'duplicate-opset at opset_import[1]: domain "" is imported at version 13 and again at 14.',
      'bad-opset-version at opset_import[2]: 0 is no version of an operator set.',
      'bad-opset-version at opset_import[3]: 0 is no version of an operator set.',
    ])
    expect(
      check(
        {},
        { opsetImport: [{ version: 29n }, { domain: 'ai.onnx.ml', version: 6n }, { domain: 'own', version: 99n }] },
      ),
    ).toEqual([
      'newer-opset at opset_import[0]: version 29 of the operator set of ONNX is newer than 28, the newest known here; operators may mean something else in it.',
      'newer-opset at opset_import[1]: version 6 of the operator set ai.onnx.ml is newer than 5, the newest known here; operators may mean something else in it.',
    ])
    expect(check({}, { opsetImport: [{ version: 28n }, { domain: 'ai.onnx.ml', version: 5n }] })).toEqual([])
    const [newer] = checkStructure(model({}, { irVersion: 99n }))
    expect(newer).toMatchObject<Partial<Finding>>({ code: 'newer-ir-version', severity: 'warning', path: 'ir_version' })
  })

  it('finds functions that call themselves or are defined twice', () => {
    const calls = (name: string, ...callees: string[]) => ({
      name,
      domain: 'own',
      node: callees.map((opType) => ({ opType, domain: 'own' })),
    })
    expect(check({ node: [{ opType: 'A', domain: 'own' }] }, { functions: [calls('A', 'B'), calls('B')] })).toEqual([])
    expect(
      check({}, { functions: [calls('A', 'B'), calls('B', 'C'), calls('C', 'A'), calls('D', 'D'), calls('A')] }),
    ).toEqual([
      'duplicate-function at functions[4]: function A is defined twice.',
      'recursive-function at functions[0]: functions A, B, C call each other.',
      'recursive-function at functions[3]: function D calls itself.',
    ])
  })

  it('stops at so many findings', () => {
    const broken = model({ node: Array.from({ length: 50 }, () => op(['gone'], [])) })
    expect(checkStructure(broken)).toHaveLength(50)
    expect(checkStructure(broken, 10)).toHaveLength(10)
  })
})

describe('cycles', () => {
  it('are found in a chain longer than any stack', () => {
    const count = 200_000
    expect(cyclesOf(count, (i) => (i + 1 < count ? [i + 1] : []))).toEqual([])
    expect(cyclesOf(count, (i) => [(i + 1) % count])[0]).toHaveLength(count)
  })

  it('are the components that reach themselves', () => {
    const next = [[1], [2, 3], [0], [4], [5], [4, 6], [6], []]
    expect(cyclesOf(next.length, (i) => next[i]!).sort((a, b) => a[0]! - b[0]!)).toEqual([[0, 1, 2], [4, 5], [6]])
  })
})

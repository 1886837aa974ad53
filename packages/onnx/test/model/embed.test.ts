import { create } from '@bufbuild/protobuf'
import { describe, expect, it } from 'vitest'
import { embedExternalData, hasExternalData, memoryFiles, readModel, tensorOf, writeModel } from '../../src/index.ts'
import {
  AttributeProto_AttributeType as AttributeType,
  TensorProto_DataLocation as DataLocation,
  type ModelProto,
  ModelProtoSchema,
} from '../../src/proto/onnx_pb.ts'

const files = memoryFiles({ 'w.bin': Uint8Array.from({ length: 16 }, (_, i) => i) })

const external = (name: string, offset: number) => ({
  name,
  dims: [4n],
  dataType: 2,
  dataLocation: DataLocation.EXTERNAL,
  externalData: [
    { key: 'location', value: 'w.bin' },
    { key: 'offset', value: String(offset) },
    { key: 'length', value: '4' },
  ],
})

/** External tensors as initializer, in an attribute of a subgraph, and in a function. */
const proto: ModelProto = create(ModelProtoSchema, {
  irVersion: 10n,
  opsetImport: [{ version: 22n }],
  graph: {
    initializer: [external('w', 0), { name: 'own', dims: [1n], dataType: 2, rawData: Uint8Array.of(7) }],
    node: [
      {
        opType: 'If',
        input: ['c'],
        output: ['y'],
        attribute: [
          {
            name: 'then_branch',
            type: AttributeType.GRAPH,
            g: { node: [constant('t', external('', 4))], output: [{ name: 't' }] },
          },
        ],
      },
    ],
  },
  functions: [{ name: 'f', domain: 'd', node: [constant('k', external('', 8))] }],
})

function constant(name: string, t: ReturnType<typeof external>) {
  return { opType: 'Constant', output: [name], attribute: [{ name: 'value', type: AttributeType.TENSOR, t }] }
}

describe('embedExternalData', () => {
  it('brings every tensor into the model, wherever it stands', () => {
    const { proto: whole } = readModel(writeModel(embedExternalData({ proto }, files)))
    expect(hasExternalData({ proto })).toBe(true)
    expect(hasExternalData({ proto: whole })).toBe(false)
    const tensors = [
      whole.graph!.initializer[0]!,
      whole.graph!.node[0]!.attribute[0]!.g!.node[0]!.attribute[0]!.t!,
      whole.functions[0]!.node[0]!.attribute[0]!.t!,
      whole.graph!.initializer[1]!,
    ]
    expect(tensors.map((tensor) => tensorOf(tensor).toArray())).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9, 10, 11],
      [7],
    ])
  })

  it('leaves the given model as it is, and shares what is inside already', () => {
    const before = writeModel({ proto })
    const { proto: whole } = embedExternalData({ proto }, files)
    expect(writeModel({ proto })).toEqual(before)
    expect(whole.graph!.initializer[1]).toBe(proto.graph!.initializer[1])
  })

  it('says which file is missing', () => {
    expect(() => embedExternalData({ proto }, memoryFiles({}))).toThrow('"w.bin": there is no such file')
  })
})

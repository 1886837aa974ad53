// Every model and tensor file there is: read as the protobuf runtime reads it, written back byte for byte, sound.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createRegistry, equals, fromBinary } from '@bufbuild/protobuf'
import { describe, expect, it } from 'vitest'
import { facts, filesIn, packaged } from '../../../../testing/models/packaged.ts'
import { needs } from '../../../../testing/needs.ts'
import {
  type Attributes,
  checkStructure,
  DamagedModelError,
  readModel,
  readTensorProto,
  scopesOf,
  tensorOf,
  writeModel,
  writeTensorProto,
} from '../../src/index.ts'
import { ModelProtoSchema, TensorProtoSchema } from '../../src/proto/onnx_pb.ts'
import { thrown } from '../support/thrown.ts'

const same = { registry: createRegistry(), unknown: true }

function checkModel(file: string): void {
  const bytes = readFileSync(file)
  const model = readModel(bytes)
  expect(equals(ModelProtoSchema, model.proto, fromBinary(ModelProtoSchema, bytes), same), file).toBe(true)
  expect(Buffer.compare(writeModel(model), bytes), file).toBe(0)
  expect(checkStructure(model), file).toEqual([])
  for (const { rawData } of model.proto.graph!.initializer) {
    if (rawData.length > 0) expect(rawData.buffer).toBe(bytes.buffer)
  }
}

describe('models of other makers', () => {
  it('are those that the packages hold', () => {
    expect(packaged.map((file) => path.basename(file))).toEqual([
      'ch_PP-OCRv4_det_infer.onnx',
      'ch_PP-OCRv4_rec_infer.onnx',
      'ch_ppocr_mobile_v2.0_cls_infer.onnx',
      'silero_vad_legacy.onnx',
      'silero_vad_v5.onnx',
      'silero_vad_v6.onnx',
    ])
  })

  it.each(packaged.map((file) => [path.basename(file), file] as const))('%s survives reading and writing', (_, file) =>
    checkModel(file),
  )

  it('have the graphs that their makers meant', () => {
    const read = (name: string) => readModel(readFileSync(packaged.find((file) => file.includes(name))!))
    const silero = read('silero_vad_v5')
    expect(silero.opsets).toEqual(new Map([['', 16]]))
    expect(silero.graph.inputs.map(({ name, type }) => [name, type])).toEqual([
      ['input', { kind: 'tensor', element: 'float32', shape: [null, null] }],
      ['state', { kind: 'tensor', element: 'float32', shape: [2, null, 128] }],
      ['sr', { kind: 'tensor', element: 'int64', shape: [] }],
    ])
    const scopes = [...scopesOf(silero)]
    expect(scopes.length).toBeGreaterThan(40)
    expect(scopes[1]!.outerNames.size).toBeGreaterThan(0)
    expect(read('PP-OCRv4_det').graph.inputs[0]!.type).toMatchObject({ element: 'float32' })
    for (const { graph } of packaged.map((file) => readModel(readFileSync(file)))) {
      for (const initializer of graph.initializers.values()) {
        if (!initializer.sparse) expect(tensorOf(initializer.proto).shape).toEqual(initializer.proto.dims.map(Number))
      }
    }
  })
})

interface ManifestEntry {
  readonly name: string
  readonly ir_version: number
  readonly opset: Record<string, number>
  readonly nodes: readonly { op: string; inputs: string[]; outputs: string[]; attributes: Record<string, unknown> }[]
  readonly inputs: readonly { name: string }[]
  readonly outputs: readonly { name: string }[]
  readonly initializers: readonly string[]
  readonly data: Record<string, Record<string, { dtype: string; shape: number[] }>>
}

/** An attribute as the manifest writes it; undefined where the manifest says less. */
function plain(attributes: Attributes, name: string): unknown {
  const kind = attributes.kind(name)
  if (kind === 'tensor') {
    const { dtype, shape } = tensorOf(attributes.tensor(name))
    return { tensor: { dtype, shape } }
  }
  return kind === 'int' || kind === 'float' || kind === 'string' || kind === 'floats'
    ? attributes[kind](name)
    : undefined
}

const sets = filesIn(facts, 'manifest.json').map((file) => path.basename(path.dirname(file)))

describe('ONNX test directories', needs('conformance', sets.length > 0), () => {
  it('survive reading and writing, every model and tensor', () => {
    const models = filesIn(facts, '.onnx')
    expect(models.length).toBeGreaterThan(200)
    for (const file of models) checkModel(file)
    const tensors = filesIn(facts, '.pb')
    expect(tensors.length).toBeGreaterThan(600)
    for (const file of tensors) {
      const bytes = readFileSync(file)
      const tensor = readTensorProto(bytes)
      expect(equals(TensorProtoSchema, tensor, fromBinary(TensorProtoSchema, bytes), same), file).toBe(true)
      expect(Buffer.compare(writeTensorProto(tensor), bytes), file).toBe(0)
      const cut = thrown(() => readTensorProto(bytes.subarray(0, bytes.length - 1)))
      expect(cut, file).toBeInstanceOf(DamagedModelError)
    }
  })

  it.each(sets)('%s reads as its manifest says', (set) => {
    const entries: ManifestEntry[] = JSON.parse(readFileSync(path.join(facts, set, 'manifest.json'), 'utf8'))
    expect(entries.length).toBeGreaterThan(0)
    for (const entry of entries) {
      const folder = path.join(facts, set, entry.name)
      const { graph, irVersion, opsets } = readModel(readFileSync(path.join(folder, 'model.onnx')))
      expect(irVersion, entry.name).toBe(entry.ir_version)
      expect(Object.fromEntries([...opsets].map(([domain, v]) => [domain || 'ai.onnx', v]))).toEqual(entry.opset)
      expect(graph.inputs.map(({ name }) => name)).toEqual(entry.inputs.map(({ name }) => name))
      expect(graph.outputs.map(({ name }) => name)).toEqual(entry.outputs.map(({ name }) => name))
      expect([...graph.initializers.keys()]).toEqual(entry.initializers)
      expect(graph.nodes.map(({ opType, inputs, outputs }) => ({ op: opType, inputs, outputs }))).toEqual(
        entry.nodes.map(({ op, inputs, outputs }) => ({ op, inputs, outputs })),
      )
      for (const [i, { attributes }] of graph.nodes.entries()) {
        const declared = entry.nodes[i]!.attributes
        expect([...attributes.names].sort()).toEqual(Object.keys(declared).sort())
        for (const [name, value] of Object.entries(declared)) {
          const got = plain(attributes, name)
          if (got !== undefined) expect(got, `${entry.name} ${name}`).toEqual(value)
        }
      }
      for (const [dataSet, tensors] of Object.entries(entry.data)) {
        expect(readdirSync(path.join(folder, dataSet))).toHaveLength(Object.keys(tensors).length)
        for (const [file, { dtype, shape }] of Object.entries(tensors)) {
          const tensor = tensorOf(readTensorProto(readFileSync(path.join(folder, dataSet, `${file}.pb`))))
          expect({ dtype: tensor.dtype, shape: tensor.shape }, `${entry.name} ${file}`).toEqual({ dtype, shape })
        }
      }
    }
  })
})

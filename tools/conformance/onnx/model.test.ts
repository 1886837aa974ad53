import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { bytesField, floatField, join, packedVarints, textField, varintField } from './bytes.ts'
import { type Attribute, readModel } from './model.ts'
import { readTensor, UnsupportedOnnxError } from './tensor.ts'
import { DamagedOnnxError, spanOf } from './wire.ts'

const attribute = (name: string, type: number | undefined, ...parts: Uint8Array[]): Uint8Array =>
  bytesField(5, join(textField(1, name), ...parts, ...(type === undefined ? [] : [varintField(20, type)])))

const model = (nodeParts: Uint8Array, ...rest: Uint8Array[]): Uint8Array =>
  join(
    varintField(1, 8),
    bytesField(8, join(textField(1, ''), varintField(2, 13))),
    bytesField(7, join(bytesField(1, nodeParts), bytesField(11, textField(1, 'x')), bytesField(12, textField(1, 'y')))),
    ...rest,
  )

const node = join(
  textField(1, 'x'),
  textField(1, ''),
  textField(2, 'y'),
  textField(4, 'Gemm'),
  attribute('alpha', 1, floatField(2, 0.5)),
  attribute('transA', 2, varintField(3, -1)),
  attribute('direction', 3, textField(4, 'LEFT')),
  attribute('value', 4, bytesField(5, join(packedVarints(1, [1]), varintField(2, 6), varintField(5, 9)))),
  attribute('ints', 7, packedVarints(8, [1, -2])),
  attribute('zero', 2),
  attribute('untyped', undefined, varintField(3, 4)),
)

describe('ONNX model', () => {
  it('reads nodes, attributes, versions and names', () => {
    const read = readModel(model(node))
    expect(read).toMatchObject({ irVersion: 8, inputs: ['x'], outputs: ['y'], initializers: [] })
    expect(read.opsets).toEqual(new Map([['', 13]]))
    expect(read.nodes[0]).toMatchObject({ op: 'Gemm', domain: '', inputs: ['x', ''], outputs: ['y'] })
    expect(read.nodes[0]!.attributes).toEqual(
      new Map<string, Attribute>([
        ['alpha', { type: 'float', value: 0.5 }],
        ['transA', { type: 'int', value: -1n }],
        ['direction', { type: 'string', value: 'LEFT' }],
        ['value', { type: 'tensor', value: { name: '', dtype: 'int32', shape: [1], values: [9] } }],
        ['ints', { type: 'ints', value: [1n, -2n] }],
        ['zero', { type: 'int', value: 0n }],
        ['untyped', { type: 'int', value: 4n }],
      ]),
    )
  })

  it('takes a model without imports as operator set 1, and ai.onnx as the domain without a name', () => {
    expect(readModel(bytesField(7, bytesField(1, node))).opsets).toEqual(new Map([['', 1]]))
    const named = join(bytesField(8, join(textField(1, 'ai.onnx'), varintField(2, 9))), bytesField(7, new Uint8Array()))
    expect(readModel(named).opsets).toEqual(new Map([['', 9]]))
  })

  it('refuses a model that is damaged or beyond it', () => {
    expect(() => readModel(varintField(1, 8))).toThrow(DamagedOnnxError)
    expect(() => readModel(model(textField(1, 'x')))).toThrow(/a node has no operator/)
    expect(() => readModel(model(node, bytesField(25, new Uint8Array())))).toThrow(UnsupportedOnnxError)
  })

  it('fails with a typed error on every cut of a model', () => {
    const whole = model(node)
    let damaged = 0
    for (let length = 0; length < whole.length; length++) {
      try {
        readModel(whole.subarray(0, length))
      } catch (error) {
        expect(error).toBeInstanceOf(DamagedOnnxError)
        expect((error as DamagedOnnxError).offset).toBeLessThanOrEqual(length)
        damaged++
      }
    }
    expect(damaged).toBe(whole.length)
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

function plain(attribute: Attribute | undefined): unknown {
  if (attribute === undefined || attribute.type === 'other' || attribute.type === 'strings') return undefined
  if (attribute.type === 'int') return Number(attribute.value)
  if (attribute.type === 'tensor') return { tensor: { dtype: attribute.value.dtype, shape: attribute.value.shape } }
  return attribute.value
}

// The facts lie beside the repository where it is developed; a copy of the repository alone has none.
const facts = path.resolve(import.meta.dirname, '../../../../shared/conformance')
const sets = existsSync(facts) ? readdirSync(facts).filter((name) => name.startsWith('onnx-')) : []

describe.skipIf(sets.length === 0)('ONNX test directories (skipped when ../shared/conformance is absent)', () => {
  it.each(sets)('%s reads as its manifest says', (set) => {
    const entries: ManifestEntry[] = JSON.parse(readFileSync(path.join(facts, set, 'manifest.json'), 'utf8'))
    expect(entries.length).toBeGreaterThan(0)
    for (const entry of entries) {
      const folder = path.join(facts, set, entry.name)
      const read = readModel(readFileSync(path.join(folder, 'model.onnx')))
      expect(read.irVersion, entry.name).toBe(entry.ir_version)
      expect(Object.fromEntries([...read.opsets].map(([domain, v]) => [domain || 'ai.onnx', v]))).toEqual(entry.opset)
      expect(read.inputs).toEqual(entry.inputs.map((input) => input.name))
      expect(read.outputs).toEqual(entry.outputs.map((output) => output.name))
      expect(read.initializers.map((tensor) => tensor.name)).toEqual(entry.initializers)
      expect(read.nodes.map(({ op, inputs, outputs }) => ({ op, inputs, outputs }))).toEqual(
        entry.nodes.map(({ op, inputs, outputs }) => ({ op, inputs, outputs })),
      )
      read.nodes.forEach((node, i) => {
        const declared = entry.nodes[i]!.attributes
        expect([...node.attributes.keys()].sort()).toEqual(Object.keys(declared).sort())
        for (const [name, value] of Object.entries(declared)) {
          const got = plain(node.attributes.get(name))
          if (got !== undefined) expect(got, `${entry.name} ${name}`).toEqual(value)
        }
      })
      for (const [dataSet, tensors] of Object.entries(entry.data)) {
        for (const [file, { dtype, shape }] of Object.entries(tensors)) {
          const tensor = readTensor(spanOf(readFileSync(path.join(folder, dataSet, `${file}.pb`))))
          expect({ dtype: tensor.dtype, shape: tensor.shape }, `${entry.name} ${file}`).toEqual({ dtype, shape })
        }
      }
    }
  })

  it('reads every .pb file to its last byte, and refuses it one byte shorter', () => {
    let files = 0
    for (const set of sets) {
      for (const name of readdirSync(path.join(facts, set), { recursive: true, encoding: 'utf8' })) {
        if (!name.endsWith('.pb')) continue
        const bytes = readFileSync(path.join(facts, set, name))
        readTensor(spanOf(bytes))
        expect(() => readTensor(spanOf(bytes.subarray(0, bytes.length - 1))), name).toThrow(DamagedOnnxError)
        files++
      }
    }
    expect(files).toBeGreaterThan(600)
  })
})

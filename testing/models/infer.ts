// Small models in few words, and what inference knows of their values as text, so that a test reads like a table:
//
//   inferred('Concat', { a: 'N, 3', b: '2, 3' }, { axis: 0 })   // ['float32(N + 2, 3)']
import {
  dataTypeOf,
  formatDim,
  type Inference,
  type InferOptions,
  inferShapes,
  type Known,
  type Model,
  type OnnxDType,
  type Scalar,
  tensorProtoOf,
  viewModel,
} from '@bcast/onnx'
import {
  type AttributeProtoSchema,
  AttributeProto_AttributeType as AttributeType,
  type FunctionProtoSchema,
  type GraphProtoSchema,
  ModelProtoSchema,
  type NodeProtoSchema,
  type ValueInfoProtoSchema,
} from '@bcast/onnx/proto'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { Tensor, tensor } from 'bcast'

type Init<T extends Parameters<typeof create>[0]> = MessageInitShape<T>
export type GraphInit = Init<typeof GraphProtoSchema>

/** A constant of integers. */
export const ints = (...values: readonly number[]): Tensor =>
  tensor(values.map(BigInt), { dtype: 'int64', shape: [values.length] } as never) as Tensor

export const int = (value: number): Tensor => ints(value).reshape([]) as Tensor

/** `N, 3, ?`, `int64: 2`, `bool:` (a scalar), `float32: *` (of any rank) as a declared value. */
export function declared(name: string, text: string): Init<typeof ValueInfoProtoSchema> {
  const [, element = 'float32', sizes = ''] = /^(?:(\w+):)?(.*)$/.exec(text)!
  const dim = sizes
    .split(',')
    .map((size) => size.trim())
    .filter((size) => size !== '')
    .map((size) => {
      if (size === '?') return {}
      return /^\d+$/.test(size)
        ? { value: { case: 'dimValue' as const, value: BigInt(size) } }
        : { value: { case: 'dimParam' as const, value: size } }
    })
  const shape = sizes.trim() === '*' ? {} : { shape: { dim } }
  return {
    name,
    type: { value: { case: 'tensorType', value: { elemType: dataTypeOf(element as OnnxDType), ...shape } } },
  }
}

/** An attribute by what it is given as: integers, `{ float }`, texts, tensors, graphs, a reference. */
export type AttributeValue =
  | number
  | string
  | readonly number[]
  | Tensor
  | { readonly float: number }
  | { readonly floats: readonly number[] }
  | { readonly graph: GraphInit }
  | { readonly reference: string }

export function attribute(name: string, value: AttributeValue): Init<typeof AttributeProtoSchema> {
  if (typeof value === 'number') return { name, type: AttributeType.INT, i: BigInt(value) }
  if (typeof value === 'string') return { name, type: AttributeType.STRING, s: new TextEncoder().encode(value) }
  if (value instanceof Tensor) return { name, type: AttributeType.TENSOR, t: tensorProtoOf(value) }
  if (Array.isArray(value)) return { name, type: AttributeType.INTS, ints: value.map(BigInt) }
  if ('float' in value) return { name, type: AttributeType.FLOAT, f: value.float }
  if ('floats' in value) return { name, type: AttributeType.FLOATS, floats: [...value.floats] }
  if ('graph' in value) return { name, type: AttributeType.GRAPH, g: value.graph }
  return { name, type: AttributeType.INT, refAttrName: (value as { reference: string }).reference }
}

export type Attributes = Readonly<Record<string, AttributeValue>>

/** A node: `node('Add', 'a b', 'c')`; `-` is an input that is left out. */
export const node = (
  opType: string,
  inputs: string,
  outputs: string,
  attributes: Attributes = {},
  domain = '',
): Init<typeof NodeProtoSchema> => {
  const names = (text: string): string[] => text.split(' ').filter((name) => name !== '')
  return {
    opType,
    domain,
    input: names(inputs).map((name) => (name === '-' ? '' : name)),
    output: names(outputs),
    attribute: Object.entries(attributes).map(([name, value]) => attribute(name, value)),
  }
}

export interface ModelInit {
  readonly inputs: Readonly<Record<string, string | Tensor>>
  readonly nodes: readonly Init<typeof NodeProtoSchema>[]
  readonly outputs?: readonly string[]
  readonly opset?: number
  readonly functions?: readonly Init<typeof FunctionProtoSchema>[]
  readonly valueInfo?: Readonly<Record<string, string>>
}

/** A model; inputs that are tensors are constants. */
export function modelOf({ inputs, nodes, outputs = [], opset = 22, functions = [], valueInfo = {} }: ModelInit): Model {
  const entries = Object.entries(inputs)
  return viewModel(
    create(ModelProtoSchema, {
      irVersion: 10n,
      opsetImport: [
        { version: BigInt(opset) },
        { domain: 'local', version: 1n },
        { domain: 'com.microsoft', version: 1n },
      ],
      functions: [...functions],
      graph: {
        input: entries.flatMap(([name, given]) => (typeof given === 'string' ? [declared(name, given)] : [])),
        initializer: entries.flatMap(([name, given]) =>
          typeof given === 'string' ? [] : [tensorProtoOf(given, name)],
        ),
        node: [...nodes],
        output: outputs.map((name) => ({ name })),
        valueInfo: Object.entries(valueInfo).map(([name, text]) => declared(name, text)),
      },
    }),
  )
}

const scalarText = (value: Scalar): string =>
  value === null ? '?' : typeof value === 'number' ? String(value) : formatDim(value)

/** What is known of a value, as `int64(2)[N, 3]`. */
export function text(known: Known): string {
  switch (known.kind) {
    case 'tensor': {
      const shape = known.shape === null ? '*' : known.shape.map((dim) => formatDim(dim)).join(', ')
      const values = known.values === undefined ? '' : `[${known.values.map(scalarText).join(', ')}]`
      return `${known.element ?? '?'}(${shape})${values}`
    }
    case 'sequence':
      return `${formatDim(known.length)} of ${text(known.of)}`
    case 'optional':
      return `${known.present === undefined ? 'perhaps' : known.present ? 'some' : 'no'} ${text(known.of)}`
    case 'map':
      return `map of ${text(known.of)}`
    default:
      return '?'
  }
}

/** Every value of the model's graph that nodes make, as text; findings instead, when there are any. */
export function texts(inference: Inference): Record<string, string> {
  const { scope, values } = inference.root
  const made = [...values.keys()].filter((name) => scope.definitions.get(name)?.kind === 'output')
  return Object.fromEntries(made.map((name) => [name, text(inference.valueIn(inference.root, name))]))
}

export interface OneNode extends InferOptions {
  readonly opset?: number
  readonly outputs?: number
}

/** The outputs of one node as text, or why it cannot be. An input named `_` is left out. */
export function inferred(
  opType: string,
  inputs: Readonly<Record<string, string | Tensor>>,
  attributes: Attributes = {},
  { opset = 22, outputs = 1, ...options }: OneNode = {},
): string[] {
  const given = Object.fromEntries(Object.entries(inputs).filter(([name]) => !name.startsWith('_')))
  const names = Object.keys(inputs).map((name) => (name.startsWith('_') ? '-' : name))
  const results = Array.from({ length: outputs }, (_, i) => `y${i === 0 ? '' : i}`)
  const nodes = [node(opType, names.join(' '), results.join(' '), attributes)]
  const inference = inferShapes(modelOf({ inputs: given, nodes, opset }), options)
  if (inference.findings.length > 0) return inference.findings.map(({ message }) => `fails: ${message}`)
  return results.map((name) => text(inference.valueOf(inference.root.scope, name)))
}

// The messages of an ONNX model that a test needs: graph, nodes, attributes, opset versions, inputs and outputs.
// Fields that decide nothing here (documentation, metadata, declared shapes) are skipped.

import { readTensor, type TensorProto, UnsupportedOnnxError } from './tensor.ts'
import {
  DamagedOnnxError,
  type Field,
  fields,
  float,
  int64,
  integer,
  message,
  repeatedFloat,
  repeatedVarint,
  type Span,
  spanOf,
  text,
} from './wire.ts'

export type Attribute =
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'tensor'; readonly value: TensorProto }
  | { readonly type: 'floats'; readonly value: readonly number[] }
  | { readonly type: 'ints'; readonly value: readonly bigint[] }
  | { readonly type: 'strings'; readonly value: readonly string[] }
  /** Graphs, types, sparse tensors: no operator of the runner reads one. */
  | { readonly type: 'other' }

export interface Node {
  readonly op: string
  /** '' is the ONNX domain itself. */
  readonly domain: string
  readonly name: string
  /** An absent optional input is ''. */
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes: ReadonlyMap<string, Attribute>
}

export interface Model {
  readonly irVersion: number
  /** Version of each imported operator set, by domain. */
  readonly opsets: ReadonlyMap<string, number>
  readonly nodes: readonly Node[]
  readonly initializers: readonly TensorProto[]
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
}

const domainOf = (name: string): string => (name === 'ai.onnx' ? '' : name)

interface AttributeFields {
  name: string
  type: number
  f: number
  i: bigint
  s: string
  t: TensorProto | undefined
  floats: number[]
  ints: bigint[]
  strings: string[]
}

function readAttributeField(into: AttributeFields, field: Field): void {
  if (field.number === 1) into.name = text(field)
  else if (field.number === 2) into.f = float(field)
  else if (field.number === 3) into.i = int64(field)
  else if (field.number === 4) into.s = text(field)
  else if (field.number === 5) into.t = readTensor(message(field))
  else if (field.number === 7) into.floats.push(...repeatedFloat(field))
  else if (field.number === 8) into.ints.push(...repeatedVarint(field).map((bits) => BigInt.asIntN(64, bits)))
  else if (field.number === 9) into.strings.push(text(field))
  else if (field.number === 20) into.type = integer(field)
  else if (field.number === 21) throw new UnsupportedOnnxError('an attribute refers to an attribute of a function')
}

/** The type that the field with a value shows: files of the first IR version leave AttributeProto.type out. */
const TYPE_OF_FIELD: Readonly<Record<number, number>> = { 2: 1, 3: 2, 4: 3, 5: 4, 7: 6, 8: 7, 9: 8 }

/** AttributeProto.type says which of its fields counts; a default value may be left out of the file. */
function readAttribute(span: Span): [string, Attribute] {
  const at: AttributeFields = {
    name: '',
    type: 0,
    f: 0,
    i: 0n,
    s: '',
    t: undefined,
    floats: [],
    ints: [],
    strings: [],
  }
  let shown = 0
  for (const field of fields(span)) {
    readAttributeField(at, field)
    shown = TYPE_OF_FIELD[field.number] ?? shown
  }
  if (at.name === '') throw new DamagedOnnxError('an attribute has no name', span.start)
  switch (at.type || shown) {
    case 0:
      throw new DamagedOnnxError(`attribute ${JSON.stringify(at.name)} has no type`, span.start)
    case 1:
      return [at.name, { type: 'float', value: at.f }]
    case 2:
      return [at.name, { type: 'int', value: at.i }]
    case 3:
      return [at.name, { type: 'string', value: at.s }]
    case 4:
      if (at.t === undefined)
        throw new DamagedOnnxError(`attribute ${JSON.stringify(at.name)} has no tensor`, span.start)
      return [at.name, { type: 'tensor', value: at.t }]
    case 6:
      return [at.name, { type: 'floats', value: at.floats }]
    case 7:
      return [at.name, { type: 'ints', value: at.ints }]
    case 8:
      return [at.name, { type: 'strings', value: at.strings }]
    default:
      return [at.name, { type: 'other' }]
  }
}

function readNode(span: Span): Node {
  const inputs: string[] = []
  const outputs: string[] = []
  const attributes = new Map<string, Attribute>()
  let op = ''
  let domain = ''
  let name = ''
  for (const field of fields(span)) {
    if (field.number === 1) inputs.push(text(field))
    else if (field.number === 2) outputs.push(text(field))
    else if (field.number === 3) name = text(field)
    else if (field.number === 4) op = text(field)
    else if (field.number === 5) attributes.set(...readAttribute(message(field)))
    else if (field.number === 7) domain = domainOf(text(field))
  }
  if (op === '') throw new DamagedOnnxError('a node has no operator', span.start)
  return { op, domain, name, inputs, outputs, attributes }
}

function readValueName(span: Span): string {
  for (const field of fields(span)) if (field.number === 1) return text(field)
  throw new DamagedOnnxError('a graph input or output has no name', span.start)
}

function readOpset(span: Span): [string, number] {
  let domain = ''
  let version = 0
  for (const field of fields(span)) {
    if (field.number === 1) domain = domainOf(text(field))
    else if (field.number === 2) version = integer(field)
  }
  if (version < 1) throw new DamagedOnnxError(`an operator set has version ${version}`, span.start)
  return [domain, version]
}

type Graph = Pick<Model, 'nodes' | 'initializers' | 'inputs' | 'outputs'>

function readGraph(span: Span): Graph {
  const nodes: Node[] = []
  const initializers: TensorProto[] = []
  const inputs: string[] = []
  const outputs: string[] = []
  for (const field of fields(span)) {
    if (field.number === 1) nodes.push(readNode(message(field)))
    else if (field.number === 5) initializers.push(readTensor(message(field)))
    else if (field.number === 11) inputs.push(readValueName(message(field)))
    else if (field.number === 12) outputs.push(readValueName(message(field)))
    else if (field.number === 15) throw new UnsupportedOnnxError('the graph has a sparse initializer')
  }
  return { nodes, initializers, inputs, outputs }
}

export function readModel(bytes: Uint8Array): Model {
  const opsets = new Map<string, number>()
  let irVersion = 0
  let graph: Graph | undefined
  for (const field of fields(spanOf(bytes))) {
    if (field.number === 1) irVersion = integer(field)
    else if (field.number === 7) graph = readGraph(message(field))
    else if (field.number === 8) opsets.set(...readOpset(message(field)))
    else if (field.number === 25) throw new UnsupportedOnnxError('the model defines functions of its own')
  }
  if (graph === undefined) throw new DamagedOnnxError('the model has no graph', 0)
  // Models older than IR version 3 import nothing and mean operator set 1.
  if (opsets.size === 0) opsets.set('', 1)
  return { irVersion, opsets, ...graph }
}

// Builds scopes from messages, in one pass over nodes and names.
import type { AttributeProto, FunctionProto, GraphProto, NodeProto, ValueInfoProto } from '../proto/onnx_pb.ts'
import { Attributes } from './attributes.ts'
import {
  type Definition,
  type FunctionBody,
  type Graph,
  type Initializer,
  type Node,
  nodeLabel,
  type Scope,
  type Subgraph,
  type Use,
} from './scope.ts'
import { declaredValue, sparseTypeOf, tensorTypeOf, unknownType, type Value } from './value.ts'

/** ONNX's own domain has two spellings. */
export const domainOf = (name: string): string => (name === 'ai.onnx' ? '' : name)

/** The first entry of each name counts; the structural checks report the others. */
function byName<T extends { readonly name: string }>(entries: Iterable<T>): Map<string, T> {
  const map = new Map<string, T>()
  for (const entry of entries) if (!map.has(entry.name)) map.set(entry.name, entry)
  return map
}

/** The graphs of an attribute with their paths; most attributes have none. */
function graphsOf(attribute: AttributeProto, path: string): (readonly [GraphProto, string])[] {
  const one = attribute.g === undefined ? [] : [[attribute.g, `${path}.g`] as const]
  return [...one, ...attribute.graphs.map((graph, i) => [graph, `${path}.graphs[${i}]`] as const)]
}

const none: readonly Subgraph[] = []

function viewSubgraphs(node: Node, opsets: Graph['opsets']): readonly Subgraph[] {
  if (node.proto.attribute.every(({ g, graphs }) => g === undefined && graphs.length === 0)) return none
  return node.proto.attribute.flatMap((attribute, i) =>
    graphsOf(attribute, `${node.scope.path}.node[${node.index}].attribute[${i}]`).map(([graph, path]) => ({
      attribute: attribute.name,
      graph: viewGraph(graph, path, opsets, node),
    })),
  )
}

function viewNode(proto: NodeProto, index: number, scope: Scope): Node {
  const node: { -readonly [K in keyof Node]: Node[K] } = {
    proto,
    scope,
    index,
    name: proto.name,
    opType: proto.opType,
    domain: domainOf(proto.domain),
    overload: proto.overload,
    inputs: proto.input,
    outputs: proto.output,
    subgraphs: none,
    attributes: undefined as never,
  }
  node.subgraphs = viewSubgraphs(node, scope.opsets)
  node.attributes = new Attributes(() => nodeLabel(node), proto.attribute, node.subgraphs)
  return node
}

/** Parts of a scope while it is filled. */
interface Filling {
  readonly nodes: Node[]
  readonly definitions: Map<string, Definition>
  readonly uses: Map<string, Use[]>
  readonly outerNames: Set<string>
}

const filling = (): Filling => ({ nodes: [], definitions: new Map(), uses: new Map(), outerNames: new Set() })

function define({ definitions }: Filling, name: string, definition: Definition): void {
  if (name !== '' && !definitions.has(name)) definitions.set(name, definition)
}

function use({ uses }: Filling, name: string, by: Use): void {
  if (name === '') return
  const entry = uses.get(name)
  if (entry === undefined) uses.set(name, [by])
  else entry.push(by)
}

/** `constants`: inputs that are none, for their initializers are no defaults. */
function fill(
  into: Filling,
  scope: Scope,
  protos: readonly NodeProto[],
  constants?: ReadonlyMap<string, unknown>,
): void {
  for (const [index, { name }] of scope.inputs.entries()) {
    if (constants?.has(name) !== true) define(into, name, { kind: 'input', index })
  }
  if (scope.kind === 'graph') {
    for (const initializer of scope.initializers.values()) {
      define(into, initializer.name, { kind: 'initializer', initializer })
    }
  }
  for (const [index, proto] of protos.entries()) {
    const node = viewNode(proto, index, scope)
    into.nodes.push(node)
    for (const [i, name] of node.outputs.entries()) define(into, name, { kind: 'output', node, index: i })
    for (const [input, name] of node.inputs.entries()) use(into, name, { node, input })
    const captured = new Set(node.subgraphs.flatMap(({ graph }) => [...graph.outerNames]))
    for (const name of captured) use(into, name, { node, input: undefined })
  }
  for (const name of into.uses.keys()) if (!into.definitions.has(name)) into.outerNames.add(name)
  for (const { name } of scope.outputs) if (name !== '' && !into.definitions.has(name)) into.outerNames.add(name)
}

function* initializersOf(proto: GraphProto): Generator<Initializer> {
  for (const tensor of proto.initializer) {
    yield { name: tensor.name, sparse: false, type: tensorTypeOf(tensor), proto: tensor }
  }
  for (const tensor of proto.sparseInitializer) {
    yield { name: tensor.values?.name ?? '', sparse: true, type: sparseTypeOf(tensor), proto: tensor }
  }
}

export function viewGraph(
  proto: GraphProto,
  path: string,
  opsets: ReadonlyMap<string, number>,
  parent: Node | undefined,
  hasDefaults = true,
): Graph {
  const parts = filling()
  const graph: Graph = {
    kind: 'graph',
    proto,
    path,
    parent,
    opsets,
    name: proto.name,
    inputs: proto.input.map(declaredValue),
    outputs: proto.output.map(declaredValue),
    valueInfo: byName(proto.valueInfo.map(declaredValue)),
    initializers: byName(initializersOf(proto)),
    ...parts,
  }
  fill(parts, graph, proto.node, hasDefaults ? undefined : graph.initializers)
  return graph
}

function functionValue(name: string, infos: ReadonlyMap<string, ValueInfoProto>): Value {
  const proto = infos.get(name)
  return proto === undefined ? { name, type: unknownType, proto } : declaredValue(proto)
}

export function viewFunction(proto: FunctionProto, path: string, opsets: ReadonlyMap<string, number>): FunctionBody {
  const parts = filling()
  const infos = byName(proto.valueInfo)
  const body: FunctionBody = {
    kind: 'function',
    proto,
    path,
    parent: undefined,
    opsets,
    name: proto.name,
    domain: domainOf(proto.domain),
    overload: proto.overload,
    inputs: proto.input.map((name) => functionValue(name, infos)),
    outputs: proto.output.map((name) => functionValue(name, infos)),
    valueInfo: byName(proto.valueInfo.map(declaredValue)),
    attributeNames: proto.attribute,
    defaults: new Attributes(() => `function ${proto.name}`, proto.attributeProto, none),
    ...parts,
  }
  fill(parts, body, proto.node)
  return body
}

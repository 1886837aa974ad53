// What a model looks like to the code that works on it: scopes (graphs, and bodies of functions) with their nodes, the
// names they define and use, and the names they take from the scopes around them. Every part keeps the message it
// shows, so that a rewrite edits messages, writes them, and looks again.
import type { FunctionProto, GraphProto, NodeProto, SparseTensorProto, TensorProto } from '../proto/onnx_pb.ts'
import type { Attributes } from './attributes.ts'
import type { Value, ValueType } from './value.ts'

/** A node of a graph: an operator, its operands and results. */
export interface Node {
  readonly proto: NodeProto
  /** The graph or function it is in. */
  readonly scope: Scope
  /** Its place in the scope. */
  readonly index: number
  /** Often empty, and not always unique. */
  readonly name: string
  readonly opType: string
  /** Empty for ONNX's own operators, also where the file says `ai.onnx`. */
  readonly domain: string
  readonly overload: string
  /** Names of values; an optional input that is left out is empty. */
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes: Attributes<Graph>
  /** The graphs in its attributes, in the order of the file. */
  readonly subgraphs: readonly Subgraph[]
}

/** A graph that is an attribute of a node, such as a branch of If. */
export interface Subgraph {
  readonly attribute: string
  readonly graph: Graph
}

/** A constant of a graph. */
export type Initializer =
  | { readonly name: string; readonly sparse: false; readonly type: ValueType; readonly proto: TensorProto }
  | { readonly name: string; readonly sparse: true; readonly type: ValueType; readonly proto: SparseTensorProto }

/** Where a name gets its value. An input may have an initializer of the same name as its default; see `defaultOf`. */
export type Definition =
  | { readonly kind: 'input'; readonly index: number }
  | { readonly kind: 'initializer'; readonly initializer: Initializer }
  | { readonly kind: 'output'; readonly node: Node; readonly index: number }

/** A node that reads a name: as an input, or (`input` undefined) through a subgraph that takes it from outside. */
export interface Use {
  readonly node: Node
  readonly input: number | undefined
}

interface ScopeParts {
  /** As `graph` or `graph.node[3].attribute[0].g`, which is also how errors of reading name it. */
  readonly path: string
  readonly nodes: readonly Node[]
  readonly inputs: readonly Value[]
  readonly outputs: readonly Value[]
  /** Declared types of other values, by name. */
  readonly valueInfo: ReadonlyMap<string, Value>
  /** Versions of the operator sets that its nodes mean, by domain. */
  readonly opsets: ReadonlyMap<string, number>
  /** The first definition of each name that the scope itself defines. */
  readonly definitions: ReadonlyMap<string, Definition>
  /** Uses of each name by the nodes of the scope itself. */
  readonly uses: ReadonlyMap<string, readonly Use[]>
  /** Names that are used here or further inside, and defined neither here nor there. */
  readonly outerNames: ReadonlySet<string>
}

/** A graph of a model: nodes, inputs, outputs and constants. */
export interface Graph extends ScopeParts {
  readonly kind: 'graph'
  readonly proto: GraphProto
  readonly name: string
  /** The node whose attribute it is; undefined for the model's graph. */
  readonly parent: Node | undefined
  /** By name, dense and sparse ones. */
  readonly initializers: ReadonlyMap<string, Initializer>
}

/** A function that the model defines itself. Its body sees its inputs and nothing else. */
export interface FunctionBody extends ScopeParts {
  readonly kind: 'function'
  readonly proto: FunctionProto
  readonly parent: undefined
  readonly name: string
  readonly domain: string
  readonly overload: string
  /** Attributes that a caller must give. */
  readonly attributeNames: readonly string[]
  /** Attributes that have a default. */
  readonly defaults: Attributes
}

/** What names are looked up in: a graph, or the body of a function. */
export type Scope = Graph | FunctionBody

/** What a name stands for in a scope. */
export interface Resolved {
  readonly scope: Scope
  readonly definition: Definition
}

/** What a name means in a scope: its definition there or in the nearest scope around it. */
export function resolve(scope: Scope, name: string): Resolved | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent?.scope) {
    const definition = at.definitions.get(name)
    if (definition !== undefined) return { scope: at, definition }
  }
  return undefined
}

/** The declared type of a name in a scope, from whatever declares it first: input, initializer, value_info, output. */
export function declaredType(scope: Scope, name: string): ValueType | undefined {
  const found = resolve(scope, name)
  if (found === undefined) return undefined
  const { definition, scope: at } = found
  if (definition.kind === 'input') return at.inputs[definition.index]!.type
  if (definition.kind === 'initializer') return definition.initializer.type
  return at.valueInfo.get(name)?.type ?? at.outputs.find((output) => output.name === name)?.type
}

/** Whether it is ONNX's own If. */
export const isIf = ({ opType, domain }: Node): boolean => opType === 'If' && domain === ''

/** Where a node is in its model, as messages name it. */
export const nodePath = ({ scope, index }: Node): string => `${scope.path}.node[${index}]`

/**
 * A node in words: `node 3 "conv1" (Conv)`, `node 4 (Relu) in graph.node[1].attribute[0].g`.
 *
 * @example
 * ```ts
 * nodeLabel(model.graph.nodes[0]) // 'node 0 "shift" (Add)'
 * ```
 */
export function nodeLabel({ scope, index, name, opType }: Node): string {
  const named = name === '' ? '' : ` ${JSON.stringify(name)}`
  const where = scope.kind === 'graph' && scope.parent === undefined ? '' : ` in ${scope.path}`
  return `node ${index}${named} (${opType})${where}`
}

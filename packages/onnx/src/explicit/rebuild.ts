// A model with other nodes: what changes is given by scope, everything else is shared with the model it was.
import { changed } from '../model/build.ts'
import { type Model, viewModel } from '../model/model.ts'
import type { Graph, Node, Scope } from '../model/scope.ts'
import type { AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, TensorProto } from '../proto/onnx_pb.ts'

export interface ScopeEdit {
  /** What stands in the place of a node, by its index. Its own message comes with the graphs in it rebuilt. */
  readonly nodes: ReadonlyMap<number, (own: NodeProto) => readonly NodeProto[]>
  readonly initializers: readonly TensorProto[]
  /** Initializers that nothing reads any more. */
  readonly dropped: ReadonlySet<string>
  /** Other versions of operator sets; of functions and of the model's graph. */
  readonly opsets: FunctionProto['opsetImport'] | undefined
}

type Edits = ReadonlyMap<Scope, ScopeEdit>

/** The attributes of a node with other graphs in them; each that stays the same is shared. */
export function withGraphs(node: Node, rebuilt: (graph: Graph) => GraphProto): readonly AttributeProto[] {
  let next = 0
  return node.proto.attribute.map((attribute) => {
    if (attribute.g === undefined && attribute.graphs.length === 0) return attribute
    // Subgraphs are listed as they stand: `g`, then `graphs`, attribute by attribute.
    const another = (): GraphProto => rebuilt(node.subgraphs[next++]!.graph)
    const g = attribute.g === undefined ? undefined : another()
    const graphs = attribute.graphs.map(another)
    const isSame = g === attribute.g && isSameList(graphs, attribute.graphs)
    return isSame ? attribute : changed(attribute, { ...(g === undefined ? {} : { g }), graphs })
  })
}

function rebuiltNodes({ nodes }: Scope, edit: ScopeEdit | undefined, edits: Edits): readonly NodeProto[] {
  return nodes.flatMap((node) => {
    const attribute = withGraphs(node, (graph) => rebuiltGraph(graph, edits))
    const isSame = isSameList(attribute, node.proto.attribute)
    const own = isSame ? node.proto : changed(node.proto, { attribute: [...attribute] })
    return edit?.nodes.get(node.index)?.(own) ?? [own]
  })
}

export const isSameList = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i])

function rebuiltGraph(graph: Graph, edits: Edits): GraphProto {
  const edit = edits.get(graph)
  const node = rebuiltNodes(graph, edit, edits)
  const { proto } = graph
  const initializer = [
    ...proto.initializer.filter(({ name }) => edit?.dropped.has(name) !== true),
    ...(edit?.initializers ?? []),
  ]
  if (isSameList(node, proto.node) && isSameList(initializer, proto.initializer)) return proto
  // What old files list as an input too would have to be given without its initializer.
  const input = proto.input.filter(({ name }) => edit?.dropped.has(name) !== true)
  return changed(proto, { node: [...node], initializer, input })
}

/** The model with these edits; itself when they change nothing. */
export function rebuilt(model: Model, edits: Edits): Model {
  const { proto } = model
  const graph = rebuiltGraph(model.graph, edits)
  const functions = model.functions.map((body) => {
    const node = rebuiltNodes(body, edits.get(body), edits)
    const opsetImport = edits.get(body)?.opsets ?? body.proto.opsetImport
    const isSame = isSameList(node, body.proto.node) && opsetImport === body.proto.opsetImport
    return isSame ? body.proto : changed(body.proto, { node: [...node], opsetImport })
  })
  const opsetImport: ModelProto['opsetImport'] = edits.get(model.graph)?.opsets ?? proto.opsetImport
  const isSame = graph === proto.graph && isSameList(functions, proto.functions) && opsetImport === proto.opsetImport
  return isSame ? model : viewModel(changed(proto, { graph, functions, opsetImport }))
}

// Runs a model in onnxruntime with every value inside it as an output: those of its graph, and those of the branches
// that the run takes, which are put in the place of their If nodes first.
import { type Graph, type Model, type Scope, tensorOf } from '@bcast/onnx'
import { type GraphProto, type NodeProto, NodeProtoSchema, ValueInfoProtoSchema } from '@bcast/onnx/proto'
import { create } from '@bufbuild/protobuf'
import * as ort from 'onnxruntime-node'
import type { Actual } from './agree.ts'
import { runModel } from './onnxruntime.ts'

/** An input of a run. */
export interface Feed {
  readonly element: 'float32' | 'int64'
  readonly shape: readonly number[]
  readonly elements: Float32Array | BigInt64Array
}

/** A value of a run: what it is called in its scope. */
export interface Exposed {
  readonly scope: Scope
  readonly name: string
  readonly actual: Actual
}

/** A node, or one of a branch that is taken, with the names that its values have in the flat graph. */
interface FlatNode {
  readonly proto: NodeProto
  /** Where each output comes from. */
  readonly origins: readonly { readonly scope: Scope; readonly name: string }[]
  /** Branches of an If that is not yet resolved. */
  readonly branches:
    | { readonly taken: Graph; readonly otherwise: Graph; readonly names: ReadonlyMap<string, string> }
    | undefined
}

type Names = ReadonlyMap<string, string>

/** A message with other fields; those that are not set come from the prototype, so it is kept. */
const changed = <T extends object>(message: T, fields: Partial<T>): T =>
  Object.assign(Object.create(Object.getPrototypeOf(message)), message, fields)

/** A graph in an attribute, with the names that it takes from around it renamed. */
function renamedGraph(graph: GraphProto, names: Names): GraphProto {
  const renamed = (all: readonly string[]): string[] => all.map((name) => names.get(name) ?? name)
  return changed(graph, {
    node: graph.node.map((node) =>
      changed(node, {
        input: renamed(node.input),
        attribute: node.attribute.map((each) =>
          each.g === undefined ? each : changed(each, { g: renamedGraph(each.g, names) }),
        ),
      }),
    ),
    output: graph.output.map((value) => changed(value, { name: names.get(value.name) ?? value.name })),
  })
}

/** The nodes of a scope under the names of the flat graph. */
function flatten(scope: Scope, outer: Names): { readonly nodes: FlatNode[]; readonly names: Names } {
  const names = new Map(outer)
  const isRoot = scope.kind === 'graph' && scope.parent === undefined
  for (const name of scope.definitions.keys()) names.set(name, isRoot ? name : `${scope.path}/${name}`)
  const nodes = scope.nodes.map((node): FlatNode => {
    const proto = create(NodeProtoSchema, {
      opType: node.opType,
      domain: node.domain,
      attribute: node.proto.attribute.map((each) =>
        each.g === undefined ? each : changed(each, { g: renamedGraph(each.g, names) }),
      ),
      input: node.inputs.map((name) => names.get(name) ?? name),
      output: node.outputs.map((name) => names.get(name) ?? name),
    })
    const origins = node.outputs.map((name) => ({ scope, name }))
    const isIf = node.opType === 'If'
    return {
      proto,
      origins,
      branches: isIf
        ? { taken: node.attributes.graph('then_branch'), otherwise: node.attributes.graph('else_branch'), names }
        : undefined,
    }
  })
  return { nodes, names }
}

/** The nodes of the branch that an If takes, and its outputs under the If's names. */
function taken({ proto, origins, branches }: FlatNode, condition: boolean): FlatNode[] {
  const graph = condition ? branches!.taken : branches!.otherwise
  const inner = flatten(graph, branches!.names)
  const constants = [...graph.initializers.values()].flatMap((initializer) =>
    initializer.sparse
      ? []
      : [
          create(NodeProtoSchema, {
            opType: 'Constant',
            output: [inner.names.get(initializer.name)!],
            attribute: [{ name: 'value', type: 4, t: initializer.proto }],
          }),
        ],
  )
  const outputs = graph.outputs.map(({ name }, i) =>
    create(NodeProtoSchema, { opType: 'Identity', input: [inner.names.get(name) ?? name], output: [proto.output[i]!] }),
  )
  return [
    ...constants.map((each): FlatNode => ({ proto: each, origins: [], branches: undefined })),
    ...inner.nodes,
    ...outputs.map((each, i): FlatNode => ({ proto: each, origins: [origins[i]!], branches: undefined })),
  ]
}

async function runFlat(
  model: Model,
  nodes: readonly FlatNode[],
  feeds: Readonly<Record<string, Feed>>,
): Promise<Map<string, Actual>> {
  const known = new Set(model.graph.outputs.map(({ name }) => name))
  const output = nodes.flatMap(({ proto }) => proto.output).filter((name) => name !== '' && !known.has(name))
  const graph = changed(model.proto.graph!, {
    node: nodes.map((each) => each.proto),
    output: [...model.proto.graph!.output, ...output.map((name) => create(ValueInfoProtoSchema, { name }))],
    valueInfo: [],
  })
  const proto = changed(model.proto, { graph })
  const tensors = Object.entries(feeds).map(
    ([name, { element, elements, shape }]) => [name, new ort.Tensor(element, elements as never, shape)] as const,
  )
  const results = await runModel({ proto }, Object.fromEntries(tensors))
  if (results === undefined) throw new Error('onnxruntime refuses the model with all its values as outputs')
  return results
}

/** The first element of an initializer of the model's graph. */
function initialElement({ graph }: Model, name: string): unknown {
  const initializer = graph.initializers.get(name)
  return initializer === undefined || initializer.sparse ? undefined : tensorOf(initializer.proto).data[0]
}

/** Every value that a run of the model makes, but for those inside loops. */
export async function exposeValues(model: Model, feeds: Readonly<Record<string, Feed>>): Promise<Exposed[]> {
  let { nodes } = flatten(model.graph, new Map())
  for (;;) {
    const results = await runFlat(model, nodes, feeds)
    if (nodes.every(({ branches }) => branches === undefined)) {
      return nodes.flatMap(({ proto, origins }) =>
        origins.flatMap((origin, i) => {
          const actual = results.get(proto.output[i]!)
          return actual === undefined ? [] : [{ ...origin, actual }]
        }),
      )
    }
    const condition = ({ proto }: FlatNode): boolean => {
      const name = proto.input[0]!
      const element = results.get(name)?.elements?.[0] ?? feeds[name]?.elements[0] ?? initialElement(model, name)
      if (element === undefined) throw new Error(`nothing tells the condition ${name}`)
      return Boolean(element)
    }
    nodes = nodes.flatMap((node) => (node.branches === undefined ? [node] : taken(node, condition(node))))
  }
}

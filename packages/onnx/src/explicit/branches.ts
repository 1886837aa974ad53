// If nodes whose condition the given inputs decide: the branch that is taken stands in their place. The other one may
// not fit the sizes that the model then declares, and engines look at both when they load it.
import { create } from '@bufbuild/protobuf'
import { type InferOptions, inferShapes } from '../infer/infer.ts'
import type { Inference } from '../infer/inference.ts'
import { changed, constantNode, FreshNames } from '../model/build.ts'
import { type Model, viewModel } from '../model/model.ts'
import { type FunctionBody, type Graph, isIf, type Node, type Scope, type Subgraph } from '../model/scope.ts'
import {
  type FunctionProto,
  type GraphProto,
  type NodeProto,
  NodeProtoSchema,
  type TensorProto,
  type ValueInfoProto,
} from '../proto/onnx_pb.ts'
import { scopesOf } from '../structure/check.ts'
import { isSameList, withGraphs } from './rebuild.ts'
import type { InlinedBranch } from './report.ts'
import { constantsAreNodes, namesOf } from './workspace.ts'

export interface Inlined {
  readonly model: Model
  readonly inlined: readonly InlinedBranch[]
}

/** New names of values, by their names in the scope that is looked at. */
type Names = ReadonlyMap<string, string>

/** What branches bring along for the graph that they are put into. */
interface Brought {
  readonly initializers: TensorProto[]
  readonly valueInfo: ValueInfoProto[]
}

/** What a graph holds that has no place among nodes stays with it. */
const isPlain = ({ proto }: Graph): boolean =>
  proto.sparseInitializer.length === 0 && proto.quantizationAnnotation.length === 0

/** Names that a scope defines hide those around it. */
const visibleIn = ({ definitions }: Scope, names: Names): Map<string, string> =>
  new Map([...names].filter(([name]) => !definitions.has(name)))

const renamed = <T extends { name: string }>(named: T, names: Names): T => {
  const name = names.get(named.name)
  return name === undefined ? named : (changed(named as object, { name }) as T)
}

const listed = (list: readonly string[], names: Names): string[] => list.map((name) => names.get(name) ?? name)

class Inlining {
  readonly inlined: InlinedBranch[] = []
  readonly #model: Model
  readonly #inference: Inference
  readonly #fresh: FreshNames
  /** In how many scopes a name is defined. */
  readonly #definitions = new Map<string, number>()

  constructor(model: Model, inference: Inference) {
    this.#model = model
    this.#inference = inference
    this.#fresh = new FreshNames(namesOf(model))
    for (const { definitions } of scopesOf(model)) {
      for (const name of definitions.keys()) this.#definitions.set(name, (this.#definitions.get(name) ?? 0) + 1)
    }
  }

  run(): Inlined {
    const { proto, graph, functions } = this.#model
    const fields = {
      graph: this.#graph(graph, new Map()),
      functions: functions.map((body) => this.#function(body)),
    }
    const model = this.inlined.length === 0 ? this.#model : viewModel(changed(proto, fields))
    return { model, inlined: this.inlined }
  }

  /** The branch that every walk takes. */
  #takenBy(node: Node): Subgraph | undefined {
    if (!isIf(node)) return undefined
    const [first, ...others] = this.#inference
      .framesOf(node.scope)
      .map(({ entered }) => node.subgraphs.filter(({ graph }) => entered.has(graph)))
    const [taken] = first ?? []
    const isAgreed = first?.length === 1 && others.every((each) => each.length === 1 && each[0] === taken)
    return isAgreed && isPlain(taken!.graph) ? taken : undefined
  }

  #function(body: FunctionBody): FunctionProto {
    const brought: Brought = { initializers: [], valueInfo: [] }
    const node = this.#nodes(body, new Map(), brought)
    return isSameList(node, body.proto.node) ? body.proto : changed(body.proto, { node })
  }

  #graph(graph: Graph, outer: Names): GraphProto {
    const { proto, valueInfo } = graph
    const names = visibleIn(graph, outer)
    const brought: Brought = { initializers: [], valueInfo: [] }
    const node = this.#nodes(graph, names, brought)
    const output = proto.output.map((each) => renamed(each, names))
    if (isSameList(node, proto.node) && isSameList(output, proto.output)) return proto
    const declared = new Set([...valueInfo.keys(), ...output.map(({ name }) => name)])
    return changed(proto, {
      ...{ node, output, initializer: [...proto.initializer, ...brought.initializers] },
      valueInfo: [...proto.valueInfo, ...brought.valueInfo.filter(({ name }) => !declared.has(name))],
    })
  }

  #nodes(scope: Scope, names: Names, brought: Brought): NodeProto[] {
    return scope.nodes.flatMap((node) => {
      const branch = this.#takenBy(node)
      return branch === undefined ? [this.#node(node, names)] : this.#branch(node, branch, names, brought)
    })
  }

  #node(node: Node, names: Names): NodeProto {
    const { proto } = node
    const attribute = withGraphs(node, (graph) => this.#graph(graph, names))
    const [input, output] = [listed(proto.input, names), listed(proto.output, names)]
    const isSame =
      isSameList(attribute, proto.attribute) && isSameList(input, proto.input) && isSameList(output, proto.output)
    return isSame ? proto : changed(proto, { input, output, attribute: [...attribute] })
  }

  /** The nodes of a branch, whose outputs have the names that those of its If had. */
  #branch(node: Node, { attribute, graph }: Subgraph, outer: Names, brought: Brought): NodeProto[] {
    this.inlined.push({ node, branch: attribute })
    const results = listed(node.outputs, outer)
    const names = visibleIn(graph, outer)
    const copied = graph.outputs.flatMap(({ name }, i): (readonly [string, string])[] => {
      const result = results[i] ?? ''
      if (result === '') return []
      if (graph.definitions.get(name)?.kind !== 'output' || names.has(name)) return [[name, result]]
      names.set(name, result)
      return []
    })
    for (const name of graph.definitions.keys()) {
      if (!names.has(name) && this.#definitions.get(name)! > 1) names.set(name, this.#fresh.make(name))
    }
    const constants = graph.proto.initializer.map((each) => renamed(each, names))
    const asNodes = constantsAreNodes(this.#model, graph)
    if (!asNodes) brought.initializers.push(...constants)
    const typed = [...graph.proto.valueInfo, ...graph.proto.output].filter(({ type }) => type !== undefined)
    brought.valueInfo.push(...typed.map((each) => renamed(each, names)))
    return [
      ...(asNodes ? constants.map((each) => constantNode(each.name, each)) : []),
      ...this.#nodes(graph, names, brought),
      ...copied.map(([name, result]) =>
        create(NodeProtoSchema, { opType: 'Identity', name: result, input: listed([name], names), output: [result] }),
      ),
    ]
  }
}

/** The model with the branches in place that the shapes of its inputs decide; itself where they decide none. */
export function inlineBranches(model: Model, options: InferOptions): Inlined {
  const isGiven = Object.keys(options.inputs ?? {}).length > 0
  const none = { model, inlined: [] }
  if (!isGiven || ![...scopesOf(model)].some(({ nodes }) => nodes.some(isIf))) return none
  // A branch for empty inputs is not given up where sizes stay open.
  const inference = inferShapes(model, { symbolBounds: { min: 0 }, ...options })
  return inference.complete ? new Inlining(model, inference).run() : none
}

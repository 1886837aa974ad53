// From scopes to blocks: names become slots, functions go into the place of their calls, nodes that nothing needs are
// left out, constants are computed, and what cannot be run is collected.
import type { Tensor } from 'bcast'
import { UnsupportedError, type UnsupportedOperator } from '../errors/index.ts'
import { boundAttributes, givenAttributes } from '../infer/bind.ts'
import type { Frame } from '../infer/frame.ts'
import type { Inference } from '../infer/inference.ts'
import type { Attributes } from '../model/attributes.ts'
import { defaultOf, givenInputs } from '../model/defaults.ts'
import type { ExternalFiles } from '../model/external.ts'
import { functionOf, type Model } from '../model/model.ts'
import { type FunctionBody, type Graph, isIf, type Node, nodeLabel, type Scope } from '../model/scope.ts'
import { elementsOf, tensorOf } from '../model/tensor-data.ts'
import { constantResults } from './constant.ts'
import { fusedKernel, isElementwise, operandsOf, partition } from './fuse.ts'
import { Names, neededNodes } from './names.ts'
import { rowOf } from './operators/index.ts'
import type { Block, FlatNode, Slot, Step } from './program.ts'
import { capturedBy, withReleases } from './release.ts'
import type { NodeUse } from './use.ts'

export interface FlattenOptions {
  readonly files: ExternalFiles | undefined
  /** Whether element-wise nodes become one kernel where they can. */
  readonly fuse: boolean
}

/** Where a scope is being flattened. */
interface Place {
  readonly names: Names
  /** The walk of inference through it, if there was one. */
  readonly frame: Frame | undefined
  /** In a function, what the call gives for its attributes. */
  readonly given: Attributes<Graph> | undefined
}

export class Flattening {
  /** Values that are the same in every run. */
  readonly constants: Map<Slot, Tensor> = new Map()
  /** Values of inputs that are not given. */
  readonly defaults: Map<Slot, Tensor> = new Map()
  readonly unsupported: Map<string, UnsupportedOperator> = new Map()
  /** Outputs of graphs that nothing makes, in words. */
  readonly unmade: string[] = []
  readonly #model: Model
  readonly #inference: Inference
  readonly #options: FlattenOptions
  /** What shapes are called, as far as inference knows them. */
  readonly #shapes = new Map<Slot, string>()
  #slots = 0

  constructor(model: Model, inference: Inference, options: FlattenOptions) {
    this.#model = model
    this.#inference = inference
    this.#options = options
  }

  get slots(): number {
    return this.#slots
  }

  #slot(): Slot {
    return this.#slots++
  }

  /** The model's graph. Inputs that have a default may be given or not. */
  model(): Block {
    const { graph } = this.#model
    return this.#graph(graph, { names: new Names(), frame: this.#inference.root, given: undefined })
  }

  #graph(graph: Graph, place: Place): Block {
    const { names } = place
    const inputs = givenInputs(graph).map(({ name }) => this.#named(place, name))
    const nodes = neededNodes(
      graph,
      graph.outputs.map(({ name }) => name),
    )
    this.#initializers(graph, place, nodes)
    const flat = this.#nodes(nodes, place)
    for (const { name } of graph.outputs) {
      if (names.get(name) === undefined)
        this.unmade.push(`nothing makes output ${JSON.stringify(name)} of ${graph.path}.`)
    }
    const outputs = graph.outputs.map(({ name }) => names.get(name)!)
    return { inputs, outputs, ...this.#steps(flat, outputs) }
  }

  /** A new slot for a name. */
  #named({ names, frame }: Place, name: string): Slot {
    const slot = this.#slot()
    names.set(name, slot)
    const known = frame && this.#inference.valueIn(frame, name)
    if (known?.kind === 'tensor' && known.shape !== null) {
      this.#shapes.set(slot, known.shape.map(({ key }) => key).join(','))
    }
    return slot
  }

  /** Initializers that somebody reads. Those that are inputs too stand in for inputs that are not given. */
  #initializers(graph: Graph, place: Place, nodes: readonly Node[]): void {
    const read = new Set(graph.outputs.map(({ name }) => name))
    for (const node of nodes) {
      for (const name of node.inputs) read.add(name)
      for (const { graph: inner } of node.subgraphs) for (const name of inner.outerNames) read.add(name)
    }
    const { files } = this.#options
    for (const initializer of graph.initializers.values()) {
      const { name } = initializer
      if (!read.has(name)) continue
      if (initializer.sparse) {
        throw new UnsupportedError(`initializer ${JSON.stringify(name)} is sparse; only dense ones are run.`, 'sparse')
      }
      const isInput = defaultOf(graph, name) !== undefined
      const slot = isInput ? place.names.get(name)! : this.#named(place, name)
      const value = tensorOf(initializer.proto, files === undefined ? {} : { files })
      if (isInput) this.defaults.set(slot, value)
      else this.constants.set(slot, value)
    }
  }

  #nodes(nodes: readonly Node[], place: Place): FlatNode[] {
    return nodes.flatMap((node) => {
      const attributes = boundAttributes(node, place.given)
      if (attributes === undefined) {
        this.#refuse(node, undefined, 'an attribute stands for a graph that the caller gives')
        return []
      }
      const inputs = node.inputs.map((name) => (name === '' ? undefined : place.names.get(name)))
      const body = functionOf(this.#model, node)
      if (body !== undefined) return this.#called(node, attributes, body, inputs, place)
      const taken = this.#branch(node, attributes, inputs)
      if (taken !== undefined) return this.#inlined(node, taken, place)
      return this.#node(node, attributes, inputs, place)
    })
  }

  /** The branch that an If takes in every run. */
  #branch(node: Node, attributes: Attributes<Graph>, [condition]: readonly (Slot | undefined)[]): Graph | undefined {
    const known = condition === undefined ? undefined : this.constants.get(condition)
    if (!isIf(node) || known?.dtype !== 'bool' || known.size !== 1) return undefined
    return attributes.graph(elementsOf(known)[0] === true ? 'then_branch' : 'else_branch')
  }

  /** The nodes of a graph in the place of the node that holds it. */
  #inlined(node: Node, graph: Graph, place: Place): FlatNode[] {
    const inner = { names: new Names(place.names), frame: place.frame?.entered.get(graph), given: place.given }
    return this.#inPlace(node, graph, inner, place)
  }

  /** The nodes of a function in the place of a call. */
  #called(
    node: Node,
    attributes: Attributes<Graph>,
    body: FunctionBody,
    inputs: readonly (Slot | undefined)[],
    place: Place,
  ): FlatNode[] {
    const names = new Names()
    for (const [i, { name }] of body.inputs.entries()) names.set(name, inputs[i])
    const inner = { names, frame: place.frame?.entered.get(node), given: givenAttributes(node, attributes, body) }
    return this.#inPlace(node, body, inner, place)
  }

  /** The nodes that the outputs of a node need, from a scope that stands for it. */
  #inPlace(node: Node, scope: Scope, inner: Place, place: Place): FlatNode[] {
    const wanted = scope.outputs.flatMap(({ name }, i) => (node.outputs[i] ? [{ name, as: node.outputs[i] }] : []))
    const nodes = neededNodes(
      scope,
      wanted.map(({ name }) => name),
    )
    if (scope.kind === 'graph') this.#initializers(scope, inner, nodes)
    const flat = this.#nodes(nodes, inner)
    for (const { name, as } of wanted) place.names.set(as, inner.names.get(name))
    return flat
  }

  #node(node: Node, attributes: Attributes<Graph>, inputs: readonly (Slot | undefined)[], place: Place): FlatNode[] {
    const opset = node.scope.opsets.get(node.domain)
    const row = opset === undefined ? undefined : rowOf(node.domain, node.opType, opset)
    const results = node.outputs.map((name) =>
      name === '' || place.frame === undefined ? undefined : this.#inference.valueIn(place.frame, name),
    )
    const use = { node, opset: opset ?? 0, attributes, results }
    const reason = row === undefined ? undefined : refusal(row, use, inputs)
    const blocks = new Map(
      node.subgraphs.map(({ attribute, graph }) => {
        const inner = { names: new Names(place.names), frame: place.frame?.entered.get(graph), given: place.given }
        return [attribute, this.#graph(graph, inner)] as const
      }),
    )
    const outputs = node.outputs.map((name) => (name === '' ? undefined : this.#named(place, name)))
    if (row === undefined || reason !== undefined) {
      this.#refuse(node, opset, reason)
      return []
    }
    const flat: FlatNode = { ...use, row, inputs, outputs, blocks, captured: capturedBy(blocks.values()) }
    if (this.unsupported.size > 0 || !this.#fold(flat)) return [flat]
    return []
  }

  /** Computes a node of constants once and for all, if its results are small. */
  #fold(flat: FlatNode): boolean {
    const results = constantResults(flat, this.constants, flat.results, this.#options.files)
    if (results === undefined) return false
    for (const [i, slot] of flat.outputs.entries()) if (slot !== undefined) this.constants.set(slot, results[i]!)
    return true
  }

  #refuse(node: Node, opset: number | undefined, reason: string | undefined): void {
    const key = JSON.stringify([node.domain, node.opType, opset, reason])
    const before = this.unsupported.get(key)
    const { domain, opType: name } = node
    this.unsupported.set(
      key,
      before
        ? { ...before, count: before.count + 1 }
        : { domain, name, opset, reason, count: 1, node: nodeLabel(node) },
    )
  }

  /**
   * The shape of a slot by name. Where inference knows nothing, a result is taken to have the one shape of its operands
   * that are neither scalars nor constants: if that is wrong, elements are computed more than once, and none wrongly.
   */
  #shapeNames(nodes: readonly FlatNode[]): (slot: Slot) => string | undefined {
    const local = new Map<Slot, string>()
    const shapeOf = (slot: Slot): string | undefined => this.#shapes.get(slot) ?? local.get(slot)
    for (const node of nodes) {
      const [output] = node.outputs
      if (!isElementwise(node) || output === undefined || this.#shapes.has(output)) continue
      const given = node.inputs.filter((slot) => slot !== undefined && !this.constants.has(slot))
      const shapes = new Set(given.map((slot) => shapeOf(slot!) ?? `of ${slot}`).filter((shape) => shape !== ''))
      const [only = ''] = shapes
      local.set(output, shapes.size <= 1 ? only : `of ${output}`)
    }
    return shapeOf
  }

  #steps(nodes: readonly FlatNode[], outputs: readonly Slot[]): Omit<Block, 'inputs' | 'outputs'> {
    const kept = new Set(outputs)
    const groups = this.#options.fuse
      ? partition(nodes, kept, this.#shapeNames(nodes))
      : nodes.map((node) => ({ nodes: [node] }))
    const open = groups.map(({ nodes: group }): Step => {
      const elementwise = group.filter(isElementwise)
      if (elementwise.length === 0)
        return { kind: 'kernel', node: group[0]! as Extract<Step, { kind: 'kernel' }>['node'], released: [] }
      const inputs = operandsOf(elementwise)
      const output = elementwise.at(-1)!.outputs[0]!
      return {
        kind: 'fused',
        nodes: elementwise,
        inputs,
        output,
        kernel: fusedKernel(elementwise, inputs),
        released: [],
      }
    })
    return withReleases(open, kept)
  }
}

/** Why a node of a known operator cannot be run. */
function refusal(row: FlatNode['row'], use: NodeUse, inputs: readonly (Slot | undefined)[]): string | undefined {
  if (row.kind === 'elementwise') {
    const [least, most] = row.operands
    const given = inputs.length
    const missing = Array.from({ length: least }, (_, i) => inputs[i]).includes(undefined)
    if (missing || given > most || (most === Number.POSITIVE_INFINITY && inputs.includes(undefined))) {
      const count = least === most ? `${least}` : `${least} to ${most}`
      return `a node has ${inputs.filter((slot) => slot !== undefined).length} inputs where it takes ${count}`
    }
  }
  return row.refuse?.(use)
}

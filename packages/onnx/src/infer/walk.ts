// The walk through a model: node after node, into subgraphs and functions, each value once. It calls the rows, keeps
// what they find, and never fails: what it cannot follow is unknown.
import { BcastError } from 'bcast'
import { constantOf, DimError, format } from '../dims/index.ts'
import { AttributeError } from '../errors/index.ts'
import type { Attributes } from '../model/attributes.ts'
import { functionOf } from '../model/model.ts'
import { type FunctionBody, type Graph, type Initializer, type Node, nodeLabel, type Scope } from '../model/scope.ts'
import { boundAttributes, givenAttributes } from './bind.ts'
import { Call, type Enter, Impossible } from './call.ts'
import { knownOfProto, knownOfSparse } from './constants.ts'
import type { Context } from './context.ts'
import type { Frame, OpenFrame } from './frame.ts'
import { type Known, type KnownTensor, MAX_SIZE, tensor, unknown } from './known.ts'
import { rowOf } from './operators/index.ts'

/** Subgraphs and functions within each other are followed this far. */
const MAX_DEPTH = 200

/** Sizes that only a declaration of the file names may be 0. */
const DECLARED = { min: 0 } as const

/** How many findings, broadcasts and requirements there are. */
type Marks = readonly [number, number, number]

export class Walk {
  readonly #context: Context
  /** Whether the declared types of values inside hold: they were written for the declared inputs. */
  readonly #trusted: boolean
  /** Hears of every node that is met. */
  readonly #told: (() => void) | undefined
  /** Where the records of a graph begin, for each call that entered it. */
  readonly #marks = new WeakMap<Call, Map<Graph, Marks>>()
  /**
   * What had been learned when a value was last brought up to date. A value has none when it is made: the node that
   * makes it may learn something about it on the way.
   */
  readonly #versions = new WeakMap<OpenFrame, Map<string, number>>()

  constructor(context: Context, trusted: boolean, told?: () => void) {
    this.#context = context
    this.#trusted = trusted
    this.#told = told
  }

  /** Meets the nodes of a frame whose inputs are there. */
  nodes(frame: OpenFrame): void {
    for (const node of frame.scope.nodes) {
      if (this.#context.budget-- <= 0) return
      this.#told?.()
      const outputs = this.#outputs(frame, node)
      for (const [i, name] of node.outputs.entries()) {
        if (name === '' || frame.values.has(name)) continue
        frame.values.set(name, this.#completed(frame.scope, name, outputs[i] ?? unknown))
      }
    }
  }

  /** What is known of a name in a frame or around it; unknown for what is defined further on, or not at all. */
  get(frame: OpenFrame, name: string): Known {
    for (let at: OpenFrame | undefined = frame; at !== undefined; at = at.outer) {
      const known = at.values.get(name)
      if (known !== undefined) return this.#current(at, name, known)
      if (!at.scope.definitions.has(name)) continue
      // Also of an input that nobody gives: the initializer is its default.
      const initializer = at.scope.kind === 'graph' ? at.scope.initializers.get(name) : undefined
      if (initializer === undefined) return unknown
      const made = this.#initial(initializer)
      at.values.set(name, made)
      return made
    }
    return unknown
  }

  #initial(initializer: Initializer): KnownTensor {
    return initializer.sparse ? knownOfSparse(initializer.proto) : knownOfProto(initializer.proto, this.#context.files)
  }

  #current(frame: OpenFrame, name: string, known: Known): Known {
    const { version } = this.#context
    if (version === 0) return known
    const versions = this.#versionsOf(frame)
    if (versions.get(name) === version) return known
    const current = this.#context.current(known)
    versions.set(name, version)
    if (current !== known) frame.values.set(name, current)
    return current
  }

  #versionsOf(frame: OpenFrame): Map<string, number> {
    let versions = this.#versions.get(frame)
    if (versions === undefined) this.#versions.set(frame, (versions = new Map()))
    return versions
  }

  /** What a node makes of its inputs. */
  #outputs(frame: OpenFrame, node: Node): readonly Known[] {
    const attributes = boundAttributes(node, frame.given)
    if (attributes === undefined) return []
    const inputs = node.inputs.map((name) => (name === '' ? undefined : this.get(frame, name)))
    const body = functionOf(this.#context.model, node)
    if (body !== undefined) return this.#called(frame, node, attributes, body, inputs)
    const opset = frame.scope.opsets.get(node.domain)
    const row = opset === undefined ? undefined : rowOf(node.domain, node.opType, opset)
    if (row === undefined) return []
    const call = new Call(node, opset!, attributes, inputs, frame, this.#context, this.#enter)
    try {
      return sized(call, row.infer(call))
    } catch (error) {
      if (!isAboutNode(error)) throw defectAt(node, error)
      this.#context.findings.push({ node, frame, message: error.message })
      return []
    }
  }

  #called(
    frame: OpenFrame,
    node: Node,
    attributes: Attributes<Graph>,
    body: FunctionBody,
    inputs: readonly (Known | undefined)[],
  ): readonly Known[] {
    if (frame.depth >= MAX_DEPTH || isWithin(frame, body)) return []
    const given = givenAttributes(node, attributes, body)
    const { certain, depth } = frame
    const inner: OpenFrame = {
      ...{ scope: body, outer: undefined, caller: { frame, node }, certain, given, depth: depth + 1 },
      ...{ values: new Map(), entered: new Map() },
    }
    frame.entered.set(node, inner)
    for (const [i, { name }] of body.inputs.entries()) {
      const known = inputs[i]
      if (known !== undefined) inner.values.set(name, known)
    }
    this.nodes(inner)
    return body.outputs.map(({ name }) => this.get(inner, name))
  }

  readonly #enter: Enter = (call, graph, inputs, entry) => {
    const { frame, node } = call
    if (frame.depth >= MAX_DEPTH) return []
    this.#rewind(call, graph)
    const inner: OpenFrame = {
      ...{ scope: graph, outer: frame, caller: { frame, node }, given: frame.given, depth: frame.depth + 1 },
      ...{ certain: frame.certain && entry === 'always', values: new Map(), entered: new Map() },
    }
    frame.entered.set(graph, inner)
    for (const [i, { name, type }] of graph.inputs.entries()) {
      const known = inputs[i] ?? unknown
      inner.values.set(
        name,
        known.kind === 'unknown' ? this.#element(this.#context.declared(type, name, DECLARED)) : known,
      )
    }
    this.nodes(inner)
    if (entry === 'never') {
      this.#rewind(call, graph)
      frame.entered.delete(graph)
    }
    return graph.outputs.map(({ name }) => this.get(inner, name))
  }

  /** Of a declared type only what no round of a loop can change. */
  #element(known: Known): Known {
    return known.kind === 'tensor' ? tensor(known.element, null) : known
  }

  /** Forgets what was recorded when the call entered the graph before, and remembers where it begins. */
  #rewind(call: Call, graph: Graph): void {
    const { findings, broadcasts, requirements } = this.#context
    let marks = this.#marks.get(call)
    if (marks === undefined) this.#marks.set(call, (marks = new Map()))
    const mark = marks.get(graph)
    if (mark === undefined) marks.set(graph, [findings.length, broadcasts.length, requirements.length])
    else [findings.length, broadcasts.length, requirements.length] = mark
  }

  /** An output with what the file declares about it, where nothing else tells. */
  #completed(scope: Scope, name: string, known: Known): Known {
    const open = known.kind === 'unknown' || (known.kind === 'tensor' && (known.shape === null || !known.element))
    if (!open) return known
    const type = scope.valueInfo.get(name)?.type ?? this.#outputTypes(scope).get(name)
    if (type === undefined) return known
    const declared = this.#context.declared(type, name, DECLARED)
    if (known.kind === 'unknown') return this.#trusted ? declared : this.#element(declared)
    if (declared.kind !== 'tensor') return known
    return tensor(
      known.element ?? declared.element,
      known.shape ?? (this.#trusted ? declared.shape : null),
      known.values,
    )
  }

  readonly #outputsOf = new WeakMap<Scope, Map<string, Graph['outputs'][number]['type']>>()

  #outputTypes(scope: Scope): Map<string, Graph['outputs'][number]['type']> {
    let types = this.#outputsOf.get(scope)
    if (types === undefined) {
      types = new Map(scope.outputs.map(({ name, type }) => [name, type]))
      this.#outputsOf.set(scope, types)
    }
    return types
  }
}

/** Outputs whose sizes can be; so no chain of nodes makes numbers of ever more digits. */
function sized(call: Call, outputs: readonly Known[]): readonly Known[] {
  for (const output of outputs) {
    if (output.kind !== 'tensor' || output.shape === null) continue
    for (const [axis, dim] of output.shape.entries()) {
      if ((constantOf(dim) ?? 0n) > MAX_SIZE) call.fail(`axis ${axis} would be of size ${format(dim)}.`)
    }
  }
  return outputs
}

/** Whether a function is being called already; one that calls itself never ends. */
function isWithin(frame: OpenFrame, body: FunctionBody): boolean {
  for (let at: Frame | undefined = frame; at !== undefined; at = at.caller?.frame) if (at.scope === body) return true
  return false
}

/** An error that no model should be able to cause, with the node that brought it to light. */
class Defect extends Error {}

/** It is thrown on, so that nobody takes half an inference for a whole one; the innermost node is named. */
const defectAt = (node: Node, cause: unknown): Defect =>
  cause instanceof Defect
    ? cause
    : new Defect(`A defect of bcast: shape inference broke at ${nodeLabel(node)}: ${cause}`, { cause })

/** What a node that cannot be makes its row throw; anything else is a defect of this package. */
const isAboutNode = (error: unknown): error is Error =>
  error instanceof Impossible ||
  error instanceof AttributeError ||
  error instanceof DimError ||
  error instanceof BcastError

// The result of shape inference: every value by scope and name, and what was recorded on the way.
import type { Dim } from '../dims/index.ts'
import { symbolsIn } from '../dims/index.ts'
import type { Scope } from '../model/scope.ts'
import type { Broadcast, Context, InferenceFinding, Requirement } from './context.ts'
import type { Frame, OpenFrame } from './frame.ts'
import type { Inputs } from './inputs.ts'
import { hull, join } from './join.ts'
import { type Known, unknown } from './known.ts'

/** What is known of one value of a model. */
export interface InferredValue {
  readonly frame: Frame
  readonly name: string
  readonly known: Known
}

/** The shapes, types and values that are known of a model without running it. */
export class Inference {
  /** The walk through the model's graph; subgraphs and functions are entered from it. */
  readonly root: Frame
  /** What the model's inputs were taken for before nodes told more. */
  readonly inputs: ReadonlyMap<string, Known>
  /** Inputs that were taken to be their default, which a run may replace. */
  readonly assumed: ReadonlySet<string>
  /** Nodes that broadcast, in the order they were met; a function's once for every call. */
  readonly broadcasts: readonly Broadcast[]
  /** Nodes that cannot be, whatever the sizes. */
  readonly findings: readonly InferenceFinding[]
  /** Sizes that nodes need to be equal, though only some inputs make them so; those of broadcasts are with them. */
  readonly requirements: readonly Requirement[]
  /** False when functions or loops nest so much that inference gave up on the rest. */
  readonly complete: boolean
  readonly #context: Context
  readonly #get: (frame: OpenFrame, name: string) => Known
  readonly #frames = new Map<Scope, OpenFrame[]>()

  /** @internal Made by `inferShapes`. */
  constructor(root: OpenFrame, inputs: Inputs, context: Context, get: (frame: OpenFrame, name: string) => Known) {
    this.root = root
    this.inputs = inputs.known
    this.assumed = inputs.assumed
    this.broadcasts = context.broadcasts
    this.findings = context.findings
    this.requirements = context.requirements
    this.complete = context.budget >= 0
    this.#context = context
    this.#get = get
    for (const frame of framesFrom(root)) {
      const others = this.#frames.get(frame.scope)
      if (others === undefined) this.#frames.set(frame.scope, [frame])
      else others.push(frame)
    }
  }

  /** Every walk through a scope, outer ones first. */
  get frames(): readonly Frame[] {
    return [...this.#frames.values()].flat()
  }

  /** The walks through one scope: none for a branch that is never taken, several for a function called more than once. */
  framesOf(scope: Scope): readonly Frame[] {
    return this.#frames.get(scope) ?? []
  }

  /** What is known of a name in a scope; of a function called more than once, what holds in every call. */
  valueOf(scope: Scope, name: string): Known {
    const [first, ...others] = (this.#frames.get(scope) ?? []).map((frame) => this.#get(frame, name))
    const dims = (a: Dim, b: Dim): Dim => this.#context.fresh(name, hull(a, b))
    return others.reduce((known, other) => join(known, other, dims), first ?? unknown)
  }

  /** What is known of a name in one walk through its scope. */
  valueIn(frame: Frame, name: string): Known {
    return this.#get(frame as OpenFrame, name)
  }

  /** Every value that was met: inputs, and outputs of nodes; an initializer if a node reads it. */
  *values(): Generator<InferredValue> {
    for (const frames of this.#frames.values()) {
      for (const frame of frames) {
        for (const name of frame.values.keys()) yield { frame, name, known: this.#get(frame, name) }
      }
    }
  }

  /** The symbols that shapes are made of, by name, each with its bounds. */
  symbols(): Map<string, Dim> {
    const found = new Map<string, Dim>()
    const seen = new Set<string>()
    for (const { known } of this.values()) {
      if (known.kind !== 'tensor') continue
      for (const dim of known.shape ?? []) {
        if (seen.has(dim.key)) continue
        seen.add(dim.key)
        for (const [name, symbol] of symbolsIn(dim)) found.set(name, symbol)
      }
    }
    return found
  }
}

function* framesFrom(root: OpenFrame): Generator<OpenFrame> {
  const open = [root]
  for (let frame = open.pop(); frame !== undefined; frame = open.pop()) {
    yield frame
    open.push(...[...frame.entered.values()].reverse())
  }
}

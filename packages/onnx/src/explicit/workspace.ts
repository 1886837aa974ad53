// The edits of one pass over a model: additions to each scope, other nodes in the place of some, and names that are free
// in all of it.
import { FreshNames } from '../model/build.ts'
import { DEFAULTS_SINCE } from '../model/defaults.ts'
import type { Model } from '../model/model.ts'
import type { Node, Scope } from '../model/scope.ts'
import type { NodeProto } from '../proto/onnx_pb.ts'
import { scopesOf } from '../structure/check.ts'
import { Additions } from './additions.ts'
import { rebuilt, type ScopeEdit } from './rebuild.ts'

type Replacement = (own: NodeProto) => readonly NodeProto[]

/** Changes in one scope. */
interface Work {
  readonly additions: Additions
  readonly replaced: Map<number, Replacement>
  readonly dropped: Set<string>
  opsets: ScopeEdit['opsets']
}

/** Every name of a model: those of nodes too, and those that are read or declared though nothing has them. */
export function* namesOf(model: Model): Generator<string> {
  for (const { definitions, outerNames, valueInfo, nodes } of scopesOf(model)) {
    yield* definitions.keys()
    yield* outerNames
    yield* valueInfo.keys()
    for (const { name } of nodes) yield name
  }
}

const isInFunction = (scope: Scope): boolean =>
  scope.kind === 'function' || (scope.parent !== undefined && isInFunction(scope.parent.scope))

/** Functions have no initializers, and files of the first versions take each for an input. */
export const constantsAreNodes = ({ irVersion }: Model, scope: Scope): boolean =>
  irVersion < DEFAULTS_SINCE || isInFunction(scope)

export class Workspace {
  readonly #model: Model
  readonly #names: FreshNames
  readonly #works = new Map<Scope, Work>()

  constructor(model: Model) {
    this.#model = model
    this.#names = new FreshNames(namesOf(model))
  }

  #work(scope: Scope): Work {
    let work = this.#works.get(scope)
    if (work === undefined) {
      const additions = new Additions(scope, this.#names, constantsAreNodes(this.#model, scope))
      this.#works.set(scope, (work = { additions, replaced: new Map(), dropped: new Set(), opsets: undefined }))
    }
    return work
  }

  /** Additions for a node, to stand before it; nodes of a scope are visited in their order. */
  additionsFor(node: Node): Additions {
    const { additions } = this.#work(node.scope)
    additions.visit(node)
    return additions
  }

  /** What stands in the place of a node. */
  replace({ scope, index }: Node, by: Replacement): void {
    this.#work(scope).replaced.set(index, by)
  }

  dropInitializer(scope: Scope, name: string): void {
    this.#work(scope).dropped.add(name)
  }

  /** Other versions of operator sets, of the model's graph or of a function. */
  setOpsets(scope: Scope, opsets: NonNullable<ScopeEdit['opsets']>): void {
    this.#work(scope).opsets = opsets
  }

  /** The model with all of it; itself when nothing changed. */
  finish(): Model {
    const edits = new Map<Scope, ScopeEdit>()
    for (const [scope, { additions, replaced, dropped, opsets }] of this.#works) {
      const nodes = new Map<number, Replacement>(replaced)
      for (const [index, before] of additions.before) {
        const own = replaced.get(index) ?? ((proto: NodeProto) => [proto])
        nodes.set(index, (proto) => [...before, ...own(proto)])
      }
      edits.set(scope, { nodes, initializers: additions.initializers, dropped, opsets })
    }
    return rebuilt(this.#model, edits)
  }
}

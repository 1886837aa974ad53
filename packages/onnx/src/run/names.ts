// Names of values in the scopes of a model, and which nodes they need.
import type { Node, Scope } from '../model/scope.ts'
import type { Slot } from './program.ts'

/** Names in a scope, and around it. An input that a call leaves out has a name and no slot. */
export class Names {
  readonly #slots = new Map<string, Slot | undefined>()
  readonly #outer: Names | undefined

  constructor(outer?: Names) {
    this.#outer = outer
  }

  set(name: string, slot: Slot | undefined): void {
    this.#slots.set(name, slot)
  }

  get(name: string): Slot | undefined {
    return this.#slots.has(name) ? this.#slots.get(name) : this.#outer?.get(name)
  }
}

/** The nodes that the wanted names need, in their order. */
export function neededNodes(scope: Scope, wanted: Iterable<string>): readonly Node[] {
  const needed = new Set(wanted)
  return scope.nodes
    .toReversed()
    .filter((node) => {
      if (!node.outputs.some((name) => name !== '' && needed.has(name))) return false
      for (const name of node.inputs) needed.add(name)
      for (const { graph } of node.subgraphs) for (const name of graph.outerNames) needed.add(name)
      return true
    })
    .reverse()
}

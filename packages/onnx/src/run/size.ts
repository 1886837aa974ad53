// How large a model is with its functions in the place of their calls: a few that call each other twice over are soon
// more nodes than any memory holds. It is counted before anything is unfolded.
import { UnsupportedError } from '../errors/index.ts'
import { functionOf, type Model } from '../model/model.ts'
import { nodeLabel, type Scope } from '../model/scope.ts'

const MOST_NODES = 1_000_000
/** Graphs and functions within each other, as inference follows them. */
const DEEPEST = 200

interface Size {
  readonly nodes: number
  /** Scopes within each other. */
  readonly depth: number
}

/** Throws where a model is small in its file and without end in a run. Functions must not call themselves. */
export function checkSize(model: Model): void {
  const known = new Map<Scope, Size>()
  const sizeOf = (scope: Scope, around: number): Size => {
    const before = known.get(scope)
    if (before !== undefined) return before
    let [nodes, deepest] = [scope.nodes.length, 0]
    for (const node of scope.nodes) {
      const body = functionOf(model, node)
      const inner = [...node.subgraphs.map(({ graph }) => graph), ...(body === undefined ? [] : [body])]
      for (const each of inner) {
        // Before it goes further inside, for a chain of thousands has no end in the stack either.
        const { depth, nodes: within } = around < DEEPEST ? sizeOf(each, around + 1) : { depth: 1, nodes: 0 }
        if (around + depth > DEEPEST) {
          const message = `${nodeLabel(node)} holds more than ${DEEPEST} graphs and functions within each other.`
          throw new UnsupportedError(message, 'nesting')
        }
        nodes += within
        deepest = Math.max(deepest, depth)
      }
    }
    const size = { nodes, depth: deepest + 1 }
    known.set(scope, size)
    return size
  }
  const { nodes } = sizeOf(model.graph, 0)
  if (nodes > MOST_NODES && model.functions.length > 0) {
    const message = `with its functions in the place of their calls the model has ${nodes} nodes; at most ${MOST_NODES} are run.`
    throw new UnsupportedError(message, 'functions')
  }
}

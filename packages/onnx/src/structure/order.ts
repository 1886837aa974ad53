// Order: a node stands behind the nodes whose outputs it reads, directly or through its subgraphs.
import { type Node, nodeLabel, type Scope } from '../model/scope.ts'
import { cyclesOf } from './components.ts'
import { type Finding, finding } from './finding.ts'

interface Backward {
  readonly reader: Node
  readonly writer: Node
  readonly name: string
}

/** Reads of a value that is defined by the reader itself or by a node behind it. */
function* backwardReads({ uses, definitions }: Scope): Generator<Backward> {
  for (const [name, readers] of uses) {
    const definition = definitions.get(name)
    if (definition?.kind !== 'output') continue
    for (const { node } of readers) {
      if (node.index <= definition.node.index) yield { reader: node, writer: definition.node, name }
    }
  }
}

/** Which nodes read an output of each node. */
function readersOf({ nodes, uses, definitions }: Scope): number[][] {
  const readers: number[][] = nodes.map(() => [])
  for (const [name, by] of uses) {
    const definition = definitions.get(name)
    if (definition?.kind === 'output') for (const { node } of by) readers[definition.node.index]!.push(node.index)
  }
  return readers
}

/** At most so many nodes of a cycle are named in its message. */
const NAMED = 8

function cycleText(cycle: readonly number[], nodes: readonly Node[]): string {
  const named = cycle.slice(0, NAMED).map((index) => nodeLabel(nodes[index]!))
  const more = cycle.length > NAMED ? ` and ${cycle.length - NAMED} more` : ''
  return cycle.length === 1 ? `${named[0]} reads its own output.` : `${named.join(', ')}${more} wait for each other.`
}

export function* checkOrder(scope: Scope): Generator<Finding> {
  const backward = [...backwardReads(scope)]
  if (backward.length === 0) return
  const readers = readersOf(scope)
  const component = new Map<number, number>()
  for (const [i, cycle] of cyclesOf(scope.nodes.length, (vertex) => readers[vertex]!).entries()) {
    for (const index of cycle) component.set(index, i)
    yield finding('cycle', scope.nodes[cycle[0]!]!, cycleText(cycle, scope.nodes))
  }
  for (const { reader, writer, name } of backward) {
    const inside = component.get(reader.index)
    if (inside !== undefined && inside === component.get(writer.index)) continue
    yield finding(
      'not-sorted',
      reader,
      `${nodeLabel(reader)} reads ${JSON.stringify(name)}, which ${nodeLabel(writer)} defines behind it.`,
      name,
    )
  }
}

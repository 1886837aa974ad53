// Which element-wise nodes become one kernel: chains, and diamonds that come together again. A node joins the kernel of
// those that use it when all of them are in that one kernel, nobody else wants its result, and its shape is that of the
// kernel's result, so that nothing is computed more than once. Only the last node of a kernel has a result, so there is
// no way out of a kernel and back into it.
import type { Tensor } from 'bcast'
import type { Operation } from './computation.ts'
import { kernelOf } from './fold.ts'
import type { FlatNode, Slot } from './program.ts'
import type { ElementwiseRow } from './row.ts'
import { checkTypes } from './types.ts'

/** Larger kernels gain nothing. */
const MOST_NODES = 32
const MOST_OPERANDS = 12

/** Nodes that run as one, in their order. */
export interface Group {
  readonly nodes: readonly FlatNode[]
}

interface OpenGroup extends Group {
  readonly nodes: FlatNode[]
  readonly operands: Set<Slot>
  readonly isOpen: boolean
  /** What the shape of its result is called; undefined when nothing is known. */
  readonly shape: string | undefined
}

export const isElementwise = (node: FlatNode): node is FlatNode<ElementwiseRow> => node.row.kind === 'elementwise'

const readBy = ({ inputs, captured }: FlatNode): readonly Slot[] => [
  ...inputs.filter((slot) => slot !== undefined),
  ...captured,
]

/** Who uses each slot. */
function usersOf(nodes: readonly FlatNode[]): Map<Slot, FlatNode[]> {
  const users = new Map<Slot, FlatNode[]>()
  for (const node of nodes) {
    for (const slot of readBy(node)) {
      const others = users.get(slot)
      if (others === undefined) users.set(slot, [node])
      else others.push(node)
    }
  }
  return users
}

/** The kernel that a node may join: the one of all its users. */
function joinable(
  node: FlatNode<ElementwiseRow>,
  users: readonly FlatNode[],
  groups: ReadonlyMap<FlatNode, OpenGroup>,
  shape: string | undefined,
): OpenGroup | undefined {
  const [first, ...others] = users.map((user) => groups.get(user))
  if (first === undefined || others.some((other) => other !== first)) return undefined
  if (!first.isOpen || first.shape !== shape || shape === undefined) return undefined
  // One operand goes when its node joins: a kernel with more than that is full, and not looked through for every node.
  if (first.nodes.length >= MOST_NODES || first.operands.size > MOST_OPERANDS + 1) return undefined
  const operands = new Set([...first.operands, ...readBy(node)])
  operands.delete(node.outputs[0]!)
  return operands.size <= MOST_OPERANDS ? first : undefined
}

/**
 * The nodes of a block in groups, in an order in which they can run. `kept` are slots that are wanted beside what nodes
 * read; `shapeOf` names shapes, equal names for equal shapes.
 */
export function partition(
  nodes: readonly FlatNode[],
  kept: ReadonlySet<Slot>,
  shapeOf: (slot: Slot) => string | undefined,
): readonly Group[] {
  const users = usersOf(nodes)
  const groups = new Map<FlatNode, OpenGroup>()
  const found: OpenGroup[] = []
  for (const node of nodes.toReversed()) {
    const [output] = node.outputs
    const fusable = isElementwise(node) && output !== undefined && node.row.arrange?.(node) === undefined
    const shape = output === undefined ? undefined : shapeOf(output)
    const wanted = output !== undefined && !kept.has(output) ? (users.get(output) ?? []) : []
    let group = fusable ? joinable(node, wanted, groups, shape) : undefined
    if (group === undefined) {
      group = { nodes: [], operands: new Set(), isOpen: fusable, shape }
      found.push(group)
    }
    group.nodes.unshift(node)
    group.operands.delete(output!)
    for (const slot of readBy(node)) group.operands.add(slot)
    groups.set(node, group)
  }
  return found.reverse()
}

/** The slots that element-wise nodes read and do not make themselves. */
export function operandsOf(nodes: readonly FlatNode<ElementwiseRow>[]): readonly Slot[] {
  const made = new Set(nodes.map(({ outputs }) => outputs[0]))
  return [...new Set(nodes.flatMap(({ inputs }) => inputs.filter((slot) => slot !== undefined)))].filter(
    (slot) => !made.has(slot),
  )
}

/** Computes element-wise nodes on the values of their slots; `values` is filled as it goes. */
export function computeNode(node: FlatNode<ElementwiseRow>, values: Map<Slot, Tensor>): Tensor {
  const operands = node.inputs.map((slot) => (slot === undefined ? undefined : values.get(slot)!))
  checkTypes(node.row, node, operands)
  const made = node.row.compute(operands, node)
  values.set(node.outputs[0]!, made)
  return made
}

/** Element-wise nodes as one kernel over `inputs`. */
export function fusedKernel(nodes: readonly FlatNode<ElementwiseRow>[], inputs: readonly Slot[]): Operation {
  return kernelOf(inputs.length, (operands) => {
    const values = new Map(inputs.map((slot, i) => [slot, operands[i]!]))
    return nodes.map((node) => computeNode(node, values)).at(-1)!
  })
}

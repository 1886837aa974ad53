// An expression recorded from a TypeScript function: what was applied to what. Element types are settled while it is
// recorded, shapes only when it is called, because the same expression serves operands of any shape.
import { type DType, isHalf } from '../dtype/dtype.ts'
import type { Shape } from '../shape/dim.ts'
import type { Resolution } from '../shape/resolve.ts'
import type { Rule } from '../shape/rule.ts'
import type { Attributes } from './attributes.ts'
import type { Builder, Value } from './ir.ts'
import { lowerInto } from './lower.ts'
import { inOrder } from './order.ts'
import type { ReductionRow } from './reductions.ts'
import { keptBy, type Row } from './row.ts'

export type Node =
  | { readonly kind: 'operand'; readonly operand: number; readonly dtype: DType }
  /** The value is an element of the type, already rounded to it. */
  | { readonly kind: 'constant'; readonly value: number | bigint; readonly dtype: DType }
  | { readonly kind: 'cast'; readonly arg: Node; readonly dtype: DType }
  | {
      readonly kind: 'apply'
      readonly row: Row
      readonly args: readonly Node[]
      readonly attributes: Attributes
      readonly rule: Rule
      readonly dtype: DType
    }
  | ReduceNode
  | ViewNode
  | CallNode
  /** Without axes that a reduction left with size 1, given as the reduction was given them. */
  | {
      readonly kind: 'squeeze'
      readonly arg: Node
      readonly row: ReductionRow
      readonly axes: unknown
      readonly dtype: DType
    }

/** Axes of what it is made of become one element, or go. */
export interface ReduceNode {
  readonly kind: 'reduce'
  readonly row: ReductionRow
  readonly arg: Node
  /** As they were given; all unless said. */
  readonly axes: unknown
  readonly keepdims: boolean
  readonly dtype: DType
}

/** What is no program over elements, computed from tensors as a whole; whoever records it brings the code for it. */
export interface Operation {
  readonly name: string
  /** The shape of the result. */
  readonly shapeOf: (shapes: readonly Shape[]) => Shape
  /** The gradient of one operand, in its shape; `delta` is that of the result. */
  readonly derivative: (operand: number, given: CallDifferential) => Node
}

/** What the derivative of an operation is made from. */
export interface CallDifferential {
  readonly args: readonly Node[]
  readonly shapes: readonly Shape[]
  readonly delta: Node
  /** Sums what has one shape to what it was repeated from, whose axes lie as `axes` say. */
  readonly summedTo: (gradient: Node, shape: Shape, own: Shape, axes: readonly number[]) => Node
}

export interface CallNode {
  readonly kind: 'call'
  readonly operation: Operation
  readonly args: readonly Node[]
  readonly dtype: DType
}

/** The same elements in another shape: where its own axes lie there, -1 for one that goes; others repeat them. */
export interface ViewNode {
  readonly kind: 'view'
  readonly arg: Node
  readonly shape: Shape
  readonly axes: readonly number[]
  readonly dtype: DType
}

/** An operand of a program: which one, and the result's axis for each of its axes. */
export interface Placement {
  readonly operand: number
  readonly axes: readonly number[]
}

/** How the shapes of an expression follow from those of its operands. */
export interface Shaping {
  readonly resolve: (row: Row, rule: Rule, shapes: readonly Shape[], onto: number) => Resolution
  /** Which axes of a shape a reduction means. */
  readonly reduced: (row: ReductionRow, axes: unknown, shape: Shape) => readonly boolean[]
}

/** The shape of a part of an expression, and where the axes of what it is made of lie in it. */
export interface Resolved extends Resolution {
  /** Of a reduction: which axes of what it is made of are reduced. */
  readonly reduced?: readonly boolean[]
}

/** A part of the expression as it lies in the result: the result's axis for each of its own. */
export interface Place {
  readonly node: Node
  readonly axes: readonly number[]
  /** Set once they are known. */
  children: readonly Place[]
}

/** What a part of an expression is made of. */
export function argsOf(node: Node): readonly Node[] {
  if (node.kind === 'apply' || node.kind === 'call') return node.args
  return node.kind === 'operand' || node.kind === 'constant' ? [] : [node.arg]
}

/** The shape that a reduction leaves. */
export const reducedShape = (shape: Shape, reduced: readonly boolean[], keepdims: boolean): Shape =>
  keepdims ? shape.map((size, axis) => (reduced[axis] ? 1 : size)) : shape.filter((_, axis) => !reduced[axis])

/** The shape of every part of an expression, in an order in which they can be computed; some may be known. */
export function resolveAll(
  order: readonly Node[],
  shapes: readonly Shape[],
  { resolve, reduced }: Shaping,
  known: ReadonlyMap<Node, Shape> = new Map(),
): ReadonlyMap<Node, Resolved> {
  const resolved = new Map<Node, Resolved>()
  for (const node of order) {
    const own = known.get(node)
    if (own !== undefined) {
      resolved.set(node, { shape: own, axes: [] })
      continue
    }
    const args = argsOf(node).map((arg) => resolved.get(arg)!.shape)
    if (node.kind === 'apply') {
      resolved.set(node, resolve(node.row, node.rule, args, keptBy(node.row, node.rule)))
      continue
    }
    if (node.kind === 'reduce') {
      const flags = reduced(node.row, node.axes, args[0]!)
      resolved.set(node, { shape: reducedShape(args[0]!, flags, node.keepdims), axes: [], reduced: flags })
      continue
    }
    if (node.kind === 'call') {
      resolved.set(node, { shape: node.operation.shapeOf(args), axes: [] })
      continue
    }
    if (node.kind === 'view') {
      resolved.set(node, { shape: node.shape, axes: [node.axes] })
      continue
    }
    if (node.kind === 'squeeze') {
      const flags = reduced(node.row, node.axes, args[0]!)
      let kept = 0
      const axes = flags.map((isReduced) => (isReduced ? -1 : kept++))
      resolved.set(node, { shape: reducedShape(args[0]!, flags, false), axes: [axes] })
      continue
    }
    const shape = node.kind === 'operand' ? shapes[node.operand]! : (args[0] ?? [])
    resolved.set(node, { shape, axes: args.map((arg) => arg.map((_, axis) => axis)) })
  }
  return resolved
}

/**
 * Every part of an expression with every placement it has; a shared one is there once for each placement. What
 * `isRead` says is in memory is made of nothing.
 */
export function placeAll(
  root: Node,
  resolved: ReadonlyMap<Node, Resolved>,
  isRead: (node: Node) => boolean,
): readonly Place[] {
  const known = new Map<Node, Map<string, Place>>()
  const placeOf = (node: Node, axes: readonly number[]): Place => {
    let own = known.get(node)
    if (own === undefined) known.set(node, (own = new Map()))
    const key = axes.join()
    let place = own.get(key)
    if (place === undefined) own.set(key, (place = { node, axes, children: [] }))
    return place
  }
  const childrenOf = (place: Place): readonly Place[] => {
    if (isRead(place.node)) return []
    const { axes } = resolved.get(place.node)!
    place.children = argsOf(place.node).map((arg, i) => placeOf(arg, through(axes[i]!, place.axes)))
    return place.children
  }
  const { shape } = resolved.get(root)!
  return inOrder(
    placeOf(
      root,
      shape.map((_, axis) => axis),
    ),
    childrenOf,
  )
}

/** Axes of an argument, through its operator, in the result. */
const through = (places: readonly number[], axes: readonly number[]): number[] =>
  places.map((place) => (place < 0 ? -1 : axes[place]!))

/** Appends a part of an expression that is in no memory. */
export function lowerPart(b: Builder, node: Node, args: readonly Value[]): Value {
  if (node.kind === 'constant') return emitConstant(b, node.dtype, node.value)
  if (node.kind === 'apply') return lowerInto(b, node.row, args, node.attributes)
  // What moves elements only says where they lie.
  return node.kind === 'cast' ? b.cast(args[0]!, node.dtype) : args[0]!
}

/** A constant of a type; 16-bit floats are float32 inside a program until they are rounded. */
const emitConstant = (b: Builder, dtype: DType, value: number | bigint): Value =>
  isHalf(dtype) ? b.cast(b.constant('float32', value), dtype) : b.constant(dtype, value)

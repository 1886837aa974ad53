// The gradients of an expression, as expressions again: from the result on, every part gives the gradient of what it is
// made of, which is summed over the axes along which it was repeated. They are recorded like any other expression, so
// that whatever computes the forward computes the backward with it, and differentiating once more gives the next order.
import { type DType, isFloat } from '../dtype/dtype.ts'
import { OperandError } from '../errors/index.ts'
import type { Term } from '../expr/derivative.ts'
import { differentiate } from '../expr/differentiate.ts'
import { prod, type ReductionRow, sum } from '../expr/reductions.ts'
import { add } from '../expr/rows/index.ts'
import { argsOf, type Node, type ReduceNode, type Resolved } from '../expr/trace.ts'
import { recordConstant } from '../ops/record.ts'
import { type Recording, TracedOperand } from '../ops/traced.ts'
import { elementCount, type Shape } from '../shape/dim.ts'
import { numpy } from '../shape/rules/index.ts'
import { summedAxes } from './summed.ts'

/** Whether elements have gradients. */
export const isDifferentiable = (dtype: DType): boolean => isFloat(dtype) || dtype === 'real'

/** What stands for a tensor, as derivatives are written with it. */
const termOf = (traced: TracedOperand): Term => traced as unknown as Term
const nodeOf = (term: Term): Node => (term as unknown as TracedOperand).node

/** Two gradients of one part. */
export const sumOf = (a: TracedOperand, b: TracedOperand): TracedOperand =>
  a.recording.call(add, [termOf(a), termOf(b)], {}, numpy, undefined)

/** The gradients of a result with respect to parts that it is made of; `delta` is its own. */
export function gradientsOf(
  result: TracedOperand,
  delta: TracedOperand,
  parts: readonly TracedOperand[],
  order: readonly Node[],
  resolved: Resolutions,
): TracedOperand[] {
  const { recording } = result
  const wanted = dependingOn(
    order,
    parts.map(({ node }) => node),
  )
  const gradients = new Map<Node, Node>([[result.node, delta.node]])
  const term = (node: Node): Term => termOf(new TracedOperand(node, recording))
  const give = (node: Node, gradient: Node): void => {
    const known = gradients.get(node)
    const both = known && sumOf(new TracedOperand(known, recording), new TracedOperand(gradient, recording))
    gradients.set(node, both?.node ?? gradient)
  }
  for (const node of order.toReversed()) {
    const own = gradients.get(node)
    if (own === undefined || !wanted.has(node)) continue
    const args = argsOf(node)
    const all = gradientsOfParts(node, own, resolved, term, (i) => wanted.has(args[i]!))
    for (const [i, gradient] of all.entries()) if (gradient !== undefined) give(args[i]!, gradient)
  }
  const known = new Set<Node>()
  return parts.map(({ node }) => {
    const { shape } = resolved.get(node)!
    const own = gradients.get(node) ?? zerosOf(node.dtype, shape, recording)
    // Results are tensors of their own each.
    const alone = known.has(own) ? identityView(own, shape) : own
    known.add(alone)
    return new TracedOperand(alone, recording)
  })
}

/** Parts with gradients that are made of some of these. */
function dependingOn(order: readonly Node[], parts: readonly Node[]): ReadonlySet<Node> {
  const depending = new Set<Node>()
  for (const node of order) {
    if (!isDifferentiable(node.dtype)) continue
    if (parts.includes(node) || argsOf(node).some((arg) => depending.has(arg))) depending.add(node)
  }
  return depending
}

const identityView = (arg: Node, shape: Shape): Node => ({
  kind: 'view',
  arg,
  shape,
  axes: shape.map((_, axis) => axis),
  dtype: arg.dtype,
})

/** Nothing but zeros of a shape. */
export const zerosOf = (dtype: DType, shape: Shape, recording: Recording): Node => ({
  kind: 'view',
  arg: recordConstant(0, dtype, recording).node,
  shape,
  axes: [],
  dtype,
})

export type Resolutions = ReadonlyMap<Node, Resolved>

/** The gradients of what a part is made of, in their shapes; undefined where none is wanted, or nothing depends on it. */
function gradientsOfParts(
  node: Node,
  delta: Node,
  resolved: Resolutions,
  term: (node: Node) => Term,
  isWanted: (i: number) => boolean,
): readonly (Node | undefined)[] {
  const { shape, axes } = resolved.get(node)!
  const args = argsOf(node)
  const shapes = args.map((arg) => resolved.get(arg)!.shape)
  if (node.kind === 'apply') {
    const operands = args.map((arg, i) => term(seenIn(arg, shapes[i]!, shape, axes[i]!)))
    const { attributes, row } = node
    const all = differentiate(row, { operands, result: term(node), delta: term(delta), attributes })
    if (all === undefined) throw new OperandError(`${row.name} has no derivative.`, { operator: row.name })
    return all.map((gradient, i) =>
      gradient !== undefined && isWanted(i) ? summedTo(nodeOf(gradient), shape, shapes[i]!, axes[i]!) : undefined,
    )
  }
  const gradientOf = (i: number): Node | undefined => {
    if (node.kind === 'call') return node.operation.derivative(i, { args, shapes, delta, summedTo })
    if (node.kind === 'cast') return { kind: 'cast', arg: delta, dtype: args[0]!.dtype }
    if (node.kind === 'reduce') return gradientOfReduction(node, shapes[0]!, delta, resolved, term)
    return summedTo(delta, shape, shapes[0]!, axes[0]!)
  }
  return args.map((_, i) => (isWanted(i) ? gradientOf(i) : undefined))
}

/** A part of an expression as it is seen in a larger one. */
function seenIn(node: Node, own: Shape, shape: Shape, axes: readonly number[]): Node {
  const isWhole =
    own.length === shape.length && axes.every((place, axis) => place === axis && own[axis] === shape[axis])
  return isWhole ? node : { kind: 'view', arg: node, shape, axes, dtype: node.dtype }
}

/** The adjoint of `seenIn`: sums over the axes along which a part was repeated. */
function summedTo(gradient: Node, shape: Shape, own: Shape, axes: readonly number[]): Node {
  const from = shape.map((_, axis) => axes.indexOf(axis))
  // An axis of size 1 has nothing to sum.
  const repeated = summedAxes(shape, own, axes).filter((axis) => shape[axis] !== 1)
  const { dtype } = gradient
  const summed: Node =
    repeated.length === 0
      ? gradient
      : { kind: 'reduce', row: sum, arg: gradient, axes: repeated, keepdims: true, dtype }
  const left = shape.map((size, axis) => (repeated.includes(axis) ? 1 : size))
  const places = left.map((size, axis) => (size === 1 ? -1 : from[axis]!))
  return seenIn(summed, left, own, places)
}

function gradientOfReduction(
  node: ReduceNode,
  shape: Shape,
  delta: Node,
  resolved: Resolutions,
  term: (node: Node) => Term,
): Node | undefined {
  const { arg, row, keepdims, dtype } = node
  const { shape: left, reduced } = resolved.get(node)!
  if (row.derivative === undefined) throw new OperandError(`${row.name} has no derivative.`, { operator: row.name })
  const flags = reduced!
  const places = left.map((_, axis) => axis)
  const kept = keepdims ? places : shape.map((_, axis) => axis).filter((axis) => !flags[axis])
  const spread = (of: Node): Term =>
    term(
      seenIn(
        of,
        left,
        shape,
        kept.map((axis, i) => (left[i] === 1 && shape[axis] !== 1 ? -1 : axis)),
      ),
    )
  const axes = [...shape.keys()].filter((axis) => flags[axis])
  /** A reduction over the same axes, seen in the shape of the elements. */
  const over =
    (other: ReductionRow) =>
    (of: Term): Term => {
      const result: Node = { kind: 'reduce', row: other, arg: nodeOf(of), axes, keepdims: true, dtype: of.dtype }
      const ones = shape.map((size, axis) => (flags[axis] ? 1 : size))
      return term(
        seenIn(
          result,
          ones,
          shape,
          shape.map((_, axis) => (flags[axis] ? -1 : axis)),
        ),
      )
    }
  const count = elementCount(axes.map((axis) => shape[axis]!))
  const wide = (of: Term): Term => (dtype === 'float16' || dtype === 'bfloat16' ? of.cast('float32') : of)
  const x = wide(term(arg))
  const gradient = row.derivative({
    x,
    result: wide(spread(node)),
    delta: wide(spread(delta)),
    count,
    total: over(sum),
    product: over(prod),
  })
  return gradient && nodeOf(gradient.cast(dtype))
}

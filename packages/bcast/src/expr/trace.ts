// An expression recorded from a TypeScript function: what was applied to what. Element types are settled while it is
// recorded, shapes only when it is called, because the same expression serves operands of any shape.
import { type DType, isHalf } from '../dtype/dtype.ts'
import type { Shape } from '../shape/dim.ts'
import type { Resolution } from '../shape/resolve.ts'
import type { Rule } from '../shape/rule.ts'
import type { Attributes } from './attributes.ts'
import { Builder, type Program, type Value } from './ir.ts'
import { lowerInto } from './lower.ts'
import { inOrder } from './order.ts'
import { keptBy, type Row } from './row.ts'
import { verify } from './verify.ts'

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

/** An operand of a program: which one, and the result's axis for each of its axes. */
export interface Placement {
  readonly operand: number
  readonly axes: readonly number[]
}

export interface Prepared {
  readonly shape: Shape
  readonly program: Program
  /** What each input of the program is. */
  readonly inputs: readonly Placement[]
}

type Resolve = (row: Row, rule: Rule, shapes: readonly Shape[], onto: number) => Resolution

/** A part of the expression as it lies in the result: the result's axis for each of its own. */
interface Place {
  readonly node: Node
  readonly axes: readonly number[]
  /** Set once they are known. */
  children: readonly Place[]
}

/** Works out shapes, then lowers the expression with every operand placed straight in the result. */
export function prepare(root: Node, shapes: readonly Shape[], resolve: Resolve): Prepared {
  const resolved = resolveAll(root, shapes, resolve)
  const { shape } = resolved.get(root)!
  const places = placeAll(root, shape, resolved)
  const inputs: (Placement & { readonly dtype: DType })[] = []
  const numbers = new Map<string, number>()
  for (const { node, axes } of places) {
    if (node.kind !== 'operand') continue
    const key = placementKey(node.operand, axes)
    if (!numbers.has(key)) numbers.set(key, inputs.push({ operand: node.operand, axes, dtype: node.dtype }) - 1)
  }
  const b = new Builder(inputs.map(({ dtype }) => dtype))
  const values = new Map<Place, Value>()
  for (const place of places) {
    const { node, axes, children } = place
    const args = children.map((child) => values.get(child)!)
    const value =
      node.kind === 'operand'
        ? b.input(numbers.get(placementKey(node.operand, axes))!)
        : node.kind === 'constant'
          ? emitConstant(b, node.dtype, node.value)
          : node.kind === 'cast'
            ? b.cast(args[0]!, node.dtype)
            : lowerInto(b, node.row, args, node.attributes)
    values.set(place, value)
  }
  return { shape, program: verify(b.program(values.get(places.at(-1)!)!)), inputs }
}

const argsOf = (node: Node): readonly Node[] =>
  node.kind === 'apply' ? node.args : node.kind === 'cast' ? [node.arg] : []

/** The shape of every part of an expression, and where its operands' axes lie in it. */
function resolveAll(root: Node, shapes: readonly Shape[], resolve: Resolve): ReadonlyMap<Node, Resolution> {
  const resolved = new Map<Node, Resolution>()
  for (const node of inOrder(root, argsOf)) {
    const args = argsOf(node).map((arg) => resolved.get(arg)!.shape)
    if (node.kind === 'apply') {
      resolved.set(node, resolve(node.row, node.rule, args, keptBy(node.row, node.rule)))
      continue
    }
    const shape = node.kind === 'operand' ? shapes[node.operand]! : (args[0] ?? [])
    resolved.set(node, { shape, axes: args.map((arg) => arg.map((_, axis) => axis)) })
  }
  return resolved
}

/** Every part of an expression with every placement it has; a shared one is there once for each placement. */
function placeAll(root: Node, shape: Shape, resolved: ReadonlyMap<Node, Resolution>): Place[] {
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
    const { axes } = resolved.get(place.node)!
    place.children = argsOf(place.node).map((arg, i) => placeOf(arg, through(axes[i]!, place.axes)))
    return place.children
  }
  return inOrder(
    placeOf(
      root,
      shape.map((_, axis) => axis),
    ),
    childrenOf,
  )
}

const placementKey = (operand: number, axes: readonly number[]): string => `${operand}:${axes.join()}`

/** Axes of an argument, through its operator, in the result. */
const through = (places: readonly number[], axes: readonly number[]): number[] =>
  places.map((place) => (place < 0 ? -1 : axes[place]!))

/** A constant of a type; 16-bit floats are float32 inside a program until they are rounded. */
const emitConstant = (b: Builder, dtype: DType, value: number | bigint): Value =>
  isHalf(dtype) ? b.cast(b.constant('float32', value), dtype) : b.constant(dtype, value)

// An expression recorded from a TypeScript function: what was applied to what. Element types are settled while it is
// recorded, shapes only when it is called, because the same expression serves operands of any shape.
import { bfloat16ToNumber, numberToBfloat16 } from '../dtype/bfloat16.ts'
import type { DType } from '../dtype/dtype.ts'
import { float16ToNumber, numberToFloat16 } from '../dtype/float16.ts'
import type { Shape } from '../shape/dim.ts'
import type { Resolution } from '../shape/resolve.ts'
import type { Rule } from '../shape/rule.ts'
import { Builder, type Program, type Value } from './ir.ts'
import { lowerInto } from './lower.ts'
import type { Attributes, Row } from './row.ts'
import { verify } from './verify.ts'

export type Node =
  | { readonly kind: 'operand'; readonly operand: number; readonly dtype: DType }
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

type Resolve = (rule: Rule, shapes: readonly Shape[], onto: number) => Resolution

/** Works out shapes, then lowers the expression with every operand placed straight in the result. */
export function prepare(root: Node, shapes: readonly Shape[], resolve: Resolve): Prepared {
  const resolved = new Map<Node, Resolution>()
  const shapeOf = (node: Node): Shape => {
    if (node.kind === 'operand') return shapes[node.operand]!
    if (node.kind === 'constant') return []
    if (node.kind === 'cast') return shapeOf(node.arg)
    let resolution = resolved.get(node)
    if (resolution === undefined) {
      resolution = resolve(node.rule, node.args.map(shapeOf), node.row.onto?.[node.rule.name] ?? 0)
      resolved.set(node, resolution)
    }
    return resolution.shape
  }
  const shape = shapeOf(root)
  const { inputs, keys } = placements(root, shape, resolved)
  const b = new Builder(inputs.map(({ dtype }) => dtype))
  const values = new Map<string, Value>()
  const numbers = new Map<Node, number>()
  const emit = (node: Node, axes: readonly number[]): Value => {
    if (!numbers.has(node)) numbers.set(node, numbers.size)
    const key = `${numbers.get(node)} ${axes.join()}`
    const known = values.get(key)
    if (known !== undefined) return known
    const value = emitNew(node, axes)
    values.set(key, value)
    return value
  }
  const emitNew = (node: Node, axes: readonly number[]): Value => {
    switch (node.kind) {
      case 'operand':
        return b.input(keys.get(placementKey(node.operand, axes))!)
      case 'constant':
        return emitConstant(b, node.dtype, node.value)
      case 'cast':
        return b.cast(emit(node.arg, axes), node.dtype)
      case 'apply': {
        const { axes: places } = resolved.get(node)!
        const args = node.args.map((arg, i) => emit(arg, through(places[i]!, axes)))
        return lowerInto(b, node.row, args, node.attributes)
      }
    }
  }
  const value = emit(
    root,
    shape.map((_, axis) => axis),
  )
  const program = verify(b.program(value))
  return { shape, program, inputs }
}

const placementKey = (operand: number, axes: readonly number[]): string => `${operand}:${axes.join()}`

/** Axes of an argument, through its operator, in the result. */
const through = (places: readonly number[], axes: readonly number[]): number[] =>
  places.map((place) => (place < 0 ? -1 : axes[place]!))

/** Every operand with every placement it has, in the order of first use. */
function placements(root: Node, shape: Shape, resolved: ReadonlyMap<Node, Resolution>) {
  const inputs: (Placement & { readonly dtype: DType })[] = []
  const keys = new Map<string, number>()
  // A shared subexpression is visited once for each placement, not once for each use.
  const visited = new Map<Node, Set<string>>()
  const visit = (node: Node, axes: readonly number[]): void => {
    const places = visited.get(node) ?? new Set<string>()
    if (node.kind === 'constant' || places.has(axes.join())) return
    visited.set(node, places.add(axes.join()))
    if (node.kind === 'cast') {
      visit(node.arg, axes)
      return
    }
    if (node.kind === 'operand') {
      const key = placementKey(node.operand, axes)
      if (!keys.has(key)) keys.set(key, inputs.push({ operand: node.operand, axes, dtype: node.dtype }) - 1)
      return
    }
    const { axes: own } = resolved.get(node)!
    node.args.forEach((arg, i) => {
      visit(arg, through(own[i]!, axes))
    })
  }
  visit(
    root,
    shape.map((_, axis) => axis),
  )
  return { inputs, keys }
}

/** A constant of a type; 16-bit floats are float32 inside a program until they are rounded. */
function emitConstant(b: Builder, dtype: DType, value: number | bigint): Value {
  if (dtype === 'float16') return b.cast(b.constant('float32', float16ToNumber(numberToFloat16(Number(value)))), dtype)
  if (dtype === 'bfloat16')
    return b.cast(b.constant('float32', bfloat16ToNumber(numberToBfloat16(Number(value)))), dtype)
  return b.constant(dtype, value)
}

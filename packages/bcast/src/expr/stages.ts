// An expression as stages, each of which passes over memory once: a program over the elements of a shape, whose results
// are stored or reduced. Between two reductions of which one needs the other nothing can be computed in one pass; what
// is costly and read by several stages is stored, too.
import type { DType } from '../dtype/dtype.ts'
import type { Shape } from '../shape/dim.ts'
import { Builder, type Program, type Value } from './ir.ts'
import { inOrder } from './order.ts'
import { combinedType, type ReductionRow } from './reductions.ts'
import {
  argsOf,
  type CallNode,
  lowerPart,
  type Node,
  type Operation,
  type Place,
  type Placement,
  placeAll,
  type ReduceNode,
  type Resolved,
  resolveAll,
  type Shaping,
} from './trace.ts'
import { verify } from './verify.ts'

/** One pass over memory. */
export interface Stage {
  /** What the program runs over. */
  readonly shape: Shape
  readonly program: Program
  /** What each input of the program is: an operand of the expression, or behind those the result of a stage. */
  readonly inputs: readonly Placement[]
  /** How what the program gives is reduced, if it is. */
  readonly reduction: Reduced | undefined
  /** What is computed from the inputs instead, each seen in a shape of its own. */
  readonly call?: { readonly operation: Operation; readonly shapes: readonly Shape[] }
  /** Type and shape of the result. */
  readonly dtype: DType
  readonly result: Shape
}

export interface Reduced {
  readonly row: ReductionRow
  readonly reduced: readonly boolean[]
  readonly keepdims: boolean
}

export interface Prepared {
  readonly stages: readonly Stage[]
  /** The stages whose results are those of the expressions. */
  readonly results: readonly number[]
}

export interface Preparing extends Shaping {
  /** Whether a program can be computed and reduced at once; otherwise its elements are stored first. */
  readonly reducible: (program: Program) => boolean
}

/**
 * Works out shapes, then lowers expressions stage by stage, with everything that is read placed straight in the stage.
 * Parts that are `known` are in memory: they are operands behind the others.
 */
export function prepare(
  roots: readonly Node[],
  shapes: readonly Shape[],
  preparing: Preparing,
  known: ReadonlyMap<Node, Shape> = new Map(),
): Prepared {
  const order = allInOrder(roots, (node) => (known.has(node) ? [] : argsOf(node)))
  const resolved = resolveAll(order, shapes, preparing, known)
  const stored = storedIn(order, roots, known)
  const stages: Stage[] = []
  /** What is in memory, by the number of the operand or the stage. */
  const places = new Map<Node, number>()
  for (const node of order) if (node.kind === 'operand') places.set(node, node.operand)
  for (const [i, node] of [...known.keys()].entries()) places.set(node, shapes.length + i)
  const operands = shapes.length + known.size
  const add = (node: Node, stage: Stage): void => {
    places.set(node, operands + stages.push(stage) - 1)
  }
  for (const node of order) {
    if (!stored.has(node)) continue
    if (node.kind === 'call') {
      if (!places.has(node)) add(node, callOf(node, resolved, places))
      continue
    }
    if (node.kind !== 'reduce') {
      if (!places.has(node) || roots.includes(node)) add(node, elementsOf(node, resolved, places))
      continue
    }
    const direct = reductionOf(node, resolved, places)
    if (preparing.reducible(direct.program)) add(node, direct)
    else {
      add(node.arg, elementsOf(node.arg, resolved, places))
      add(node, reductionOf(node, resolved, places))
    }
  }
  return { stages, results: roots.map((root) => places.get(root)! - operands) }
}

/** Every part of several expressions once. */
export function allInOrder(roots: readonly Node[], made: (node: Node) => readonly Node[] = argsOf): readonly Node[] {
  if (roots.length === 1) return inOrder(roots[0]!, made)
  const whole = Symbol()
  const partsOf = (part: Node | symbol): readonly Node[] => (typeof part === 'symbol' ? roots : made(part))
  return inOrder<Node | symbol>(whole, partsOf).slice(0, -1) as Node[]
}

/** Parts that have a stage of their own: results, reductions, and what is costly and read by several stages. */
function storedIn(order: readonly Node[], roots: readonly Node[], known: ReadonlyMap<Node, Shape>): ReadonlySet<Node> {
  const stored = new Set<Node>(roots)
  for (const node of order) {
    if (known.has(node)) continue
    if (node.kind === 'reduce' || node.kind === 'call') stored.add(node)
    if (node.kind !== 'call') continue
    for (const arg of node.args) {
      const base = baseOf(arg)
      if (base.kind !== 'operand' && !known.has(base)) stored.add(base)
    }
  }
  if (stored.size === 1) return stored
  /** A stage that reads each part, or `several`. */
  const several = Symbol()
  const readers = new Map<Node, Node | symbol>()
  for (const node of order.toReversed()) {
    if (known.has(node)) continue
    if (readers.get(node) === several && isCostly(node)) stored.add(node)
    const reader = stored.has(node) ? node : readers.get(node)!
    for (const arg of argsOf(node)) {
      const known = readers.get(arg)
      readers.set(arg, known === undefined || known === reader ? reader : several)
    }
  }
  return stored
}

/** What a part shows without computing anything. */
function baseOf(node: Node): Node {
  const shows =
    node.kind === 'view' || node.kind === 'squeeze' || (node.kind === 'cast' && node.arg.dtype === node.dtype)
  return shows ? baseOf(node.arg) : node
}

/** Whether computing it again takes longer than reading it. */
export const isCostly = (node: Node): boolean => node.kind === 'apply' && node.row.approximate === true

/** A program of a part of an expression over its own shape. */
interface Lowered {
  readonly b: Builder
  readonly value: Value
  readonly inputs: readonly Placement[]
}

function lowered(root: Node, resolved: ReadonlyMap<Node, Resolved>, memory: ReadonlyMap<Node, number>): Lowered {
  // A result that is an operand, or another result, is read and stored as it is.
  const isRead = (node: Node): boolean => memory.has(node)
  const parts = placeAll(root, resolved, isRead)
  const inputs: (Placement & { readonly dtype: DType })[] = []
  const numbers = new Map<string, number>()
  for (const { node, axes } of parts) {
    if (!isRead(node)) continue
    const operand = memory.get(node)!
    const key = placementKey(operand, axes)
    if (!numbers.has(key)) numbers.set(key, inputs.push({ operand, axes, dtype: node.dtype }) - 1)
  }
  const b = new Builder(inputs.map(({ dtype }) => dtype))
  const values = new Map<unknown, Value>()
  for (const place of parts) {
    const { node, axes, children } = place
    const value = isRead(node)
      ? b.input(numbers.get(placementKey(memory.get(node)!, axes))!)
      : lowerPart(
          b,
          node,
          children.map((child) => values.get(child)!),
        )
    values.set(place, value)
  }
  return { b, value: values.get(parts.at(-1)!)!, inputs }
}

const placementKey = (operand: number, axes: readonly number[]): string => `${operand}:${axes.join()}`

function elementsOf(root: Node, resolved: ReadonlyMap<Node, Resolved>, memory: ReadonlyMap<Node, number>): Stage {
  const { b, value, inputs } = lowered(root, resolved, memory)
  const { shape } = resolved.get(root)!
  return { shape, program: verify(b.program(value)), inputs, reduction: undefined, dtype: root.dtype, result: shape }
}

function callOf(node: CallNode, resolved: ReadonlyMap<Node, Resolved>, memory: ReadonlyMap<Node, number>): Stage {
  const { operation, args, dtype } = node
  const inputs = args.map((arg): Placement => {
    const [{ node: base, axes }] = placeAll(arg, resolved, (part) => memory.has(part)) as [Place]
    return { operand: memory.get(base)!, axes }
  })
  const { shape } = resolved.get(node)!
  const shapes = args.map((arg) => resolved.get(arg)!.shape)
  const nothing = { inputs: [], code: [] }
  return { shape, program: nothing, inputs, reduction: undefined, call: { operation, shapes }, dtype, result: shape }
}

function reductionOf(
  node: ReduceNode,
  resolved: ReadonlyMap<Node, Resolved>,
  memory: ReadonlyMap<Node, number>,
): Stage {
  const { arg, row, keepdims, dtype } = node
  const { b, value, inputs } = lowered(arg, resolved, memory)
  const { shape: result, reduced } = resolved.get(node)!
  const x = b.cast(value, combinedType(arg.dtype))
  const program = verify(b.program(row.prepare === undefined ? x : row.prepare(b, x)))
  return {
    shape: resolved.get(arg)!.shape,
    program,
    inputs,
    reduction: { row, reduced: reduced!, keepdims },
    dtype,
    result,
  }
}

// What a broadcast comes to: equal shapes, one that stretches and how far, a failure, or a condition on the inputs.
import {
  constant,
  constantOf,
  type Dim,
  type DimCondition,
  type DimShape,
  isEqual,
  type Meeting,
  mul,
  product,
  settle,
} from '../dims/index.ts'
import type { Broadcast, Requirement } from '../infer/context.ts'
import type { Frame } from '../infer/frame.ts'
import type { Inference } from '../infer/inference.ts'
import { bytesOf, type ElementType, isDType } from '../model/element-type.ts'
import { type Node, type Resolved, resolve } from '../model/scope.ts'

/** What is known of operands that meet: equal, broadcast, an error, one that depends on sizes, or unknown. */
export type Verdict = 'equal' | 'broadcast' | 'error' | 'conditional' | 'unknown'

/** An operand of a checked node: its name, shape and where it stretches. */
export interface CheckedOperand {
  /** Of the value; words for what is computed on the way, as the product in Gemm. */
  readonly name: string
  /** Which input of the node it is; undefined for what is computed on the way. */
  readonly input: number | undefined
  readonly shape: DimShape
  readonly element: ElementType | undefined
  readonly producer: Resolved | undefined
  /** Axes of the result, counted from the right, on which its size 1 is repeated. */
  readonly stretched: readonly number[]
  /** Axes of the result, counted from the right, that it does not have. */
  readonly padded: readonly number[]
  /** What it would take with the shape of the result; undefined unless it differs from that, or where it is not known. */
  readonly bytes: Dim | undefined
}

/** A node whose operands meet, with the verdict on how. */
export interface CheckedBroadcast {
  readonly verdict: Verdict
  readonly node: Node
  /** The walk through the node's scope: functions are walked once for each call. */
  readonly frame: Frame
  /** The rule's name with its options. */
  readonly rule: string
  /** The clause of the standard. */
  readonly clause: string
  readonly operands: readonly CheckedOperand[]
  /** Of the result, or of the batch of matrices; undefined if it fails, null if its rank is not known. */
  readonly shape: readonly (Dim | null)[] | null | undefined
  /** What must hold of the model's sizes; empty unless the verdict is conditional. */
  readonly conditions: readonly DimCondition[]
  /** How the shapes meet, with the picture. */
  readonly meeting: Meeting
}

interface Spread {
  readonly stretched: readonly number[]
  readonly padded: readonly number[]
}

const nowhere: Spread = { stretched: [], padded: [] }

/** Where an operand differs from the result. */
function spreadOf({ explanation, shape: result, verdict }: Meeting, operand: number, shape: DimShape): Spread {
  const stretched: number[] = []
  const padded: number[] = []
  let own = 0
  for (const [place, { axis, operands }] of explanation.axes.entries()) {
    if (operands[operand]!.size === undefined) {
      padded.push(axis)
      continue
    }
    const [dim, size] = [shape![own++]!, result?.[place]]
    const isOne = isEqual(dim, 1) === true
    const isOpen = size === null || size === undefined
    // Most of what a condition leaves open takes long to compare.
    if (isOpen ? isOne : (isOne || verdict === 'ok') && isEqual(dim, size) !== true) stretched.push(axis)
  }
  return { stretched, padded }
}

/** Bytes of an operand that is given the shape of the result; matrices keep their own sizes under the batch. */
function bytesOfSpread(
  { rule, meeting }: Broadcast,
  shape: DimShape,
  element: ElementType | undefined,
): Dim | undefined {
  const result = meeting.shape
  if (!result || shape === null || !isDType(element) || bytesOf(element) === 0) return undefined
  if (!result.every((dim) => dim !== null)) return undefined
  const matrix = rule.name === 'matmulBatch' ? shape.slice(-2) : []
  return mul(product([...result, ...matrix]), constant(bytesOf(element)))
}

/** Whether one value meets itself where operands are aligned at the right: it has one shape, whatever that is. */
const isOneValue = ({ rule, operands }: Broadcast): boolean =>
  (rule.name === 'numpy' || rule.name === 'unidirectional') &&
  operands.every(({ name, input }) => input !== undefined && name === operands[0]!.name)

function verdictOf(broadcast: Broadcast, spread: readonly Spread[]): Verdict {
  const { operands, meeting } = broadcast
  if (meeting.verdict === 'error') return 'error'
  if (isOneValue(broadcast)) return 'equal'
  if (operands.some(({ shape }) => shape === null)) return 'unknown'
  if (meeting.verdict === 'conditional') return 'conditional'
  return spread.every(({ stretched, padded }) => stretched.length + padded.length === 0) ? 'equal' : 'broadcast'
}

// Most nodes of a model meet as others do: what follows from shapes alone is computed once for each way to meet.
const spreads = new WeakMap<Meeting, readonly Spread[]>()
const sizes = new WeakMap<Meeting, Map<string, Dim | undefined>>()

function spreadsOf({ rule, operands, meeting }: Broadcast): readonly Spread[] {
  const before = spreads.get(meeting)
  if (before !== undefined) return before
  const ranked = operands.every(({ shape }) => shape !== null)
  const made = operands.map(({ shape }, i) => {
    // The second operand of Expand is a shape and holds nothing that could be repeated.
    const isTarget = rule.name === 'bidirectional' && i === 1
    return ranked && meeting.verdict !== 'error' && !isTarget ? spreadOf(meeting, i, shape) : nowhere
  })
  spreads.set(meeting, made)
  return made
}

function bytesFor(broadcast: Broadcast, i: number, element: ElementType | undefined): Dim | undefined {
  const { meeting, operands } = broadcast
  let known = sizes.get(meeting)
  if (known === undefined) sizes.set(meeting, (known = new Map()))
  const key = `${i} ${element}`
  if (!known.has(key)) known.set(key, bytesOfSpread(broadcast, operands[i]!.shape, element))
  return known.get(key)
}

export function checkedBroadcast(broadcast: Broadcast, inference: Inference): CheckedBroadcast {
  const { node, frame, rule, operands, meeting } = broadcast
  const spread = spreadsOf(broadcast)
  const checked = operands.map(({ name, input, shape, producer }, i): CheckedOperand => {
    const known = input === undefined ? undefined : inference.valueIn(frame, name)
    const element = known?.kind === 'tensor' ? known.element : undefined
    const { stretched, padded } = spread[i]!
    const bytes = stretched.length + padded.length > 0 ? bytesFor(broadcast, i, element) : undefined
    return { name, input, shape, element, producer, stretched, padded, bytes }
  })
  const { label, clause } = rule
  const verdict = verdictOf(broadcast, spread)
  const conditions = verdict === 'conditional' ? meeting.conditions : []
  return { verdict, node, frame, rule: label, clause, operands: checked, shape: meeting.shape, conditions, meeting }
}

/** The inputs of a node that does not broadcast. */
export function inputsOf(node: Node, frame: Frame, inference: Inference): readonly CheckedOperand[] {
  return node.inputs.flatMap((name, input): CheckedOperand[] => {
    if (name === '') return []
    const known = inference.valueIn(frame, name)
    const { element, shape } = known.kind === 'tensor' ? known : { element: undefined, shape: null }
    return [{ name, input, shape, element, producer: resolve(node.scope, name), ...nowhere, bytes: undefined }]
  })
}

/** A Dim that is a number, as one. */
export function numberOf(dim: Dim | undefined): number | undefined {
  const value = dim && constantOf(dim)
  return value === undefined ? undefined : Number(value)
}

export interface Required {
  readonly node: Node
  readonly frame: Frame
  /** What must hold of the model's sizes. */
  readonly conditions: readonly DimCondition[]
}

/** What nodes need of sizes besides what broadcasts do; all of one node together. */
export function requiredOf(requirements: readonly Requirement[]): Required[] {
  const open = new Map<Frame, Map<Node, DimCondition[]>>()
  for (const { node, frame, left, right } of requirements) {
    const nodes = open.get(frame) ?? new Map<Node, DimCondition[]>()
    open.set(frame, nodes)
    const conditions = nodes.get(node) ?? []
    nodes.set(node, conditions)
    conditions.push({ anyOf: [{ kind: 'equal', left, right }] })
  }
  return [...open].flatMap(([frame, nodes]) =>
    [...nodes].map(([node, given]) => ({ node, frame, conditions: settle(given)?.conditions ?? given })),
  )
}

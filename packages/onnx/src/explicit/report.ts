// What the rewrite did: every node that it changed with what was added for it, every node that it left, and what the
// check says of the result.
import { type Dim, type DimShape, sum } from '../dims/index.ts'
import type { OverruledInput } from '../infer/inputs.ts'
import type { ElementType } from '../model/element-type.ts'
import type { Node } from '../model/scope.ts'
import type { RewrittenDefaults } from './defaults.ts'

/** An operand that is expanded before its node reads it. */
export interface ExpandedOperand {
  /** Which input of the node it is. */
  readonly input: number
  /** Its name in the model that was given. */
  readonly name: string
  /** What the node reads instead. */
  readonly expanded: string
  readonly element: ElementType | undefined
  readonly shape: DimShape
  /** Of the result; null where its rank is not known. */
  readonly result: readonly (Dim | null)[] | null
  /** Axes of the result, counted from the right, that it does not have for certain; undefined where ranks are not known. */
  readonly axes: readonly number[] | undefined
  /** What it takes with the shape of the result, in each walk through its scope; undefined where that is not known. */
  readonly bytes: Dim | undefined
  /** Whether an earlier node made it necessary already, so that it takes nothing more. */
  readonly shared: boolean
}

/** A node that a rewrite added. */
export interface AddedNode {
  readonly operator: string
  readonly name: string
}

/** A node whose operands were made explicit. */
export interface RewrittenNode {
  /** In the model that was given; where branches were put in place, or it was raised, in that one. */
  readonly node: Node
  readonly operands: readonly ExpandedOperand[]
  /** Added nodes that stand before it for the first time. */
  readonly nodes: readonly AddedNode[]
  /** Vectors added for the first time, by name. */
  readonly constants: readonly string[]
  /** The operator that took its place, where expanding would not keep the bits: Mul for Pow by 2 or 3. */
  readonly replacedBy: string | undefined
}

/** A node whose operands may differ in shape, and stay so. */
export interface KeptNode {
  readonly node: Node
  readonly reason: string
}

/** A node that was rewritten for a newer operator set, or without attributes that its own does not have. */
export interface LoweredNode {
  readonly node: Node
  /** What was done, in words. */
  readonly changes: readonly string[]
}

/** An If whose condition the given inputs decide, with the branch that stands in its place. */
export interface InlinedBranch {
  readonly node: Node
  /** `then_branch` or `else_branch`. */
  readonly branch: string
}

/** What a rewrite did, node by node. */
export interface ExplicitReport {
  /** Inputs that were given other sizes than the model declared, which the new one declares. */
  readonly overruled: readonly OverruledInput[]
  /** Versions of ONNX's operator set before and after; equal unless it had to be raised. */
  readonly opset: { readonly from: number; readonly to: number }
  readonly defaults: RewrittenDefaults
  readonly inlined: readonly InlinedBranch[]
  readonly lowered: readonly LoweredNode[]
  /** In the order of the work; a node is there twice in the rare case that what follows from it changed others. */
  readonly rewritten: readonly RewrittenNode[]
  readonly kept: readonly KeptNode[]
  /** Why the result does not pass `checkModel` under profile sonnx-strict, in its words; empty where it passes. */
  readonly unproven: readonly string[]
  readonly totals: ExplicitTotals
}

/** What a rewrite added in all: nodes, constants, bytes. */
export interface ExplicitTotals {
  /** Nodes that were added, in all. */
  readonly nodes: number
  /** The same by operator. */
  readonly operators: Readonly<Record<string, number>>
  /** Vectors that were added, as initializers or, where a scope takes none, as Constant nodes. */
  readonly constants: number
  /** Of all expanded operands; those whose bytes are not known are left out. */
  readonly bytes: Dim
  /** Expanded operands whose bytes are not known. */
  readonly unknown: number
}

export function totalsOf(rewritten: readonly RewrittenNode[]): ExplicitTotals {
  const nodes = rewritten.flatMap((each) => each.nodes)
  const operators: Record<string, number> = {}
  for (const { operator } of nodes) operators[operator] = (operators[operator] ?? 0) + 1
  const own = rewritten.flatMap(({ operands }) => operands.filter(({ shared }) => !shared))
  const known = own.flatMap(({ bytes }) => bytes ?? [])
  return {
    nodes: nodes.length,
    operators,
    constants: rewritten.reduce((count, { constants }) => count + constants.length, 0),
    bytes: sum(known),
    unknown: own.length - known.length,
  }
}

// The report for programs: plain data that explicit.schema.json describes. Sizes that are numbers are numbers, others are
// texts such as `2*N + 1`.
import { type NodeJson, nodeJson, type SizeJson, shapeJson, sizeJson } from '../check/report/json.ts'
import type { OverruledInput } from '../infer/inputs.ts'
import type { Node } from '../model/scope.ts'
import { declaredShapeJson } from '../model/value.ts'
import type { RewrittenDefaults } from './defaults.ts'
import type {
  AddedNode,
  ExpandedOperand,
  ExplicitReport,
  InlinedBranch,
  KeptNode,
  LoweredNode,
  RewrittenNode,
} from './report.ts'

/** An operand that was made explicit, as JSON. */
export interface ExpandedOperandJson {
  readonly input: number
  readonly name: string
  readonly expanded: string
  readonly element: string | null
  readonly shape: readonly SizeJson[] | null
  readonly result: readonly SizeJson[] | null
  /** Counted from the right, as -1; null where ranks are not known. */
  readonly axes: readonly number[] | null
  readonly bytes: SizeJson
  readonly shared: boolean
}

/** A node that was added, as JSON. */
export type AddedNodeJson = AddedNode

/** A node whose operands were made explicit, as JSON. */
export interface RewrittenNodeJson {
  readonly node: NodeJson
  readonly operands: readonly ExpandedOperandJson[]
  readonly nodes: readonly AddedNodeJson[]
  readonly constants: readonly string[]
  readonly replacedBy: string | null
}

/** A node whose operands may differ in shape, and stay so, as JSON. */
export interface KeptNodeJson {
  readonly node: NodeJson
  readonly reason: string
}

/** A node that was written for another operator set, as JSON. */
export interface LoweredNodeJson {
  readonly node: NodeJson
  readonly changes: readonly string[]
}

/** A branch that was decided and took the place of its If, as JSON. */
export interface InlinedBranchJson {
  readonly node: NodeJson
  readonly branch: string
}

/** An input whose declared shape was overruled, as JSON. */
export interface OverruledInputJson {
  readonly input: string
  readonly given: readonly SizeJson[]
  readonly declared: readonly SizeJson[]
}

/** The report of a rewrite as JSON; its schema is `@bcast/onnx/explicit.schema.json`. */
export interface ExplicitJson {
  readonly version: 1
  readonly overruled: readonly OverruledInputJson[]
  readonly opset: { readonly from: number; readonly to: number }
  readonly defaults: RewrittenDefaults
  readonly inlined: readonly InlinedBranchJson[]
  readonly lowered: readonly LoweredNodeJson[]
  readonly rewritten: readonly RewrittenNodeJson[]
  readonly kept: readonly KeptNodeJson[]
  readonly unproven: readonly string[]
  readonly totals: {
    readonly nodes: number
    readonly operators: Readonly<Record<string, number>>
    readonly constants: number
    readonly bytes: SizeJson
    readonly unknown: number
  }
}

const placeOf = (node: Node): NodeJson => nodeJson(node, undefined)

const operandJson = ({ element, shape, result, axes, bytes, ...rest }: ExpandedOperand): ExpandedOperandJson => ({
  ...rest,
  element: element ?? null,
  shape: shapeJson(shape),
  result: shapeJson(result),
  axes: axes ?? null,
  bytes: sizeJson(bytes),
})

const rewrittenJson = ({ node, operands, nodes, constants, replacedBy }: RewrittenNode): RewrittenNodeJson => ({
  ...{ node: placeOf(node), operands: operands.map(operandJson), nodes, constants, replacedBy: replacedBy ?? null },
})

const keptJson = ({ node, reason }: KeptNode): KeptNodeJson => ({ node: placeOf(node), reason })

const loweredJson = ({ node, changes }: LoweredNode): LoweredNodeJson => ({ node: placeOf(node), changes })

const inlinedJson = ({ node, branch }: InlinedBranch): InlinedBranchJson => ({ node: placeOf(node), branch })

const overruledJson = ({ input, given, declared }: OverruledInput): OverruledInputJson => ({
  ...{ input, given: declaredShapeJson(given), declared: declaredShapeJson(declared) },
})

/** The report as plain data, for JSON.stringify. */
export const explicitJson = (report: ExplicitReport): ExplicitJson => ({
  version: 1,
  overruled: report.overruled.map(overruledJson),
  opset: report.opset,
  defaults: report.defaults,
  inlined: report.inlined.map(inlinedJson),
  lowered: report.lowered.map(loweredJson),
  rewritten: report.rewritten.map(rewrittenJson),
  kept: report.kept.map(keptJson),
  unproven: report.unproven,
  totals: { ...report.totals, bytes: sizeJson(report.totals.bytes) },
})

// The report for programs: plain data that report.schema.json describes. Sizes that are numbers are numbers, others are
// texts such as `2*N + 1`.
import { constantOf, type Dim, format, formatDimConditions } from '../../dims/index.ts'
import type { Frame } from '../../infer/frame.ts'
import { type Node, nodePath } from '../../model/scope.ts'
import type { CheckReport } from '../check.ts'
import type { FindingId, Severity } from '../codes.ts'
import type { CheckFinding } from '../finding.ts'
import type { ModelFix } from '../fixes/edit.ts'
import { pictureOf } from '../picture.ts'
import { dataSymbolsIn } from '../symbols.ts'
import type { CheckedBroadcast, CheckedOperand, Verdict } from '../verdict.ts'
import { callersOf, producerText } from '../words.ts'

/** A number, the text of an expression, or null where it is not known. */
export type SizeJson = number | string | null

/** A node of a report, as JSON. */
export interface NodeJson {
  /** Often empty. */
  readonly name: string
  /** Its place in its graph or function. */
  readonly index: number
  readonly operator: string
  /** Empty for ONNX's own. */
  readonly domain: string
  /** As `graph.node[3]`. */
  readonly path: string
  /** The graph or function it is in, as `graph.node[1].attribute[0].g`. */
  readonly scope: string
  /** The nodes that lead to it from the model's graph, by path. */
  readonly callers: readonly string[]
}

/** An operand of a report, as JSON. */
export interface OperandJson {
  readonly name: string
  /** Null for what is computed on the way. */
  readonly input: number | null
  readonly shape: readonly SizeJson[] | null
  readonly element: string | null
  readonly producer: string
  readonly stretched: readonly number[]
  readonly padded: readonly number[]
  /** With the shape of the result, where it differs from that. */
  readonly bytes: SizeJson
}

/** A broadcast of a report, as JSON. */
export interface BroadcastJson {
  readonly verdict: Verdict
  readonly node: NodeJson
  readonly rule: string
  readonly clause: string
  readonly operands: readonly OperandJson[]
  readonly shape: readonly SizeJson[] | null
  /** What must hold, in words; null unless the verdict is conditional. */
  readonly condition: string | null
  /** Symbols of the condition that no input decides. */
  readonly decidedByData: readonly string[]
}

/** A finding of a report, as JSON. */
export interface FindingJson {
  readonly id: FindingId
  readonly severity: Exclude<Severity, 'off'>
  readonly message: string
  readonly path: string
  readonly node: NodeJson | null
  readonly name: string | null
  readonly operands: readonly OperandJson[]
  readonly axis: number | null
  readonly clause: string
  readonly picture: readonly string[]
  readonly fixes: readonly ModelFix[]
}

/** A report as JSON; its schema is `@bcast/onnx/report.schema.json`. */
export interface ReportJson {
  readonly version: 1
  readonly profile: string
  readonly passes: boolean
  readonly model: {
    readonly name: string
    readonly irVersion: number
    readonly opsets: Readonly<Record<string, number>>
    readonly nodes: number
  }
  readonly verdicts: Readonly<Record<Verdict, number>>
  readonly broadcasts: readonly BroadcastJson[]
  readonly findings: readonly FindingJson[]
}

export function sizeJson(dim: Dim | null | undefined): SizeJson {
  if (dim === null || dim === undefined) return null
  const value = constantOf(dim)
  return value !== undefined && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : format(dim)
}

export const shapeJson = (shape: readonly (Dim | null)[] | null | undefined): readonly SizeJson[] | null =>
  shape?.map(sizeJson) ?? null

export const nodeJson = (node: Node, frame: Frame | undefined): NodeJson => ({
  name: node.name,
  index: node.index,
  operator: node.opType,
  domain: node.domain,
  path: nodePath(node),
  scope: node.scope.path,
  callers: callersOf(frame).map(nodePath),
})

const operandJson = ({
  name,
  input,
  shape,
  element,
  producer,
  stretched,
  padded,
  bytes,
}: CheckedOperand): OperandJson => ({
  name,
  input: input ?? null,
  shape: shapeJson(shape),
  element: element ?? null,
  producer: input === undefined ? 'the node itself' : producerText(producer),
  stretched,
  padded,
  bytes: sizeJson(bytes),
})

const broadcastJson = ({ inference }: CheckReport, broadcast: CheckedBroadcast): BroadcastJson => {
  const { verdict, node, frame, rule, clause, operands, shape, conditions } = broadcast
  return {
    verdict,
    node: nodeJson(node, frame),
    rule,
    clause,
    operands: operands.map(operandJson),
    shape: shapeJson(shape),
    condition: conditions.length === 0 ? null : formatDimConditions(conditions),
    decidedByData: dataSymbolsIn(inference, conditions),
  }
}

const findingJson = (finding: CheckFinding): FindingJson => {
  const { id, severity, message, path, node, frame, name, operands, axis, clause, fixes } = finding
  return {
    id,
    severity,
    message,
    path,
    node: node === undefined ? null : nodeJson(node, frame),
    name: name ?? null,
    operands: operands.map(operandJson),
    axis: axis ?? null,
    clause,
    picture: pictureOf(finding),
    fixes,
  }
}

/**
 * The report as plain data, for JSON.stringify.
 *
 * @example
 * ```ts
 * reportJson(checkModel(model)).passes // false
 * ```
 */
export function reportJson(report: CheckReport): ReportJson {
  const { model, profile, passes, verdicts, broadcasts, findings } = report
  return {
    version: 1,
    profile: profile.name,
    passes,
    model: {
      name: model.graph.name,
      irVersion: model.irVersion,
      opsets: Object.fromEntries(model.opsets),
      nodes: model.graph.nodes.length,
    },
    verdicts,
    broadcasts: broadcasts.map((broadcast) => broadcastJson(report, broadcast)),
    findings: findings.map(findingJson),
  }
}

// The report as SARIF 2.1.0, for tools that show findings of any checker. A node is a logical location.
import type { CheckReport } from '../check.ts'
import { type FindingId, findingSeverities } from '../codes.ts'
import type { CheckFinding } from '../finding.ts'
import { pictureOf } from '../picture.ts'
import { severityOf } from '../profile.ts'

/** Options of a SARIF report. */
export interface SarifOptions {
  /** Where the model lies, as a URI reference: `models/det.onnx`. */
  readonly uri?: string
  /** Of the program that reports, `1.2.3`. */
  readonly version?: string
}

type Level = 'error' | 'warning' | 'note' | 'none'

/** A kind of finding, as SARIF has it. */
export interface SarifRule {
  readonly id: FindingId
  readonly shortDescription: { readonly text: string }
  readonly defaultConfiguration: { readonly level: Level }
}

/** A finding, as SARIF has it. */
export interface SarifResult {
  readonly ruleId: FindingId
  readonly ruleIndex: number
  readonly level: Level
  readonly message: { readonly text: string }
  readonly locations: readonly object[]
  readonly partialFingerprints: Readonly<Record<string, string>>
  readonly properties: Readonly<Record<string, unknown>>
}

/** A report as SARIF 2.1.0, which code hosts show beside the code. */
export interface SarifLog {
  readonly $schema: string
  readonly version: '2.1.0'
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly name: string
        readonly version?: string
        readonly informationUri: string
        readonly rules: readonly SarifRule[]
      }
    }
    readonly columnKind: 'utf16CodeUnits'
    readonly results: readonly SarifResult[]
  }[]
}

/** Where people read about the tool. */
const INFORMATION = 'https://github.com/bcast/bcast#readme'

const ids = Object.keys(findingSeverities) as FindingId[]

/** `broadcast-error` in words. */
const titleOf = (id: FindingId): string => id.replaceAll('-', ' ')

function textOf(finding: CheckFinding): string {
  const { message, clause, fixes } = finding
  const lines = [message, ...pictureOf(finding)]
  if (clause !== '') lines.push(`[${clause}]`)
  return [...lines, ...fixes.map(({ text }) => `fix: ${text}`)].join('\n')
}

function resultOf(finding: CheckFinding, uri: string | undefined): SarifResult {
  const { id, severity, path, node, name, axis, clause, fixes } = finding
  const place = {
    logicalLocations: [
      { fullyQualifiedName: path, name: node?.name || path, kind: node === undefined ? 'element' : 'function' },
    ],
    ...(uri === undefined ? {} : { physicalLocation: { artifactLocation: { uri } } }),
  }
  return {
    ruleId: id,
    ruleIndex: ids.indexOf(id),
    level: severity,
    message: { text: textOf(finding) },
    locations: [place],
    partialFingerprints: { 'bcast/v1': [id, path, name ?? ''].join('|') },
    properties: { ...(axis === undefined ? {} : { axis }), clause, fixes },
  }
}

/**
 * The report as a SARIF log, for JSON.stringify.
 *
 * @example
 * ```ts
 * reportSarif(checkModel(model)).runs[0].results[0].ruleId // 'broadcast-error'
 * ```
 */
export function reportSarif({ findings, profile }: CheckReport, { uri, version }: SarifOptions = {}): SarifLog {
  const levelOf = (id: FindingId): Level => {
    const severity = severityOf(profile, id)
    return severity === 'off' ? 'none' : severity
  }
  const rules = ids.map(
    (id): SarifRule => ({
      id,
      shortDescription: { text: titleOf(id) },
      defaultConfiguration: { level: levelOf(id) },
    }),
  )
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'bcast', ...(version === undefined ? {} : { version }), informationUri: INFORMATION, rules },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => resultOf(finding, uri)),
      },
    ],
  }
}

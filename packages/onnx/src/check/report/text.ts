// The report for people: the count, then each finding with its picture and fixes, then what broadcasts.
import { format, formatDimConditions } from '../../dims/index.ts'
import { nodeLabel } from '../../model/scope.ts'
import type { CheckReport } from '../check.ts'
import type { CheckFinding } from '../finding.ts'
import { pictureOf } from '../picture.ts'
import { type CheckedBroadcast, numberOf } from '../verdict.ts'
import { shapeText } from '../words.ts'
import { tableLines } from './table.ts'

export interface ReportTextOptions {
  /** Whether broadcasts of equal shapes are listed too; false unless said. */
  readonly all?: boolean
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

export function summaryOf({ broadcasts, findings, verdicts }: CheckReport): string {
  const counts = (['error', 'warning', 'note'] as const).map((severity) =>
    plural(findings.filter((finding) => finding.severity === severity).length, severity),
  )
  const shown = Object.entries(verdicts).filter(([, count]) => count > 0)
  const list = shown.length === 0 ? '' : `: ${shown.map(([verdict, count]) => `${count} ${verdict}`).join(', ')}`
  return `${counts.join(', ')}; ${plural(broadcasts.length, 'broadcast')}${list}`
}

function findingLines(finding: CheckFinding): string[] {
  const { id, severity, message, clause, fixes } = finding
  const lines = [`${severity} ${id}: ${message}`, ...pictureOf(finding).map((line) => `  ${line}`)]
  if (clause !== '' && severity === 'error') lines.push(`  [${clause}]`)
  for (const { text, uncovers } of fixes) {
    lines.push(`  fix: ${text}${uncovers.length === 0 ? '' : `; then ${uncovers.join(', ')} fails`}`)
  }
  return lines
}

/** What stretches and what it would take: `B on -1,-3, 8192 bytes`. */
export function stretchSummary({ operands, conditions, verdict }: CheckedBroadcast): string {
  if (verdict === 'conditional') return `if ${formatDimConditions(conditions)}`
  return operands
    .flatMap(({ stretched, padded, bytes }, i) => {
      const axes = [...stretched, ...padded].sort((a, b) => b - a)
      if (axes.length === 0) return []
      const size = bytes === undefined ? '' : `, ${numberOf(bytes) ?? format(bytes)} bytes`
      return [`${String.fromCharCode(65 + i)} on ${axes.join(',')}${size}`]
    })
    .join('; ')
}

export function reportText(report: CheckReport, { all = false }: ReportTextOptions = {}): string {
  const { broadcasts, findings, profile, passes } = report
  const head = `${passes ? 'passes' : 'fails'} under profile ${profile.name}: ${summaryOf(report)}`
  const rows = broadcasts
    .filter(({ verdict }) => all || verdict !== 'equal')
    .map((broadcast) => [
      broadcast.verdict,
      nodeLabel(broadcast.node),
      broadcast.operands.map(({ shape }) => shapeText(shape)).join(' with '),
      stretchSummary(broadcast),
    ])
  const blocks = [[head], ...findings.map(findingLines), ...(rows.length === 0 ? [] : [tableLines(rows)])]
  return blocks.map((lines) => lines.join('\n')).join('\n\n')
}

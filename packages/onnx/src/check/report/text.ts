// The report for people: the count, then findings with their pictures and fixes, then what broadcasts, and the count
// again where the first has left the screen by then. Findings of one kind and cause are told as one.
import { format, formatDimConditions } from '../../dims/index.ts'
import { nodeLabel } from '../../model/scope.ts'
import type { CheckReport } from '../check.ts'
import type { CheckFinding } from '../finding.ts'
import { pictureOf } from '../picture.ts'
import { type CheckedBroadcast, type CheckedOperand, numberOf } from '../verdict.ts'
import { shapeText } from '../words.ts'
import { framed } from './framed.ts'
import { LISTS_THEM, listed, plural } from './groups.ts'
import { tableLines } from './table.ts'
import { groupFindings, type ToldFinding, type ToldKind } from './told.ts'

/** What `reportText` tells, and how wide. */
export interface ReportTextOptions {
  /** Whether every finding is told by itself, and every broadcast is listed, those of equal shapes too; false unless said. */
  readonly all?: boolean
  /** Columns that pictures and tables may take where they can be drawn so; sentences are left whole. No limit unless said. */
  readonly width?: number
}

/**
 * The counts of a report in a line: `1 error, 0 warnings, 2 notes; 12 broadcasts: 8 equal, 4 broadcast`.
 *
 * @example
 * ```ts
 * summaryOf(checkModel(model)) // '1 error, 0 warnings, 0 notes; 1 broadcast: 1 error'
 * ```
 */
export function summaryOf({ broadcasts, findings, verdicts }: CheckReport): string {
  const counts = (['error', 'warning', 'note'] as const).map((severity) =>
    plural(findings.filter((finding) => finding.severity === severity).length, severity),
  )
  const shown = Object.entries(verdicts).filter(([, count]) => count > 0)
  const list = shown.length === 0 ? '' : `: ${shown.map(([verdict, count]) => `${count} ${verdict}`).join(', ')}`
  return `${counts.join(', ')}; ${plural(broadcasts.length, 'broadcast')}${list}`
}

const INDENT = '  '

/** The first of findings that have one cause, and where the others are. */
function toldLines({ first, count, also }: ToldFinding, width: number): string[] {
  const { id, severity, message, clause, fixes } = first
  const times = count === 1 ? '' : `, ${count} ×, the first`
  const picture = pictureOf(first, width - INDENT.length)
  const lines = [`${severity} ${id}${times}: ${message}`, ...picture.map((line) => `${INDENT}${line}`)]
  if (clause !== '' && severity === 'error') lines.push(`${INDENT}[${clause}]`)
  for (const { text, uncovers } of fixes) {
    lines.push(`${INDENT}fix: ${text}${uncovers.length === 0 ? '' : `; then ${uncovers.join(', ')} fails`}`)
  }
  if (also !== '') lines.push(`${INDENT}also ${also}; ${LISTS_THEM}`)
  return lines
}

const kindBlocks = ({ severity, id, told, rest }: ToldKind, width: number): string[][] => [
  ...told.map((finding) => toldLines(finding, width)),
  ...(rest === undefined
    ? []
    : [
        [
          `${severity} ${id}, ${rest.count} × of ${rest.causes} other causes, the first: ${rest.first.message}`,
          `${INDENT}also ${rest.also}; ${LISTS_THEM}`,
        ],
      ]),
]

function findingBlocks(findings: readonly CheckFinding[], all: boolean, width: number): string[][] {
  if (all) return findings.map((first) => toldLines({ first, count: 1, also: '' }, width))
  return groupFindings(findings).flatMap((kind) => kindBlocks(kind, width))
}

/** Axes on which operands stretch, `B on -1,-3`, each with what `more` says of it. */
const stretchText = ({ operands }: CheckedBroadcast, more: (operand: CheckedOperand) => string): string =>
  operands
    .flatMap((operand, i) => {
      const axes = [...operand.stretched, ...operand.padded].sort((a, b) => b - a)
      return axes.length === 0 ? [] : [`${String.fromCharCode(65 + i)} on ${axes.join(',')}${more(operand)}`]
    })
    .join('; ')

const bytesText = ({ bytes }: CheckedOperand): string =>
  bytes === undefined ? '' : `, ${numberOf(bytes) ?? format(bytes)} bytes`

/** What stretches and what it would take, `B on -1,-3, 8192 bytes`; or what must hold, `if N = 1`. */
export function stretchSummary(broadcast: CheckedBroadcast): string {
  const { verdict, conditions } = broadcast
  return verdict === 'conditional' ? `if ${formatDimConditions(conditions)}` : stretchText(broadcast, bytesText)
}

/** How operands meet: their shapes, and what stretches. */
const meetingCells = (broadcast: CheckedBroadcast): readonly string[] => [
  broadcast.operands.map(({ shape }) => shapeText(shape)).join(' with '),
  stretchSummary(broadcast),
]

/** A row for every way in which operands meet, with the first node that does; all is a row for every node. */
function broadcastLines(broadcasts: readonly CheckedBroadcast[], all: boolean, width: number): string[] {
  const { shown, rest, isRough } = listed(
    broadcasts.filter(({ verdict }) => all || verdict !== 'equal'),
    {
      all,
      keyOf: (broadcast) => JSON.stringify([broadcast.verdict, ...meetingCells(broadcast)]),
      roughKeyOf: (broadcast) => JSON.stringify([broadcast.verdict, stretchText(broadcast, () => '')]),
    },
  )
  const isCounted = shown.some(({ length }) => length > 1)
  const cells = shown.map(([first, ...others]) => [
    first.verdict,
    ...(isCounted ? [others.length === 0 ? '' : `${others.length + 1} ×`] : []),
    nodeLabel(first.node),
    ...meetingCells(first),
  ])
  const lines = tableLines(cells, { width, isNumber: (column) => isCounted && column === 1 })
  if (rest.groups > 0) lines.push(`and ${plural(rest.entries, 'node')} that meet in ${rest.groups} other ways`)
  if (isRough) lines.push(`(each with node, shapes and bytes of the first; ${LISTS_THEM})`)
  else if (isCounted) lines.push(`(each with the first node; ${LISTS_THEM})`)
  return lines
}

/**
 * The report of a check for people: `reportText(checkModel(model), { width: 80 })`.
 *
 * @example
 * ```ts
 * reportText(checkModel(model)).split('\n')[0] // 'fails under profile onnx: 1 error, 0 warnings, 0 notes; 1 broadcast: 1 error'
 * ```
 */
export function reportText(report: CheckReport, { all = false, width = Infinity }: ReportTextOptions = {}): string {
  const { broadcasts, findings, profile, passes } = report
  const head = `${passes ? 'passes' : 'fails'} under profile ${profile.name}: ${summaryOf(report)}`
  const table = broadcastLines(broadcasts, all, width)
  const blocks = [...findingBlocks(findings, all, width), ...(table.length === 0 ? [] : [table])]
  return framed([head], blocks)
}

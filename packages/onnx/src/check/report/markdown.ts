// The report as evidence: for every node that broadcasts, what was shown of it, by which constraint, and whether the
// model alone shows it. Tags follow SONNX: E_<operator>_<family>_CONSTR_<operand>; their numbers belong to the
// specification and are not made up here.
import { formatDimConditions } from '../../dims/index.ts'
import type { ElementType } from '../../model/element-type.ts'
import { nodePath } from '../../model/scope.ts'
import type { CheckReport } from '../check.ts'
import { operatorRule } from '../profile.ts'
import type { CheckedBroadcast } from '../verdict.ts'
import { shapeText } from '../words.ts'
import { markdownRow as row } from './table.ts'
import { stretchSummary, summaryOf } from './text.ts'

/** The type family of a specification's section. */
function familyOf(element: ElementType | undefined): string {
  if (element === undefined) return 'ANY'
  if (/^(b?float|complex)/.test(element)) return 'FLOAT'
  if (element.startsWith('uint')) return 'UINT'
  return element.startsWith('int') ? 'INT' : element.toUpperCase()
}

/** The constraint on each operand that differs from the result, or on the first where none does. */
function tagsOf({ node, operands }: CheckedBroadcast): string {
  const differing = operands.flatMap(({ stretched, padded }, i) => (stretched.length + padded.length > 0 ? [i] : []))
  const family = familyOf(operands.find(({ element }) => element !== undefined)?.element)
  return (differing.length === 0 ? [0] : differing)
    .map((i) => `E_${node.opType.toUpperCase()}_${family}_CONSTR_${String.fromCharCode(65 + i)}`)
    .join(', ')
}

/** Whether the constraint is met; what the model alone does not decide is left open. */
function dispositionOf({ verdict }: CheckedBroadcast, isForbidden: boolean): string {
  if (verdict === 'error') return 'error'
  if (verdict === 'conditional' || verdict === 'unknown') return 'open'
  return verdict === 'broadcast' && isForbidden ? 'violated' : 'nominal'
}

/**
 * A report as Markdown.
 *
 * @example
 * ```ts
 * reportMarkdown(checkModel(model)).split('\n')[0] // '# Broadcasts of the model'
 * ```
 */
export function reportMarkdown(report: CheckReport): string {
  const { model, profile, broadcasts, findings, passes } = report
  const opsets = [...model.opsets].map(([domain, version]) => `${domain || 'ai.onnx'} ${version}`).join(', ')
  const lines = [
    `# Broadcasts of ${model.graph.name || 'the model'}`,
    '',
    `Profile ${profile.name}: ${passes ? 'passes' : 'fails'}. ${summaryOf(report)}.`,
    `IR version ${model.irVersion}; operator sets ${opsets}.`,
    '',
    'Class A.1: the model alone decides it. Disposition nominal: the constraint is met.',
    '',
    row(['node', 'operator', 'shapes', 'verdict', 'stretches, condition', 'constraint', 'tag', 'class', 'disposition']),
    row(Array.from({ length: 9 }, () => '---')),
  ]
  for (const broadcast of broadcasts) {
    const { node, operands, verdict, conditions } = broadcast
    const { broadcasting, clause } = operatorRule(profile, broadcast)
    const isOpen = verdict === 'conditional' || verdict === 'unknown'
    lines.push(
      row([
        `${nodePath(node)}${node.name === '' ? '' : ` ${node.name}`}`,
        node.opType,
        operands.map(({ shape }) => shapeText(shape)).join(' with '),
        verdict,
        isOpen ? formatDimConditions(conditions) : stretchSummary(broadcast),
        clause,
        tagsOf(broadcast),
        isOpen ? 'not A.1' : 'A.1',
        dispositionOf(broadcast, broadcasting === 'forbidden'),
      ]),
    )
  }
  if (findings.length > 0) lines.push('', '## Findings', '')
  for (const { id, severity, message, path, clause, fixes } of findings) {
    lines.push(`- **${severity} ${id}** (${path}) ${message}${clause === '' ? '' : ` [${clause}]`}`)
    for (const { text } of fixes) lines.push(`  - fix: ${text}`)
  }
  return `${lines.join('\n')}\n`
}

// The report for people: what was added in all, then node by node, then what stays and what a check cannot prove.
import { quote, shapeText } from '../check/words.ts'
import { constantOf, type Dim, format } from '../dims/index.ts'
import { nodeLabel } from '../model/scope.ts'
import { declaredShapeText } from '../model/value.ts'
import type { ExpandedOperand, ExplicitReport, ExplicitTotals, RewrittenNode } from './report.ts'

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

const bytesText = (bytes: Dim): string => `${constantOf(bytes) ?? format(bytes)} bytes`

function totalsText({ nodes, operators, constants, bytes, unknown }: ExplicitTotals): string {
  const list = Object.entries(operators).map(([operator, count]) => `${count} ${operator}`)
  const added = nodes === 0 ? 'no nodes' : `${plural(nodes, 'node')} (${list.join(', ')})`
  const open = unknown === 0 ? '' : `, and ${plural(unknown, 'operand')} whose size is not known`
  return `${added} and ${plural(constants, 'constant')} added; expanded operands take ${bytesText(bytes)}${open}`
}

function operandText({ input, name, shape, result, axes, bytes, shared }: ExpandedOperand): string {
  const where = axes === undefined ? '' : ` on ${axes.length === 1 ? 'axis' : 'axes'} ${axes.join(',')}`
  const size = shared ? 'made before' : bytes === undefined ? 'of a size that is not known' : bytesText(bytes)
  return `input ${input} ${JSON.stringify(name)} ${shapeText(shape)} to ${shapeText(result)}${where}, ${size}`
}

function rewrittenLines({ node, operands, nodes, replacedBy }: RewrittenNode): string[] {
  const added = nodes.length === 0 ? '' : `; added ${nodes.map(({ operator }) => operator).join(', ')}`
  const label = nodeLabel(node)
  const head = replacedBy === undefined ? label : `${label}: ${replacedBy} in its place`
  return [`${head}${added}`, ...operands.map((operand) => `  ${operandText(operand)}`)]
}

const block = (head: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [[head, ...lines].join('\n')]

const namesText = (names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`  ${names.map(quote).join(', ')}`]

export function explicitText({
  overruled,
  opset,
  defaults,
  inlined,
  lowered,
  rewritten,
  kept,
  unproven,
  totals,
}: ExplicitReport): string {
  const raise = opset.from === opset.to ? '' : `raised from opset ${opset.from} to ${opset.to}; `
  const isSame =
    defaults.fixed.length === 0 &&
    inlined.length === 0 &&
    rewritten.length === 0 &&
    lowered.length === 0 &&
    opset.from === opset.to
  const head = isSame
    ? 'nothing to rewrite'
    : `${raise}${plural(rewritten.length, 'node')} rewritten: ${totalsText(totals)}`
  const blocks = [
    ...block(
      'other sizes than were declared:',
      overruled.map(
        ({ input, given, declared }) =>
          `  input ${quote(input)} is ${declaredShapeText(given)}, and was ${declaredShapeText(declared)}`,
      ),
    ),
    ...block('inputs that became constants, with their defaults:', namesText(defaults.fixed)),
    ...block('inputs with a default, of which nothing is assumed, for a run may replace it:', namesText(defaults.open)),
    ...block(
      'decided by the inputs:',
      inlined.map(({ node, branch }) => `  ${nodeLabel(node)}: ${branch} in its place`),
    ),
    ...block(
      'for the newer operator set:',
      lowered.map(({ node, changes }) => `  ${nodeLabel(node)}: ${changes.join('; ')}`),
    ),
    ...block(
      'rewritten:',
      rewritten.flatMap(rewrittenLines).map((line) => `  ${line}`),
    ),
    ...block(
      'left as they are:',
      kept.map(({ node, reason }) => `  ${nodeLabel(node)}: ${reason}`),
    ),
    ...block(
      'not proven by profile sonnx-strict:',
      unproven.map((message) => `  ${message}`),
    ),
  ]
  return [head, ...blocks].join('\n\n')
}

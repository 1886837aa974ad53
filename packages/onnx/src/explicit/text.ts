// The report for people: what was added in all, then node by node, then what stays and what a check cannot prove. Nodes
// that were rewritten alike are told as one.
import { framed } from '../check/report/framed.ts'
import { type Group, LISTS_THEM, type Listed, listed, placesText, plural } from '../check/report/groups.ts'
import { quote, shapeText } from '../check/words.ts'
import { constantOf, type Dim, format } from '../dims/index.ts'
import { type Node, nodeLabel } from '../model/scope.ts'
import { declaredShapeText } from '../model/value.ts'
import type { ExpandedOperand, ExplicitReport, ExplicitTotals, RewrittenNode } from './report.ts'

/** What `explicitText` tells. */
export interface ExplicitTextOptions {
  /** Whether every node is told by itself, and lists are whole; false unless said. */
  readonly all?: boolean
}

const bytesText = (bytes: Dim): string => `${constantOf(bytes) ?? format(bytes)} bytes`

function totalsText({ nodes, operators, constants, bytes, unknown }: ExplicitTotals): string {
  const list = Object.entries(operators).map(([operator, count]) => `${count} ${operator}`)
  const added = nodes === 0 ? 'no nodes' : `${plural(nodes, 'node')} (${list.join(', ')})`
  const open = unknown === 0 ? '' : `, and ${plural(unknown, 'operand')} whose size is not known`
  return `${added} and ${plural(constants, 'constant')} added; expanded operands take ${bytesText(bytes)}${open}`
}

/** What becomes of an operand, whatever its name. */
function expansionText({ shape, result, axes, bytes, shared }: ExpandedOperand): string {
  const where = axes === undefined ? '' : ` on ${axes.length === 1 ? 'axis' : 'axes'} ${axes.join(',')}`
  const size = shared ? 'made before' : bytes === undefined ? 'of a size that is not known' : bytesText(bytes)
  return `${shapeText(shape)} to ${shapeText(result)}${where}, ${size}`
}

/** What was done at a node, whatever its name. */
function changeText({ nodes, replacedBy }: RewrittenNode): string {
  const added = nodes.length === 0 ? '' : `; added ${nodes.map(({ operator }) => operator).join(', ')}`
  return replacedBy === undefined ? added : `: ${replacedBy} in its place${added}`
}

const rewrittenKey = (each: RewrittenNode): string =>
  JSON.stringify([changeText(each), each.operands.map((operand) => [operand.input, expansionText(operand)])])

/** The same whatever the sizes. */
const roughKey = (each: RewrittenNode): string =>
  JSON.stringify([changeText(each), each.operands.map(({ input, axes, shared }) => [input, axes, shared])])

/** Nodes of which the same is said: the first, and where the others are. */
function alikeLines(said: (label: string) => readonly string[], [first, ...others]: readonly Node[]): string[] {
  const count = others.length === 0 ? '' : `${others.length + 1} ×, the first: `
  const also = others.length === 0 ? [] : [`  also ${placesText(others.map(nodeLabel))}; ${LISTS_THEM}`]
  return [...said(`${count}${nodeLabel(first!)}`), ...also]
}

const rewrittenLines = (group: Group<RewrittenNode>): string[] =>
  alikeLines(
    (label) => [
      `${label}${changeText(group[0])}`,
      ...group[0].operands.map(
        (operand) => `  input ${operand.input} ${JSON.stringify(operand.name)} ${expansionText(operand)}`,
      ),
    ],
    group.map(({ node }) => node),
  )

/** A block under its title: what is told of a list, some lines for each group. */
function block<T>(title: string, { shown, rest }: Listed<T>, linesOf: (group: Group<T>) => string[]): string[][] {
  if (shown.length === 0) return []
  const more = rest.entries === 0 ? [] : [`and ${rest.entries} more; ${LISTS_THEM}`]
  return [[title, ...[...shown.flatMap(linesOf), ...more].map((line) => `  ${line}`)]]
}

const namesText = (names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [names.map(quote).join(', ')]

/**
 * The report of a rewrite for people: `explicitText(makeExplicit(model).report)`.
 *
 * @example
 * ```ts
 * explicitText(makeExplicit(model).report).split('\n')[0] // 'nothing to rewrite'
 * ```
 */
export function explicitText(report: ExplicitReport, { all = false }: ExplicitTextOptions = {}): string {
  const { overruled, opset, defaults, inlined, lowered, rewritten, kept, unproven, totals } = report
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
  const plain = (title: string, lines: readonly string[]): string[][] =>
    block(title, listed(lines, { all, keyOf: String }), ([line]) => [line])
  const nodes = (title: string, entries: readonly { readonly node: Node; readonly what: string }[]): string[][] =>
    block(title, listed(entries, { all, keyOf: ({ what }) => what }), (group) =>
      alikeLines(
        (label) => [`${label}: ${group[0].what}`],
        group.map(({ node }) => node),
      ),
    )
  return framed(
    [head],
    [
      ...plain(
        'other sizes than were declared:',
        overruled.map(
          ({ input, given, declared }) =>
            `input ${quote(input)} is ${declaredShapeText(given)}, and was ${declaredShapeText(declared)}`,
        ),
      ),
      ...plain('inputs that became constants, with their defaults:', namesText(defaults.fixed)),
      ...plain(
        'inputs with a default, of which nothing is assumed, for a run may replace it:',
        namesText(defaults.open),
      ),
      ...nodes(
        'decided by the inputs:',
        inlined.map(({ node, branch }) => ({ node, what: `${branch} in its place` })),
      ),
      ...nodes(
        'for the newer operator set:',
        lowered.map(({ node, changes }) => ({ node, what: changes.join('; ') })),
      ),
      ...block('rewritten:', listed(rewritten, { all, keyOf: rewrittenKey, roughKeyOf: roughKey }), rewrittenLines),
      ...nodes(
        'left as they are:',
        kept.map(({ node, reason }) => ({ node, what: reason })),
      ),
      ...plain('not proven by profile sonnx-strict:', unproven),
    ],
  )
}

// What a census says in words and tables: the text and the Markdown print the same ones.
import type { Verdict } from '../check/verdict.ts'
import { type Census, type CensusTotals, sumOf } from './census.ts'
import type { Origin } from './origin.ts'
import { patterns } from './pattern.ts'
import { countOf, operatorText, patternsByOperator } from './pivot.ts'

export interface Table {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const verdicts: readonly Verdict[] = ['equal', 'broadcast', 'conditional', 'unknown', 'error']
const origins: readonly Origin[] = ['constant', 'computed']

const texts = new Set(['operator', 'pattern', 'operand', 'example', 'node', 'model'])

/** Whether a column of that title holds numbers. */
export const isNumeric = (title: string): boolean => !texts.has(title)

const share = (part: number, whole: number): string => (whole === 0 ? '' : ` (${Math.round((100 * part) / whole)} %)`)

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

/** The census in sentences. */
export function summaryOf({ totals, failures }: Census): string[] {
  const { models, broadcasting, nodes, stretched, explicit } = totals
  const unread = failures.length === 0 ? '' : `, ${failures.length} more not read`
  const all = sumOf(stretched)
  return [
    `${plural(models, 'model')}${unread}; ${plural(nodes, 'node')}.`,
    `${plural(sumOf(totals.verdicts), 'node')} may broadcast: ${verdictText(totals)}. ${broadcasting} of ${plural(models, 'model')} broadcast.`,
    `${plural(all, 'operand')} stretched: ${stretched.constant} constant${share(stretched.constant, all)}, which a model could hold at full size; ` +
      `${stretched.computed} computed${share(stretched.computed, all)}, which would need an Expand.`,
    `${plural(explicit, 'Expand')} beside them, which broadcast by their nature.`,
  ]
}

function verdictText({ verdicts: counts }: CensusTotals): string {
  const all = sumOf(counts)
  const words: Readonly<Record<Verdict, string>> = {
    broadcast: `${counts.broadcast} broadcast${share(counts.broadcast, all)}`,
    equal: `${counts.equal} of equal shapes`,
    conditional: `${counts.conditional} depending on sizes`,
    unknown: `${counts.unknown} of unknown rank`,
    error: `${counts.error} failing`,
  }
  return Object.values(words).join(', ')
}

const counted = (counts: readonly number[]): string[] => counts.map((count) => (count === 0 ? '' : String(count)))

/** Nodes by operator and verdict. */
const operatorTable = ({ operators }: Census): Table => ({
  title: 'Nodes by operator',
  head: ['operator', ...verdicts, 'models'],
  rows: operators.map((row) => [
    operatorText(row),
    ...counted(verdicts.map((verdict) => row.verdicts[verdict])),
    String(row.models),
  ]),
})

/** Stretched operands by operator and pattern. */
const patternTable = (census: Census): Table => ({
  title: 'Stretched operands by operator and pattern',
  head: ['operator', ...patterns, 'all'],
  rows: patternsByOperator(census).map(({ name, counts, all }) => [
    name,
    ...counted([...counts.values()]),
    String(all),
  ]),
})

/** Stretched operands by the rank of the result. */
function rankTable({ stretches }: Census): Table {
  const ranks = [...new Set(stretches.map(({ rank }) => rank))].sort((a, b) => a - b)
  return {
    title: "Stretched operands by the result's rank",
    head: ['rank', ...origins],
    rows: ranks.map((rank) => [
      String(rank),
      ...counted(origins.map((origin) => countOf(stretches, (each) => each.rank === rank && each.origin === origin))),
    ]),
  }
}

/** Everything that tells stretched operands apart, with an example of each kind. */
const kindTable = ({ stretches }: Census): Table => ({
  title: 'Stretched operands by kind',
  head: ['operator', 'pattern', 'rank', 'operand', 'count', 'models', 'model', 'node', 'example'],
  rows: stretches.map((stretch) => {
    const { pattern, rank, origin, operands, models, example } = stretch
    return [
      ...[operatorText(stretch), pattern, String(rank), origin, String(operands), String(models)],
      ...[example.model, example.node, example.shapes],
    ]
  }),
})

const modelTable = ({ models }: Census): Table => ({
  title: 'Models',
  head: ['model', 'nodes', ...verdicts, ...origins, 'Expand'],
  rows: models.map(({ name, nodes, complete, verdicts: counts, stretched, explicit }) => [
    complete ? name : `${name} (in part)`,
    String(nodes),
    ...counted([...verdicts.map((verdict) => counts[verdict]), stretched.constant, stretched.computed, explicit]),
  ]),
})

export const tablesOf = (census: Census): readonly Table[] =>
  [operatorTable, patternTable, rankTable, kindTable, modelTable]
    .map((table) => table(census))
    .filter(({ rows }) => rows.length > 0)

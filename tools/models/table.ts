// The table of real models in the README of @bcast/onnx, and where it stands there.
import { availableParallelism, cpus } from 'node:os'
import { knownDisagreements } from '../../testing/models/onnx-disagreements.ts'
import type { Figures } from './figures.ts'
import type { Times } from './run-times.ts'
import type { Timed } from './speed.ts'

const BEGIN = '<!-- Written by `npm run models` -->'
const END = '<!-- end of what `npm run models` writes -->'

export const readme: URL = new URL('../../packages/onnx/README.md', import.meta.url)

const grouped = (count: number): string => count.toLocaleString('en-US')

const timesText = ({ best, median }: Times): string => `${best.toFixed(2)} (${median.toFixed(2)})`

/** The columns, with what a model has in each. */
const columns: readonly (readonly [head: string, cell: (figures: Figures) => string | number])[] = [
  ['model', ({ name }) => name],
  ['nodes', ({ nodes }) => nodes],
  ['broadcasts', ({ broadcasts }) => broadcasts],
  ['runs', ({ runs }) => runs],
  ['values', ({ values }) => values],
  ['right, sizes given', ({ fixed }) => fixed],
  ['right, sizes open', ({ open }) => open],
  ['wrong', ({ faults }) => faults.length],
  ['explicit: nodes added', ({ added }) => added],
  ['bytes expanded', ({ bytes }) => grouped(bytes)],
  ['same bits', ({ same, runs }) => `${same} of ${2 * runs}`],
  ['sizes as ONNX', ({ alike }) => alike],
  ['known here only', ({ more }) => more],
  ['otherwise', ({ disagreements }) => disagreements],
  ['timed input', ({ times }) => times.input],
  ['run, ms', ({ times }) => timesText(times.here)],
  ['onnxruntime, ms', ({ times }) => timesText(times.onnxruntime)],
  ['times', ({ times: { here, onnxruntime } }) => (here.best / onnxruntime.best).toFixed(1)],
]

const isText = (head: string): boolean => head === 'model' || head === 'broadcasts'

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

function rowsOf(figures: readonly Figures[]): string {
  const heads = columns.map(([head]) => head)
  const rule = `|${heads.map((head) => (isText(head) ? '---' : '---:')).join('|')}|`
  return [row(heads), rule, ...figures.map((each) => row(columns.map(([, cell]) => cell(each))))].join('\n')
}

/** Why ONNX says something else of some values. */
const reasons = (): string[] =>
  knownDisagreements.map(
    ({ models, runs, reason, values }) =>
      `- ${values.length} values of ${models.join(' and ')} in ${runs.length} runs: ${reason}.`,
  )

const seconds = (milliseconds: number): string =>
  milliseconds >= 1000 ? `${(milliseconds / 1000).toFixed(1)} s` : `${Math.round(milliseconds)} ms`

const machine = (): string =>
  `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.versions.node}`

export function tableText(figures: readonly Figures[], real: Timed, synthetic: readonly Timed[], date: Date): string {
  const many = synthetic.map(({ nodes, milliseconds }) => `${grouped(nodes)} nodes ${seconds(milliseconds)}`)
  return [
    rowsOf(figures),
    `Where ONNX says otherwise:\n${reasons().join('\n')}`,
    `\`checkModel\` in processor time: ${real.name}, the largest, ${seconds(real.milliseconds)}; made-up models of ${many.join(', ')}. ${date.toISOString().slice(0, 10)}, ${machine()}.`,
  ].join('\n\n')
}

/** The README with the table in its place. */
export function withTable(markdown: string, table: string): string {
  const [begin, end] = [markdown.indexOf(BEGIN), markdown.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error('the README has no place for the table of models')
  return `${markdown.slice(0, begin + BEGIN.length)}\n\n${table}\n\n${markdown.slice(end)}`
}

/** The cells of the table that stands in the README, by model and by head. */
export function tableIn(markdown: string): Map<string, Record<string, string>> {
  const lines = markdown.slice(markdown.indexOf(BEGIN), markdown.indexOf(END)).split('\n')
  const [names, , ...rows] = lines
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  return new Map(rows.map((cells) => [cells[0]!, Object.fromEntries(names!.map((name, i) => [name, cells[i]!]))]))
}

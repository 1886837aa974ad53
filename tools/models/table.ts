// The table of real models in the README of @bcast/onnx, and where it stands there.
import { availableParallelism, cpus } from 'node:os'
import type { Figures } from './figures.ts'
import type { Timed } from './speed.ts'

const BEGIN = '<!-- Written by `npm run models` -->'
const END = '<!-- end of what `npm run models` writes -->'

export const readme: URL = new URL('../../packages/onnx/README.md', import.meta.url)

const head = ['model', 'nodes', 'broadcasts', 'runs', 'values', 'right, sizes given', 'right, sizes open', 'wrong']

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

const cellsOf = ({ name, nodes, broadcasts, runs, values, fixed, open, faults }: Figures): (string | number)[] => [
  ...[name, nodes, broadcasts, runs, values, fixed, open, faults.length],
]

const seconds = (milliseconds: number): string =>
  milliseconds >= 1000 ? `${(milliseconds / 1000).toFixed(1)} s` : `${Math.round(milliseconds)} ms`

const grouped = (count: number): string => count.toLocaleString('en-US')

const machine = (): string =>
  `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.versions.node}`

export function tableText(figures: readonly Figures[], real: Timed, synthetic: readonly Timed[], date: Date): string {
  const many = synthetic.map(({ nodes, milliseconds }) => `${grouped(nodes)} nodes ${seconds(milliseconds)}`)
  return [
    [
      row(head),
      `|${head.map((_, i) => (i < 1 || i === 2 ? '---' : '---:')).join('|')}|`,
      ...figures.map((each) => row(cellsOf(each))),
    ].join('\n'),
    `\`checkModel\`: ${real.name}, the largest, ${seconds(real.milliseconds)}; made-up models of ${many.join(', ')}. ${date.toISOString().slice(0, 10)}, ${machine()}.`,
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

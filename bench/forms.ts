// A report as text for the terminal, and as Markdown for the documentation.
import { lossLines, memorySentence, wrongLines } from './losses.ts'
import { OWN, TITLES } from './own.ts'
import { machine, type Report } from './report.ts'
import { firstTable, fusedLines, machineTable, meansTable, targetsTable, timesTable } from './tables.ts'
import { columns, markdownTable } from './text.ts'

/** What computes in the column with machine code, or why it is empty. */
export const nativeSentence = ({ native }: Report): string =>
  'reason' in native
    ? `${TITLES.native} has no times here: ${native.reason.replace(/\.$/, '')}.`
    : `${TITLES.native} is bcast where a program imports @bcast/native: ${native.version}.`

export function terminalText(report: Report): string {
  const { measured, first, memory, absent } = report
  const tables = [timesTable, meansTable, targetsTable, machineTable].map((table) => table(measured))
  const parts = [...tables, firstTable(first)].filter((table) => table.length > 0).map(columns)
  parts.push([...fusedLines(measured), nativeSentence(report), memorySentence(memory)])
  for (const id of OWN) {
    const losses = lossLines(report, id)
    if (losses.length > 0) parts.push([`Lost by ${TITLES[id]}:`, ...losses.map((line) => `  ${line}`)])
  }
  const wrong = wrongLines(measured)
  if (wrong.length > 0) parts.push(['Wrong results, left out of the ratios:', ...wrong.map((line) => `  ${line}`)])
  if (absent.length > 0) parts.push(['Absent:', ...absent.map(({ title, reason }) => `  ${title}: ${reason}`)])
  return parts.map((lines) => lines.join('\n')).join('\n\n')
}

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')

/** A heading and what stands below it, where there is something. */
const section = (heading: string, table: string[][], ...text: readonly string[]): string[] =>
  table.length === 0 ? [] : [`## ${heading}`, ...text, markdownTable(table)]

export function markdown(report: Report): string {
  const { date, measured, first, memory, peers, absent } = report
  const wrong = wrongLines(measured)
  const bounds = fusedLines(measured)
  return [
    '# Speed',
    '<!-- Written by `npm run bench`; changes by hand are lost. -->',
    `Measured on ${date.toISOString().slice(0, 10)}: ${machine()}. Best of many calls in rounds where everybody takes turns, after every result was compared with the others. The ratio is the best peer’s time divided by bcast’s with the same number of threads: above 1 bcast is faster. *fresh* makes a new result and gives it back; *out* writes into memory that is there (a peer that cannot is shown with its time for a fresh result). ✗ is where a target that speaks of peers is missed.`,
    nativeSentence(report),
    '![Ratio of bcast to the best peer, by workload](bench.svg)',
    `Peers: ${peers.map(({ title, version }) => `${title} ${version}`).join(', ')}.`,
    markdownTable(timesTable(measured)),
    ...section(
      'Streams beyond the caches',
      meansTable(measured),
      'Operands that lie element by element, or stand still, and a result, which together no cache holds: the ratios to the best peer, in the geometric mean.',
    ),
    ...OWN.flatMap((id) => {
      const losses = lossLines(report, id)
      return losses.length === 0 ? [] : [`## Where ${TITLES[id]} misses its target`, list(losses)]
    }),
    ...section('Targets', targetsTable(measured), 'They name the peers they speak of.'),
    ...section('First calls', firstTable(first)),
    '## Memory',
    memorySentence(memory),
    ...section(
      'What the machine can do',
      machineTable(measured),
      'The same loops in C, compiled for this very processor, into memory that is there: the fastest of several ways of storing, past the caches, too, and in huge pages. Of a sum only what cannot be spared: its operand is read once. Of a matrix product its multiplications and additions, from registers alone. Not a peer and in no ratio above, though targets name it. Behind each time stands how near bcast comes to it, into memory that is there as well: 1 is as fast, ✗ is where a target is missed.',
    ),
    ...(bounds.length > 0 ? [list(bounds)] : []),
    ...(wrong.length > 0 ? ['## Wrong results', 'These were left out of the ratios.', list(wrong)] : []),
    ...(absent.length > 0 ? ['## Absent', list(absent.map(({ title, reason }) => `${title}: ${reason}`))] : []),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n')
}

// The few lines of a report that the README carries: one row a workload, each ratio to the best peer, losses marked.
import { readFileSync, writeFileSync } from 'node:fs'
import { machine, type Report } from './report.ts'
import { type Row, rowsOf } from './rows.ts'
import { formatRatio, formatThreads, formatTime, markdownTable } from './text.ts'

const README = new URL('../README.md', import.meta.url)
const BEGIN = '<!-- Written by `npm run bench` -->'
const END = '<!-- end of what `npm run bench` writes -->'

/** The ratio with so many threads; a cross where a target is missed. */
function ratio(row: Row | undefined, threads: number): string {
  const comparison = row?.comparisons.find((entry) => entry.threads === threads)
  if (comparison === undefined) return '–'
  const lost = row!.losses.some((loss) => loss.threads === threads)
  return `${formatRatio(comparison.ratio)}${lost ? ' ✗' : ''}`
}

export function summaryText(report: Report): string {
  const measured = report.measured.filter(({ workload }) => workload.scaling !== true)
  const rows = measured.map((one) => rowsOf(one))
  const threads = [...new Set(rows.flat().flatMap((row) => row.comparisons.map((entry) => entry.threads)))].sort()
  const table = rows.map((own, i) => {
    const of = (mode: Row['mode']) => own.find((row) => row.mode === mode)
    const times = threads.map((count) => {
      const comparison = (of('fresh') ?? of('out'))?.comparisons.find((entry) => entry.threads === count)
      return comparison === undefined ? '–' : formatTime(comparison.seconds)
    })
    const ratios = threads.flatMap((count) => [ratio(of('fresh'), count), ratio(of('out'), count)])
    return [measured[i]!.workload.title, ...times, ...ratios]
  })
  const head = [
    'workload',
    ...threads.map((count) => `bcast, ${formatThreads(count)}`),
    ...threads.flatMap((count) => [`fresh, ${formatThreads(count)}`, `out, ${formatThreads(count)}`]),
  ]
  return [
    `How many times faster than the best peer of the same run with as many threads (${report.peers.map(({ title }) => title).join(', ')}), with a fresh result and into memory that is there; ✗ where a target is missed. ${report.date.toISOString().slice(0, 10)}, ${machine()}. All times, peers and targets: [docs/bench.md](docs/bench.md).`,
    markdownTable([head, ...table]),
    '![Ratio of bcast to the best peer, by workload](docs/bench.svg)',
  ].join('\n\n')
}

/** Puts the summary where the README keeps it. */
export function writeSummary(report: Report): void {
  const text = readFileSync(README, 'utf8')
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error('README.md has no place for the summary of the benchmark')
  writeFileSync(README, `${text.slice(0, begin + BEGIN.length)}\n\n${summaryText(report)}\n\n${text.slice(end)}`)
}

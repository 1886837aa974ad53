// The few lines of a report that the README carries: a table for one thread, with one row a workload, each ratio to the
// best peer, losses marked; streams together for every number of threads.
import { readFileSync, writeFileSync } from 'node:fs'
import { nativeSentence } from './forms.ts'
import type { Measured } from './measure.ts'
import { OWN, TITLES } from './own.ts'
import { machine, type Report, threadsIn } from './report.ts'
import { rowsOf } from './rows.ts'
import { meansTable } from './tables.ts'
import type { Mode } from './task.ts'
import { formatOwnRatio, formatOwnTime, formatThreads, markdownTable } from './text.ts'

const README = new URL('../README.md', import.meta.url)
const BEGIN = '<!-- Written by `npm run bench` -->'
const END = '<!-- end of what `npm run bench` writes -->'

/** For so many threads: times, then ratios with a fresh result and into memory that is there, of bcast and beside it. */
function table(measured: readonly Measured[], threads: number): string {
  const rows = measured.map((one) => {
    const own = rowsOf(one)
    const of = (mode: Mode) => own.find((row) => row.mode === mode)
    const first = of('fresh') ?? of('out')
    return [
      one.workload.title,
      ...OWN.flatMap((id) => [
        formatOwnTime(first?.[id], threads),
        formatOwnRatio(of('fresh')?.[id], threads),
        formatOwnRatio(of('out')?.[id], threads),
      ]),
    ]
  })
  const head = [formatThreads(threads), ...OWN.flatMap((id) => [TITLES[id], 'fresh', 'out'])]
  return markdownTable([head, ...rows])
}

export function summaryText(report: Report): string {
  const measured = report.measured.filter(({ workload }) => workload.scaling !== true)
  const means = meansTable(report.measured)
  return [
    `How many times faster than the best peer of the same run with as many threads (${report.peers.map(({ title }) => title).join(', ')}), with a *fresh* result and into memory that is there (*out*), behind the time with a fresh result; ✗ where a target that speaks of peers is missed. ${report.date.toISOString().slice(0, 10)}, ${machine()}. ${nativeSentence(report)} With more threads, and all peers and targets: [docs/bench.md](docs/bench.md).`,
    ...threadsIn(measured)
      .slice(0, 1)
      .map((threads) => table(measured, threads)),
    ...(means.length > 0 ? ['Streams beyond the caches together:', markdownTable(means)] : []),
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

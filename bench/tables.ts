// What a run found in tables: a head and rows of cells, for the terminal and the documentation alike.
import { type FirstCalls, summary } from './first-call.ts'
import { type Mean, meansOf } from './means.ts'
import type { Measured } from './measure.ts'
import { isOwn, OWN, TITLES } from './own.ts'
import { threadsIn } from './report.ts'
import { type Judged, rowsOf } from './rows.ts'
import { FIRST_CALL_MS } from './targets.ts'
import type { Mode } from './task.ts'
import {
  formatBest,
  formatOwnRatio,
  formatOwnTime,
  formatRatio,
  formatTargets,
  formatThreads,
  formatTime,
  marked,
  modeTitle,
  NONE,
  verdict,
} from './text.ts'

type Table = string[][]

/** Times beside the best peer's, with a cross where a target is missed. */
export function timesTable(measured: readonly Measured[]): Table {
  const threads = threadsIn(measured)
  const head = threads.flatMap((count) => [
    `best peer, ${formatThreads(count)}`,
    ...OWN.flatMap((id) => [TITLES[id], 'ratio']),
  ])
  const rows = measured
    .flatMap(rowsOf)
    .map((row) => [
      row.workload.title,
      modeTitle(row.mode),
      ...threads.flatMap((count) => [
        formatBest(row, count),
        ...OWN.flatMap((id) => [formatOwnTime(row[id], count), formatOwnRatio(row[id], count)]),
      ]),
    ])
  return [['workload', 'result', ...head], ...rows]
}

/** What each row is to reach; none where nothing is asked. */
export function targetsTable(measured: readonly Measured[]): Table {
  const rows = measured
    .flatMap(rowsOf)
    .filter(({ bcast, native }) => bcast.targets.length + native.targets.length > 0)
    .map((row) => [
      row.workload.title,
      modeTitle(row.mode),
      ...OWN.flatMap((id) => [formatTargets(row[id]), verdict(row[id])]),
    ])
  return rows.length === 0 ? [] : [['workload', 'result', ...OWN.flatMap((id) => [TITLES[id], ''])], ...rows]
}

function meanCell(means: readonly Mean[], mode: Mode, threads: number): string {
  const mean = means.find((each) => each.mode === mode && each.threads === threads)
  return mean === undefined ? NONE : marked(mean.ratio, !mean.met)
}

/** Streams beyond the caches together; none where there are none. */
export function meansTable(measured: readonly Measured[]): Table {
  const means = meansOf(measured)
  if (means.length === 0) return []
  const columns = threadsIn(measured).flatMap((threads) =>
    (['fresh', 'out'] as const).map((mode) => ({ threads, mode })),
  )
  const count = Math.max(...means.map((mean) => mean.count))
  return [
    [
      `geometric mean of ${count} streams`,
      ...columns.map(({ threads, mode }) => `${modeTitle(mode)}, ${formatThreads(threads)}`),
      'target',
    ],
    ...OWN.map((id) => {
      const own = means.filter((mean) => mean.id === id)
      const wanted = own[0]?.wanted
      return [
        TITLES[id],
        ...columns.map(({ mode, threads }) => meanCell(own, mode, threads)),
        wanted === undefined ? NONE : `${wanted} of the best peer`,
      ]
    }),
  ]
}

/** Times of first calls, and whether the worst of bcast's own is within its target. */
export function firstTable(first: readonly FirstCalls[]): Table {
  const rows = first.flatMap((calls) => {
    const found = summary(calls)
    if (found === undefined) return []
    const { id, title } = calls.peer
    const times = [title, formatTime(found.median), formatTime(found.worst)]
    if (!isOwn(id)) return [[...times, NONE, '']]
    const met = found.worst * 1000 < FIRST_CALL_MS[id]
    return [[...times, `under ${FIRST_CALL_MS[id]} ms`, met ? 'met' : 'LOST']]
  })
  return rows.length === 0 ? [] : [['first call with a new signature', 'median', 'worst', 'target', ''], ...rows]
}

/** The C program's times, and how near bcast comes to them where its result has a place as well; a cross where not enough. */
export function machineTable(measured: readonly Measured[]): Table {
  const threads = threadsIn(measured)
  const near = (judged: Judged | undefined, count: number, bound: number | undefined): string => {
    const own = judged?.comparisons.find((comparison) => comparison.threads === count)
    if (own === undefined || bound === undefined) return NONE
    return marked(
      bound / own.seconds,
      judged!.losses.some((loss) => loss.threads === count && loss.machine),
    )
  }
  const rows = measured
    .filter(({ roofline }) => roofline.size > 0)
    .map((one) => {
      const row = rowsOf(one).at(-1)
      return [
        one.workload.title,
        ...threads.flatMap((count) => {
          const bound = one.roofline.get(count)
          return [bound === undefined ? NONE : formatTime(bound), ...OWN.map((id) => near(row?.[id], count, bound))]
        }),
      ]
    })
  if (rows.length === 0) return []
  const head = threads.flatMap((count) => [`C, ${formatThreads(count)}`, ...OWN.map((id) => TITLES[id])])
  return [['workload', ...head], ...rows]
}

/** How near matrix products come to the most that the processor adds up. */
export const fusedLines = (measured: readonly Measured[]): string[] =>
  measured.flatMap((one) =>
    [...one.fused].map(([threads, seconds]) => {
      const row = rowsOf(one).at(-1)
      const half = 2 * seconds
      const reached = OWN.flatMap((id) => {
        const own = row?.[id].comparisons.find((comparison) => comparison.threads === threads)
        return own === undefined ? [] : [`${TITLES[id]} reaches ${formatRatio(half / own.seconds)} of that speed`]
      })
      const rounded = one.roofline.get(threads)
      const apart = rounded === undefined ? '' : `; rounded apart from registers alone: ${formatTime(rounded)}`
      return `${one.workload.title}, ${formatThreads(threads)}: half of the multiply-add peak takes ${formatTime(half)}${apart}${reached.map((text) => `; ${text}`).join('')}.`
    }),
  )

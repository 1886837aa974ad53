// Everything that a run found, and the three forms it is given in: text for the terminal, Markdown for the
// documentation, JSON for programs.
import { availableParallelism, cpus, totalmem } from 'node:os'
import { type FirstCalls, summary } from './first-call.ts'
import type { Measured } from './measure.ts'
import type { AbsentPeer, ReadyPeer } from './peers.ts'
import { type Row, rowsOf } from './rows.ts'
import { FIRST_CALL_MS, MEMORY_PER_THREAD } from './targets.ts'
import {
  columns,
  formatBest,
  formatLoss,
  formatRatio,
  formatTargets,
  formatThreads,
  formatTime,
  markdownTable,
  modeTitle,
  verdict,
} from './text.ts'

export interface MemoryUse {
  readonly workload: string
  readonly threads: number
  /** Held beside operands and result at the peak; negative when memory that was free already is used again. */
  readonly bytes: number
}

export interface Report {
  readonly date: Date
  readonly measured: readonly Measured[]
  readonly first: readonly FirstCalls[]
  readonly memory: readonly MemoryUse[] | { readonly reason: string }
  readonly peers: readonly ReadyPeer[]
  readonly absent: readonly AbsentPeer[]
}

export const machine = (): string => {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const gib = Math.round(totalmem() / 2 ** 30)
  return `${model}, ${availableParallelism()} cores, ${gib} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}`
}

const head = (threads: readonly number[]): string[] => [
  'workload',
  'result',
  ...threads.map((count) => `bcast, ${formatThreads(count)}`),
  ...threads.flatMap((count) => [`best peer, ${formatThreads(count)}`, 'ratio']),
  'target',
  '',
]

const cells = (row: Row, threads: readonly number[]): string[] => {
  const at = (count: number) => row.comparisons.find((comparison) => comparison.threads === count)
  return [
    row.workload.title,
    modeTitle(row.mode),
    ...threads.map((count) => (at(count) === undefined ? '–' : formatTime(at(count)!.seconds))),
    ...threads.flatMap((count) => {
      const comparison = at(count)
      return comparison === undefined ? ['–', '–'] : [formatBest(comparison), formatRatio(comparison.ratio)]
    }),
    formatTargets(row),
    verdict(row),
  ]
}

/** Times of first calls in a table, and whether bcast's worst is within its target. */
function firstTable(first: readonly FirstCalls[]): string[][] {
  const lines = first.flatMap((calls) => {
    const found = summary(calls)
    if (found === undefined) return []
    const isOwn = calls.peer.id === 'bcast'
    const met = found.worst * 1000 < FIRST_CALL_MS ? 'met' : 'LOST'
    return [
      [
        calls.peer.title,
        formatTime(found.median),
        formatTime(found.worst),
        isOwn ? `under ${FIRST_CALL_MS} ms` : '–',
        isOwn ? met : '',
      ],
    ]
  })
  return lines.length === 0 ? [] : [['first call with a new signature', 'median', 'worst', 'target', ''], ...lines]
}

const kib = (bytes: number): string => `${Math.round(bytes / 1024)} KiB`

const overweight = (memory: Report['memory']): string[] =>
  'reason' in memory
    ? []
    : memory
        .filter(({ bytes, threads }) => bytes > threads * MEMORY_PER_THREAD)
        .map(({ workload, threads, bytes }) => `${workload} with ${formatThreads(threads)}: ${kib(bytes)}`)

function memorySentence(memory: Report['memory']): string {
  if ('reason' in memory) return `Memory was not measured: ${memory.reason}.`
  const target = 'the target is 1 MiB for each thread'
  const over = overweight(memory)
  if (over.length > 0)
    return `Memory held at the peak beside operands and result (${target}), LOST: ${over.join('; ')}.`
  const most = Math.max(0, ...memory.map(({ bytes }) => bytes))
  return `Memory: at its peak no workload held more than its operands, its result and ${kib(most)}; ${target} (met).`
}

const wrongLines = (measured: readonly Measured[]): string[] =>
  measured.flatMap(({ workload, contenders }) =>
    contenders
      .filter(({ problem }) => problem?.kind === 'wrong')
      .map(
        ({ peer, threads, problem }) => `${workload.title}: ${peer.title}, ${formatThreads(threads)}: ${problem!.text}`,
      ),
  )

/** Everything that misses its target, in words. */
function lossLines({ measured, first, memory }: Report): string[] {
  const rows = measured
    .flatMap(rowsOf)
    .flatMap((row) => row.losses.map((loss) => `${row.workload.title}, ${modeTitle(row.mode)}: ${formatLoss(loss)}`))
  const own = first.find(({ peer }) => peer.id === 'bcast')
  const slow = [...(own?.tasks ?? [])]
    .filter(([, seconds]) => seconds * 1000 >= FIRST_CALL_MS)
    .map(([title, seconds]) => `first call of ${title}: ${formatTime(seconds)}, wanted under ${FIRST_CALL_MS} ms`)
  return [...rows, ...slow, ...overweight(memory).map((line) => `memory, ${line}`)]
}

const threadsIn = (rows: readonly Row[]): number[] =>
  [...new Set(rows.flatMap((row) => row.comparisons.map(({ threads }) => threads)))].sort((a, b) => a - b)

export function terminalText(report: Report): string {
  const { measured, first, memory, absent } = report
  const rows = measured.flatMap(rowsOf)
  const threads = threadsIn(rows)
  const parts = [columns([head(threads), ...rows.map((row) => cells(row, threads))])]
  const firsts = firstTable(first)
  if (firsts.length > 0) parts.push(columns(firsts))
  parts.push([memorySentence(memory)])
  const losses = lossLines(report)
  if (losses.length > 0) parts.push(['Lost:', ...losses.map((line) => `  ${line}`)])
  const wrong = wrongLines(measured)
  if (wrong.length > 0) parts.push(['Wrong results, left out of the ratios:', ...wrong.map((line) => `  ${line}`)])
  if (absent.length > 0) parts.push(['Absent:', ...absent.map(({ title, reason }) => `  ${title}: ${reason}`)])
  return parts.map((lines) => lines.join('\n')).join('\n\n')
}

export function markdown(report: Report): string {
  const { date, measured, first, memory, peers, absent } = report
  const rows = measured.flatMap(rowsOf)
  const threads = threadsIn(rows)
  const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')
  const losses = lossLines(report)
  const wrong = wrongLines(measured)
  const firsts = firstTable(first)
  const roofs = measured.flatMap(({ workload, roofline }) =>
    roofline.size === 0
      ? []
      : [[workload.title, ...threads.map((count) => (roofline.has(count) ? formatTime(roofline.get(count)!) : '–'))]],
  )
  return [
    '# Speed',
    '<!-- Written by `npm run bench`; changes by hand are lost. -->',
    `Measured on ${date.toISOString().slice(0, 10)}: ${machine()}. Best of many calls in rounds where everybody takes turns, after every result was compared with the others. The ratio is the best peer’s time divided by bcast’s with the same number of threads: above 1 bcast is faster. *fresh* makes a new result and gives it back; *out* writes into memory that is there (a peer that cannot is shown with its time for a fresh result). Targets name the peers they speak of.`,
    '![Ratio of bcast to the best peer, by workload](bench.svg)',
    `Peers: ${peers.map(({ title, version }) => `${title} ${version}`).join(', ')}.`,
    markdownTable([head(threads), ...rows.map((row) => cells(row, threads))]),
    ...(losses.length > 0 ? ['## Where bcast misses its target', list(losses)] : ['Every target is met.']),
    ...(firsts.length > 0 ? ['## First calls', markdownTable(firsts)] : []),
    '## Memory',
    memorySentence(memory),
    ...(roofs.length > 0
      ? [
          '## What the machine can do',
          'The same loops in C, compiled for this very processor, into memory that is there. Of a sum only what cannot be spared: its operand is read once. Not a peer and in no ratio, though the targets of sums name it.',
          markdownTable([['workload', ...threads.map(formatThreads)], ...roofs]),
        ]
      : []),
    ...(wrong.length > 0 ? ['## Wrong results', 'These were left out of the ratios.', list(wrong)] : []),
    ...(absent.length > 0 ? ['## Absent', list(absent.map(({ title, reason }) => `${title}: ${reason}`))] : []),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n')
}

/** Every time of the run, in seconds. */
export function json({ date, measured, first, memory, peers, absent }: Report): string {
  const value = {
    date: date.toISOString(),
    machine: machine(),
    peers: peers.map(({ id, title, version }) => ({ id, title, version })),
    absent,
    workloads: measured.map((one) => ({
      id: one.workload.id,
      title: one.workload.title,
      rows: rowsOf(one).map(({ mode, comparisons, targets, losses }) => ({
        mode,
        comparisons: comparisons.map(({ threads, seconds, peers: times, best, ratio }) => ({
          threads,
          seconds,
          best: best?.id,
          ratio,
          peers: times.map(({ id, threads: used, seconds: time, fresh }) => ({
            id,
            threads: used,
            seconds: time,
            fresh,
          })),
        })),
        targets: targets.map(({ text }) => text),
        losses,
      })),
      roofline: Object.fromEntries(one.roofline),
      problems: one.contenders.flatMap(({ peer, threads, problem }) =>
        problem === undefined ? [] : [{ peer: peer.id, threads, ...problem }],
      ),
    })),
    first: first.map(({ peer, tasks }) => ({ peer: peer.id, seconds: Object.fromEntries(tasks) })),
    memory,
  }
  return `${JSON.stringify(value, undefined, 2)}\n`
}

// Numbers and rows in words, shared by the table on the terminal and the one in the documentation.
import type { Comparison, Judged, Loss, Row } from './rows.ts'

/** Where there is nothing to say. */
export const NONE = '–'

/** Three digits and the unit that suits them. */
export function formatTime(seconds: number): string {
  const [value, unit] =
    seconds >= 1
      ? [seconds, 's']
      : seconds >= 1e-3
        ? [seconds * 1e3, 'ms']
        : seconds >= 1e-6
          ? [seconds * 1e6, 'µs']
          : [seconds * 1e9, 'ns']
  return `${value >= 100 ? value.toFixed(0) : value.toPrecision(3)} ${unit}`
}

export const formatRatio = (ratio: number | undefined): string =>
  ratio === undefined ? NONE : ratio >= 10 ? ratio.toFixed(1) : ratio.toFixed(2)

export const formatThreads = (threads: number): string => (threads === 1 ? '1 thread' : `${threads} threads`)

const atThreads = ({ comparisons }: Judged, threads: number): Comparison | undefined =>
  comparisons.find((comparison) => comparison.threads === threads)

/** The time with so many threads. */
export function formatOwnTime(judged: Judged | undefined, threads: number): string {
  const comparison = judged && atThreads(judged, threads)
  return comparison === undefined ? NONE : formatTime(comparison.seconds)
}

/** Marks what misses its target. */
export const marked = (ratio: number | undefined, lost: boolean): string => `${formatRatio(ratio)}${lost ? ' ✗' : ''}`

/** The ratio to the best peer with so many threads; a cross where a target that speaks of peers is missed. */
export function formatOwnRatio(judged: Judged | undefined, threads: number): string {
  const comparison = judged && atThreads(judged, threads)
  if (comparison === undefined) return NONE
  return marked(
    comparison.ratio,
    judged!.losses.some((loss) => loss.threads === threads && !loss.machine),
  )
}

/** The best peer with so many threads, and its time. */
export function formatBest({ bcast, native }: Row, threads: number): string {
  const best = (atThreads(bcast, threads) ?? atThreads(native, threads))?.best
  return best === undefined ? NONE : `${best.title} ${formatTime(best.seconds)}`
}

export const modeTitle = (mode: Row['mode']): string => (mode === 'fresh' ? 'fresh' : 'out')

export const formatTargets = ({ targets }: Judged): string =>
  targets.length === 0 ? NONE : targets.map(({ text }) => text).join('; ')

export const formatLoss = ({ peer, ratio, wanted, threads }: Loss): string =>
  `${formatRatio(ratio)} of ${peer} with ${formatThreads(threads)}, wanted ${wanted}`

export function verdict({ comparisons, targets, losses }: Judged): string {
  if (targets.length === 0 || comparisons.length === 0) return ''
  return losses.length === 0 ? 'met' : 'LOST'
}

/** Columns of equal width. */
export function columns(lines: readonly (readonly string[])[]): string[] {
  const widths = lines[0]!.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)))
  return lines.map((line) =>
    line
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  )
}

export function markdownTable(lines: readonly (readonly string[])[]): string {
  const [head, ...rest] = lines
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [row(head!), `|${head!.map(() => '---').join('|')}|`, ...rest.map(row)].join('\n')
}

// Numbers and rows in words, shared by the table on the terminal and the one in the documentation.
import type { Comparison, Loss, Row } from './rows.ts'

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
  ratio === undefined ? '–' : ratio >= 10 ? ratio.toFixed(1) : ratio.toFixed(2)

export const formatThreads = (threads: number): string => (threads === 1 ? '1 thread' : `${threads} threads`)

export const formatBest = ({ best }: Comparison): string =>
  best === undefined ? '–' : `${best.title} ${formatTime(best.seconds)}`

export const modeTitle = (mode: Row['mode']): string => (mode === 'fresh' ? 'fresh' : 'out')

export const formatTargets = ({ targets }: Row): string =>
  targets.length === 0 ? '–' : targets.map(({ text }) => text).join('; ')

export const formatLoss = ({ peer, ratio, wanted, threads }: Loss): string =>
  `${formatRatio(ratio)} of ${peer} with ${formatThreads(threads)}, wanted ${wanted}`

export function verdict({ targets, losses }: Row): string {
  if (targets.length === 0) return ''
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

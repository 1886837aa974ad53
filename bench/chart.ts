// The chart of the documentation: one bar for each workload and number of threads, how many times faster than the best
// peer, on a scale where twice and half are equally far from 1. Bars to the left are losses. It is as light or dark as
// the page that shows it.
import type { Measured } from './measure.ts'
import { type Row, rowsOf } from './rows.ts'
import { formatRatio, formatThreads } from './text.ts'

const LABELS = 270
const PANEL = 390
const ROW = 30
const TOP = 92
const BAR = 10

export interface Bar {
  readonly threads: number
  /** How many times faster than the best peer. */
  readonly ratio: number
  readonly peer: string
}

/** A workload with its bars by mode. */
export interface ChartRow {
  readonly title: string
  readonly fresh: readonly Bar[]
  readonly out: readonly Bar[]
}

type Kind = 'one' | 'all' | 'lossOne' | 'lossAll'

const STYLE = `text{font:12px system-ui,sans-serif}.small{font-size:10px}.title{font-weight:600}
.paper{fill:#fff}text{fill:#1c1c1c}.peer{fill:#767676}.grid{stroke:#e4e4e4}.even{stroke:#555}
.one{fill:#7ba7d9}.all{fill:#1f5fa8}.lossOne{fill:#e7a08f}.lossAll{fill:#c0432a}
@media (prefers-color-scheme:dark){.paper{fill:#0d1117}text{fill:#e6edf3}.peer{fill:#9198a1}.grid{stroke:#30363d}.even{stroke:#8b949e}
.one{fill:#a9c9ee}.all{fill:#4f94e0}.lossOne{fill:#f0b8ab}.lossAll{fill:#e0664d}}`

const kindOf = (threads: number, won: boolean): Kind =>
  threads === 1 ? (won ? 'one' : 'lossOne') : won ? 'all' : 'lossAll'

const isWon = (ratio: number): boolean => ratio >= 0.995

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escaped(content)}</text>`

/** Powers of two below and above every ratio: a bar that is cut would be as long as a shorter one. */
class Scale {
  readonly ticks: readonly number[]
  readonly #low: number
  readonly #high: number

  constructor(ratios: readonly number[]) {
    const powers = ratios.map(Math.log2)
    this.#low = Math.min(-1, ...powers.map((power) => Math.floor(power - 0.01)))
    const most = Math.max(1, ...powers.map(Math.ceil))
    // Behind the longest bar stands its number.
    this.#high = most + 1
    this.ticks = Array.from({ length: most - this.#low }, (_, i) => 2 ** (this.#low + 1 + i))
  }

  /** Pixels from the left edge of a panel. */
  place(ratio: number): number {
    return ((Math.log2(ratio) - this.#low) / (this.#high - this.#low)) * (PANEL - 40)
  }
}

function barAt(scale: Scale, left: number, y: number, { ratio, threads, peer }: Bar): string {
  const [from, to] = [scale.place(1), scale.place(ratio)]
  const [x, width] = [left + Math.min(from, to), Math.max(1, Math.abs(to - from))]
  const label = left + Math.max(from, to) + 4
  return [
    `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${BAR}" class="${kindOf(threads, isWon(ratio))}"/>`,
    `<text x="${label.toFixed(1)}" y="${(y + BAR - 1).toFixed(1)}" class="small">${formatRatio(ratio)} <tspan class="peer">${escaped(peer)}</tspan></text>`,
  ].join('')
}

function panel(rows: readonly (readonly Bar[])[], scale: Scale, left: number, title: string): string {
  const bottom = TOP + rows.length * ROW
  const grid = scale.ticks.map((tick) => {
    const x = left + scale.place(tick)
    const line = `<line x1="${x.toFixed(1)}" y1="${TOP - 6}" x2="${x.toFixed(1)}" y2="${bottom}" class="${tick === 1 ? 'even' : 'grid'}"/>`
    return line + text(x, TOP - 10, `${tick}×`, 'class="small" text-anchor="middle"')
  })
  const bars = rows.flatMap((own, i) => own.map((bar, k) => barAt(scale, left, TOP + i * ROW + 4 + k * (BAR + 2), bar)))
  return [text(left + scale.place(1), TOP - 30, title, 'class="title" text-anchor="middle"'), ...grid, ...bars].join(
    '\n',
  )
}

/** A box for every colour that there is. */
function legend(bars: readonly Bar[], y: number): string[] {
  const kinds = new Map(
    bars.map(({ threads, ratio }) => [`${isWon(ratio) ? 0 : 1} ${threads}`, { threads, won: isWon(ratio) }]),
  )
  return [...kinds.values()]
    .sort((a, b) => Number(b.won) - Number(a.won) || a.threads - b.threads)
    .map(({ threads, won }, i) => {
      const x = LABELS + i * 170
      const words = `${won ? 'faster' : 'slower'}, ${formatThreads(threads)}`
      const box = `<rect x="${x}" y="${y}" width="12" height="12" class="${kindOf(threads, won)}"/>`
      return box + text(x + 18, y + 10, words, 'class="small"')
    })
}

export function drawn(rows: readonly ChartRow[]): string {
  const bars = rows.flatMap(({ fresh, out }) => [...fresh, ...out])
  const scale = new Scale(bars.map(({ ratio }) => ratio))
  const width = LABELS + 2 * PANEL + 10
  const height = TOP + rows.length * ROW + 40
  const title = 'bcast beside the best peer of each workload, which is named: how many times faster'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="How many times faster bcast is than the best peer, by workload">`,
    `<style>${STYLE}</style>`,
    `<rect width="${width}" height="${height}" class="paper"/>`,
    text(14, 24, title, 'class="title" style="font-size:15px"'),
    ...rows.map((row, i) => text(LABELS - 14, TOP + i * ROW + ROW / 2 + 4, row.title, 'text-anchor="end"')),
    panel(
      rows.map(({ fresh }) => fresh),
      scale,
      LABELS,
      'a fresh result',
    ),
    panel(
      rows.map(({ out }) => out),
      scale,
      LABELS + PANEL,
      'into memory that is there',
    ),
    ...legend(bars, height - 24),
    '</svg>',
    '',
  ].join('\n')
}

const barsOf = (row: Row | undefined): readonly Bar[] =>
  (row?.comparisons ?? []).flatMap(({ threads, ratio, best }) =>
    ratio === undefined || best === undefined ? [] : [{ threads, ratio, peer: best.title }],
  )

export const chart = (measured: readonly Measured[]): string =>
  drawn(
    measured.map((each) => {
      const rows = rowsOf(each)
      const inMode = (mode: Row['mode']) => barsOf(rows.find((row) => row.mode === mode))
      return { title: each.workload.title, fresh: inMode('fresh'), out: inMode('out') }
    }),
  )

// The chart of the documentation: one bar for each workload and number of threads, how many times faster than the best
// peer, on a scale where twice and half are equally far from 1. Bars to the left are losses.
import type { Measured } from './measure.ts'
import { type Row, rowsOf } from './rows.ts'
import { formatRatio, formatThreads } from './text.ts'

const LABELS = 270
const PANEL = 390
const ROW = 30
const TOP = 92
const BAR = 10
const LIMITS = [0.2, 32] as const
const TICKS = [0.25, 0.5, 1, 2, 4, 8, 16]
const COLOURS = { one: '#7ba7d9', all: '#1f5fa8', lossOne: '#e7a08f', lossAll: '#c0432a' } as const

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const clamp = (ratio: number): number => Math.min(LIMITS[1], Math.max(LIMITS[0], ratio))

/** Pixels from the left edge of a panel. */
const place = (ratio: number): number => {
  const [low, high] = LIMITS
  return (Math.log(clamp(ratio) / low) / Math.log(high / low)) * (PANEL - 40)
}

const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escaped(content)}</text>`

function bar(left: number, y: number, ratio: number, colour: string, peer: string): string {
  const [from, to] = [place(1), place(ratio)]
  const [x, width] = [left + Math.min(from, to), Math.max(1, Math.abs(to - from))]
  const label = left + Math.max(from, to) + 4
  return [
    `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${BAR}" fill="${colour}"/>`,
    `<text x="${label.toFixed(1)}" y="${(y + BAR - 1).toFixed(1)}" class="small">${formatRatio(ratio)} <tspan class="peer">${escaped(peer)}</tspan></text>`,
  ].join('')
}

function panel(rows: ReadonlyMap<string, Row>, ids: readonly string[], left: number, title: string): string {
  const bottom = TOP + ids.length * ROW
  const grid = TICKS.map((tick) => {
    const x = left + place(tick)
    const line = `<line x1="${x.toFixed(1)}" y1="${TOP - 6}" x2="${x.toFixed(1)}" y2="${bottom}" class="${tick === 1 ? 'one' : 'grid'}"/>`
    return line + text(x, TOP - 10, `${tick}×`, 'class="small" text-anchor="middle"')
  })
  const bars = ids.flatMap((id, i) =>
    (rows.get(id)?.comparisons ?? []).flatMap(({ threads, ratio, best }, k) => {
      if (ratio === undefined || best === undefined) return []
      const won = ratio >= 0.995
      const colour = threads === 1 ? (won ? COLOURS.one : COLOURS.lossOne) : won ? COLOURS.all : COLOURS.lossAll
      return [bar(left, TOP + i * ROW + 4 + k * (BAR + 2), ratio, colour, best.title)]
    }),
  )
  return [text(left + place(1), TOP - 30, title, 'class="title" text-anchor="middle"'), ...grid, ...bars].join('\n')
}

export function chart(measured: readonly Measured[]): string {
  const ids = measured.map(({ workload }) => workload.id)
  const rows = measured.flatMap(rowsOf)
  const byMode = (mode: Row['mode']) =>
    new Map(rows.filter((row) => row.mode === mode).map((row) => [row.workload.id, row]))
  const threads = [...new Set(rows.flatMap((row) => row.comparisons.map((comparison) => comparison.threads)))]
  const width = LABELS + 2 * PANEL + 10
  const height = TOP + ids.length * ROW + 40
  const legend = threads.map((count, i) => {
    const x = LABELS + i * 130
    const colour = count === 1 ? COLOURS.one : COLOURS.all
    return `<rect x="${x}" y="${height - 24}" width="12" height="12" fill="${colour}"/>${text(x + 18, height - 14, formatThreads(count), 'class="small"')}`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="How many times faster bcast is than the best peer, by workload">`,
    '<style>text{font:12px system-ui,sans-serif;fill:#1c1c1c}.small{font-size:10px}.peer{fill:#767676}.title{font-weight:600}.grid{stroke:#e4e4e4}.one{stroke:#555}</style>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(
      14,
      24,
      'bcast beside the best peer of each workload: how many times faster',
      'class="title" style="font-size:15px"',
    ),
    ...measured.map(({ workload }, i) =>
      text(LABELS - 14, TOP + i * ROW + ROW / 2 + 4, workload.title, 'text-anchor="end"'),
    ),
    panel(byMode('fresh'), ids, LABELS, 'a fresh result'),
    panel(byMode('out'), ids, LABELS + PANEL, 'into memory that is there'),
    ...legend,
    text(
      LABELS + threads.length * 130,
      height - 14,
      'red and to the left: slower than the best peer, which is named',
      'class="small"',
    ),
    '</svg>',
    '',
  ].join('\n')
}

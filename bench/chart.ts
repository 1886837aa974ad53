// The chart of the documentation: bars for each workload, by number of threads, of bcast and with machine code: how many
// times faster than the best peer, on a scale where twice and half are equally far from 1. Bars to the left are losses.
// It is as light or dark as the page that shows it.
import type { Measured } from './measure.ts'
import { OWN, type Own, TITLES } from './own.ts'
import { type Row, rowsOf } from './rows.ts'
import { formatRatio, formatThreads } from './text.ts'

const LABELS = 320
const PANEL = 390
const TOP = 92
const BAR = 10
/** From one bar to the next, and what is left free around those of a workload. */
const STEP = 12
const GAP = 6
const LEGEND = 20

export interface Bar {
  readonly id: Own
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

const STYLE = `text{font:12px system-ui,sans-serif}.small{font-size:10px}.title{font-weight:600}
.paper{fill:#fff}text{fill:#1c1c1c}.peer{fill:#767676}.grid{stroke:#e4e4e4}.even{stroke:#555}
.bcastOne{fill:#7ba7d9}.bcastAll{fill:#1f5fa8}.bcastOneLost{fill:#e7a08f}.bcastAllLost{fill:#c0432a}
.nativeOne{fill:#7cc29a}.nativeAll{fill:#1d7d4a}.nativeOneLost{fill:#e8c078}.nativeAllLost{fill:#b9770e}
@media (prefers-color-scheme:dark){.paper{fill:#0d1117}text{fill:#e6edf3}.peer{fill:#9198a1}.grid{stroke:#30363d}.even{stroke:#8b949e}
.bcastOne{fill:#a9c9ee}.bcastAll{fill:#4f94e0}.bcastOneLost{fill:#f0b8ab}.bcastAllLost{fill:#e0664d}
.nativeOne{fill:#a5dcbb}.nativeAll{fill:#3fae73}.nativeOneLost{fill:#f2d49b}.nativeAllLost{fill:#d9982f}}`

const isWon = (ratio: number): boolean => ratio >= 0.995

/** The colour of a bar, by name. */
const colour = ({ id, threads, ratio }: Bar): string =>
  `${id}${threads === 1 ? 'One' : 'All'}${isWon(ratio) ? '' : 'Lost'}`

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

function barAt(scale: Scale, left: number, y: number, bar: Bar): string {
  const { ratio, peer } = bar
  const [from, to] = [scale.place(1), scale.place(ratio)]
  const [x, width] = [left + Math.min(from, to), Math.max(1, Math.abs(to - from))]
  const label = left + Math.max(from, to) + 4
  return [
    `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${BAR}" class="${colour(bar)}"/>`,
    `<text x="${label.toFixed(1)}" y="${(y + BAR - 1).toFixed(1)}" class="small">${formatRatio(ratio)} <tspan class="peer">${escaped(peer)}</tspan></text>`,
  ].join('')
}

interface Panel {
  readonly rows: readonly (readonly Bar[])[]
  /** Pixels from one workload to the next. */
  readonly pitch: number
  readonly scale: Scale
  readonly left: number
  readonly title: string
}

function panel({ rows, pitch, scale, left, title }: Panel): string {
  const bottom = TOP + rows.length * pitch
  const grid = scale.ticks.map((tick) => {
    const x = left + scale.place(tick)
    const line = `<line x1="${x.toFixed(1)}" y1="${TOP - 6}" x2="${x.toFixed(1)}" y2="${bottom}" class="${tick === 1 ? 'even' : 'grid'}"/>`
    return line + text(x, TOP - 10, `${tick}×`, 'class="small" text-anchor="middle"')
  })
  const bars = rows.flatMap((own, i) =>
    own.map((bar, k) => barAt(scale, left, TOP + i * pitch + GAP / 2 + k * STEP, bar)),
  )
  return [text(left + scale.place(1), TOP - 30, title, 'class="title" text-anchor="middle"'), ...grid, ...bars].join(
    '\n',
  )
}

/** A box for every colour that there is, those who are faster in the first line. */
function legend(bars: readonly Bar[], y: number): string[] {
  const kinds = new Map(bars.map((bar) => [colour(bar), bar]))
  return [true, false].flatMap((won, line) =>
    [...kinds]
      .filter(([, { ratio }]) => isWon(ratio) === won)
      .sort(([, a], [, b]) => OWN.indexOf(a.id) - OWN.indexOf(b.id) || a.threads - b.threads)
      .map(([name, { id, threads }], i) => {
        const [left, top] = [LABELS + i * 190, y + line * LEGEND]
        const words = `${TITLES[id]} ${won ? 'faster' : 'slower'}, ${formatThreads(threads)}`
        const box = `<rect x="${left}" y="${top}" width="12" height="12" class="${name}"/>`
        return box + text(left + 18, top + 10, words, 'class="small"')
      }),
  )
}

export function drawn(rows: readonly ChartRow[]): string {
  const bars = rows.flatMap(({ fresh, out }) => [...fresh, ...out])
  const scale = new Scale(bars.map(({ ratio }) => ratio))
  const pitch = STEP * Math.max(...rows.map(({ fresh, out }) => Math.max(fresh.length, out.length))) + GAP
  const width = LABELS + 2 * PANEL + 10
  const bottom = TOP + rows.length * pitch
  const height = bottom + 2 * LEGEND + 20
  const title = 'bcast beside the best peer of each workload, which is named: how many times faster'
  const inPanel = (mode: 'fresh' | 'out', left: number, words: string): string =>
    panel({ rows: rows.map((row) => row[mode]), pitch, scale, left, title: words })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="How many times faster bcast is than the best peer, by workload">`,
    `<style>${STYLE}</style>`,
    `<rect width="${width}" height="${height}" class="paper"/>`,
    text(14, 24, title, 'class="title" style="font-size:15px"'),
    ...rows.map((row, i) => text(LABELS - 14, TOP + i * pitch + pitch / 2 + 4, row.title, 'text-anchor="end"')),
    inPanel('fresh', LABELS, 'a fresh result'),
    inPanel('out', LABELS + PANEL, 'into memory that is there'),
    ...legend(bars, bottom + 14),
    '</svg>',
    '',
  ].join('\n')
}

/** By number of threads, bcast as it is and with machine code one below the other. */
const barsOf = (row: Row | undefined): readonly Bar[] =>
  OWN.flatMap((id) =>
    (row?.[id].comparisons ?? []).flatMap(({ threads, ratio, best }) =>
      ratio === undefined || best === undefined ? [] : [{ id, threads, ratio, peer: best.title }],
    ),
  ).sort((a, b) => a.threads - b.threads)

export const chart = (measured: readonly Measured[]): string =>
  drawn(
    measured.map((each) => {
      const rows = rowsOf(each)
      const inMode = (mode: Row['mode']) => barsOf(rows.find((row) => row.mode === mode))
      return { title: each.workload.title, fresh: inMode('fresh'), out: inMode('out') }
    }),
  )

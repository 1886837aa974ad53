// The census as a chart: a bar for each operator, its stretched operands by pattern, and beside it how many of them are
// constants. Drawn from the data alone, so that the same models give the same bytes; as light or dark as the page that
// shows it.
import type { Census } from './census.ts'
import { type Pattern, patternMeanings, patterns } from './pattern.ts'
import { type OperatorPatterns, patternsByOperator } from './pivot.ts'
import { summaryOf } from './tables.ts'

const BARS = 520
const REMARKS = 250
const ROW = 26
const BAR = 16
const LEGEND = 18
const TOP = 104

/** Told apart also by people who see fewer colours. */
const colours: Readonly<Record<Pattern, string>> = {
  scalar: '#0072b2',
  row: '#56b4e9',
  column: '#009e73',
  channel: '#e69f00',
  outer: '#d55e00',
  both: '#cc79a7',
  batch: '#7a5195',
  rank: '#b3b300',
  other: '#999999',
}

const STYLE =
  'text{font:13px system-ui,sans-serif;fill:#1c1c1c}.small{font-size:11px}.title{font-size:16px;font-weight:600}.paper{fill:#fff}' +
  '@media (prefers-color-scheme:dark){.paper{fill:#0d1117}text{fill:#e6edf3}}'

// Control characters have no place in XML, escaped or not.
const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go.
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

const place = (value: number): string => String(Math.round(value * 10) / 10)

const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${place(x)}" y="${place(y)}"${more}>${escaped(content)}</text>`

const box = (x: number, y: number, width: number, height: number, colour: string, title: string): string =>
  `<rect x="${place(x)}" y="${place(y)}" width="${place(width)}" height="${height}" fill="${colour}"><title>${escaped(title)}</title></rect>`

function drawn({ name, counts, all, constant }: OperatorPatterns, left: number, y: number, scale: number): string[] {
  const parts = [text(left - 10, y + BAR - 3, name, ' text-anchor="end"')]
  let x = left
  for (const [pattern, count] of counts) {
    if (count === 0) continue
    parts.push(box(x, y, count * scale, BAR, colours[pattern], `${name}, ${pattern}: ${count}`))
    x += count * scale
  }
  const remark = `${all} (${constant} constant, ${all - constant} computed)`
  return [...parts, text(x + 8, y + BAR - 3, remark, ' class="small"')]
}

/** A line of the legend for each pattern that occurs. */
function legend(used: readonly Pattern[], left: number, top: number): string[] {
  return used.flatMap((pattern, i) => {
    const y = top + i * LEGEND
    const words = `${pattern}: ${patternMeanings[pattern]}`
    return [box(left, y, 12, 12, colours[pattern], pattern), text(left + 18, y + 10, words, ' class="small"')]
  })
}

/** A census as a picture. */
export function censusSvg(census: Census): string {
  const bars = patternsByOperator(census)
  const lines = summaryOf(census).slice(0, 3)
  const used = patterns.filter((pattern) => bars.some(({ counts }) => counts.get(pattern)! > 0))
  // Room for the longest name, in a font that is not known.
  const left = Math.max(190, 24 + 8 * Math.max(0, ...bars.map(({ name }) => name.length)))
  const width = left + BARS + REMARKS
  const below = TOP + Math.max(bars.length, 1) * ROW + 14
  const height = below + used.length * LEGEND + 10
  const scale = BARS / Math.max(1, ...bars.map(({ all }) => all))
  const title = 'Stretched operands by operator and pattern'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped([`${title}.`, ...lines].join(' '))}">`,
    `<style>${STYLE}</style>`,
    `<rect width="${width}" height="${height}" class="paper"/>`,
    text(14, 26, title, ' class="title"'),
    ...lines.map((line, i) => text(14, 46 + 16 * i, line, ' class="small"')),
    ...(bars.length === 0 ? [text(left, TOP + BAR - 3, 'nothing broadcasts')] : []),
    ...bars.flatMap((bar, i) => drawn(bar, left, TOP + i * ROW, scale)),
    ...legend(used, left, below),
    '</svg>',
    '',
  ].join('\n')
}

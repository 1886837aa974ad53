// The pictures of the documentation: as light or dark as the page, a bar for every figure as long as it says, and a
// legend for every colour.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Bar, drawn } from '../../bench/chart.ts'

const docs = new URL('../../docs/', import.meta.url)
const pictures = readdirSync(docs).filter((name) => name.endsWith('.svg'))
const pages = readdirSync(docs)
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(new URL(name, docs), 'utf8'))

describe.each(pictures)('%s', (name) => {
  const svg = readFileSync(new URL(name, docs), 'utf8')

  it('follows the colours of the page', () => {
    expect(svg).toMatch(/@media \(prefers-color-scheme:dark\)\{[^@]*\.paper\{fill:[^@]*text\{fill:/)
    expect(svg).toMatch(/<rect width="\d+" height="\d+" class="paper"\/>/)
    expect(svg).not.toMatch(/<text[^>]* fill=/)
  })

  it('is shown by a page, with words for those who do not see it', () => {
    expect(svg).toMatch(/<svg [^>]*role="img" aria-label="[^"]{10,}"/)
    expect(pages.some((page) => page.includes(`](${name})`))).toBe(true)
  })
})

interface Drawn {
  readonly colour: string
  readonly width: number
  readonly ratio: number
}

const barsIn = (svg: string): Drawn[] =>
  [...svg.matchAll(/<rect [^>]*width="([\d.]+)" height="10" class="(\w+)"\/><text[^>]*>([\d.]+) /g)].map(
    ([, width, colour, ratio]) => ({ colour: colour!, width: Number(width), ratio: Number(ratio) }),
  )

const legendIn = (svg: string): readonly (readonly [colour: string, words: string])[] =>
  [...svg.matchAll(/height="12" class="(\w+)"\/><text[^>]*>([^<]*)</g)].map(([, colour, words]) => [colour!, words!])

describe('the chart of the benchmark', () => {
  const svg = readFileSync(new URL('bench.svg', docs), 'utf8')

  it('has bars as long as the logarithm of what they say', () => {
    const bars = barsIn(svg)
    expect(bars.length).toBeGreaterThan(50)
    const far = bars.filter(({ ratio }) => Math.abs(Math.log2(ratio)) > 1)
    const octaves = far.map(({ width, ratio }) => width / Math.abs(Math.log2(ratio)))
    expect(Math.max(...octaves) / Math.min(...octaves)).toBeLessThan(1.02)
  })

  it('has every colour in its legend, and no other', () => {
    expect(new Set(legendIn(svg).map(([colour]) => colour))).toEqual(new Set(barsIn(svg).map(({ colour }) => colour)))
  })

  it('cuts nothing, however slow or fast', () => {
    const bar = (ratio: number, threads = 1): Bar => ({ ratio, threads, peer: 'a peer' })
    const chart = drawn([
      { title: 'slow', fresh: [bar(0.16), bar(0.19, 2)], out: [bar(0.01)] },
      { title: 'fast', fresh: [bar(40)], out: [bar(1, 2)] },
    ])
    const widths = Object.fromEntries(barsIn(chart).map(({ ratio, width }) => [ratio, width]))
    expect(widths[0.16]).toBeGreaterThan(widths[0.19]! + 2)
    expect(widths[0.01]).toBeGreaterThan(2 * widths[0.16]!)
    expect(chart).not.toMatch(/x="-/)
    expect(legendIn(chart)).toEqual([
      ['one', 'faster, 1 thread'],
      ['all', 'faster, 2 threads'],
      ['lossOne', 'slower, 1 thread'],
      ['lossAll', 'slower, 2 threads'],
    ])
  })
})

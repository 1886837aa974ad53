// The pictures of the documentation: as light or dark as the page, a bar for every figure as long as it says, and a
// legend for every colour.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Bar, drawn } from '../../bench/chart.ts'
import type { Own } from '../../bench/own.ts'

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
    // Ratios are rounded to two or three digits, so that a bar says between which lengths an octave is.
    const far = bars.filter(({ ratio }) => Math.abs(Math.log2(ratio)) > 1)
    const octaves = far.map(({ width, ratio }) => {
      const half = 0.5 * 10 ** -(`${ratio}`.split('.')[1]?.length ?? 0)
      return [-half, half].map((by) => width / Math.abs(Math.log2(ratio + by))).toSorted((a, b) => a - b)
    })
    const [least, most] = [Math.max(...octaves.map(([low]) => low!)), Math.min(...octaves.map(([, high]) => high!))]
    expect(least).toBeLessThanOrEqual(most * 1.002)
  })

  it('has every colour in its legend, and no other', () => {
    expect(new Set(legendIn(svg).map(([colour]) => colour))).toEqual(new Set(barsIn(svg).map(({ colour }) => colour)))
  })

  it('cuts nothing, however slow or fast', () => {
    const bar = (ratio: number, threads = 1, id: Own = 'bcast'): Bar => ({ id, ratio, threads, peer: 'a peer' })
    const chart = drawn([
      { title: 'slow', fresh: [bar(0.16), bar(0.19, 2)], out: [bar(0.01)] },
      { title: 'fast', fresh: [bar(40)], out: [bar(1, 2), bar(7, 1, 'native'), bar(0.5, 2, 'native')] },
    ])
    const widths = Object.fromEntries(barsIn(chart).map(({ ratio, width }) => [ratio, width]))
    expect(widths[0.16]).toBeGreaterThan(widths[0.19]! + 2)
    expect(widths[0.01]).toBeGreaterThan(2 * widths[0.16]!)
    expect(chart).not.toMatch(/x="-/)
    expect(legendIn(chart)).toEqual([
      ['bcastOne', 'bcast faster, 1 thread'],
      ['bcastAll', 'bcast faster, 2 threads'],
      ['nativeOne', 'bcast + native faster, 1 thread'],
      ['bcastOneLost', 'bcast slower, 1 thread'],
      ['bcastAllLost', 'bcast slower, 2 threads'],
      ['nativeAllLost', 'bcast + native slower, 2 threads'],
    ])
  })

  it('puts the bars of a workload below each other, inside the picture and with room for the next one', () => {
    const bars = (ratio: number): Bar[] =>
      ([1, 2] as const).flatMap((threads) =>
        (['bcast', 'native'] as const).map((id) => ({ id, ratio, threads, peer: 'a peer' })),
      )
    const chart = drawn([
      { title: 'one', fresh: bars(2), out: bars(3) },
      { title: 'two', fresh: bars(4), out: [] },
    ])
    const tops = [...chart.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="[\d.]+" height="10"/g)]
    const first = tops.filter(([, left]) => left === tops[0]![1]).map(([, , top]) => Number(top))
    expect(first).toHaveLength(8)
    for (const [i, top] of first.slice(1).entries()) expect(top - first[i]!).toBeGreaterThanOrEqual(12)
    const lines = [...chart.matchAll(/height="12" class/g)]
    expect(lines).toHaveLength(4)
    expect(Number(/viewBox="0 0 \d+ (\d+)"/.exec(chart)![1])).toBeGreaterThan(first.at(-1)! + 10)
  })
})

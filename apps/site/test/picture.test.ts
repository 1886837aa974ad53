// Pictures say what the library says: which cells are there, which are read again, and where each comes from.
import { broadcast, explain, type Shape, tensor } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawFigure } from '../src/picture/draw.ts'
import { type Figure, figureOf } from '../src/picture/figure.ts'
import { moveCell, shownIndices } from '../src/picture/move.ts'
import { type Palette, palettes } from '../src/picture/palette.ts'
import { steps } from '../src/picture/panel.ts'
import { drawPicture } from '../src/picture/picture.ts'
import { type SvgNode, svg, svgText } from '../src/picture/svg.ts'
import { figureText } from '../src/picture/words.ts'
import { sourcesOf } from '../src/state/index-map.ts'
import { broadcastable, rules } from './shapes.ts'

const WIDTH = 900

function* nodesOf(node: SvgNode): Generator<SvgNode> {
  yield node
  for (const child of node.children) if (typeof child !== 'string') yield* nodesOf(child)
}

const ofClass = (node: SvgNode, name: string): SvgNode[] =>
  [...nodesOf(node)].filter(({ attributes }) => attributes['class'] === name)

const figureFor = (...shapes: Shape[]): Figure => figureOf(explain(shapes))!

describe('where an element comes from', () => {
  it('is where the library reads it, under every rule', () => {
    fc.assert(
      fc.property(rules, ({ shapes, rule }) => {
        const views = broadcast(
          ...shapes.map((shape) => tensor(Array.from({ length: count(shape) }, (_, i) => i) as never, { shape })),
          { broadcast: rule },
        ) as readonly { get(...index: number[]): number }[]
        const explanation = explain(shapes, { broadcast: rule })
        for (const index of indices(explanation.shape as Shape)) {
          const sources = sourcesOf(shapes, rule, 0, index)
          sources.forEach(({ index: own }, operand) => {
            const position = own.reduce((flat, { at }, axis) => flat * shapes[operand]![axis]! + at!, 0)
            expect(views[operand]!.get(...index)).toBe(position)
          })
        }
      }),
    )
  })
})

describe('a figure', () => {
  it('has a cell for every element, and ghosts for the rest of the result', () => {
    fc.assert(
      fc.property(broadcastable(3), (shapes) => {
        const figure = figureFor(...shapes)
        const drawn = drawFigure(figure, { width: WIDTH, theme: 'light' })
        const result = figure.result!.shape
        const own = shapes.reduce((sum, shape) => sum + (count(result) === 0 ? 0 : count(shape)), 0)
        expect(ofClass(drawn, 'cell')).toHaveLength(own + count(result))
        expect(ofClass(drawn, 'ghost')).toHaveLength(shapes.length * count(result) - own)
      }),
    )
  })

  it('lights one source in every operand, and the place where it is read', () => {
    const drawn = drawFigure(figureFor([2, 3, 4], [3, 1]), { width: WIDTH, theme: 'light', lit: [1, 2, 0] })
    const fills = [...nodesOf(drawn)].filter(({ attributes }) => attributes['fill'] === palettes.light.lit)
    expect(fills).toHaveLength(3)
    const edges = [...nodesOf(drawn)].filter(({ attributes }) => attributes['stroke'] === palettes.light.text)
    // Besides the three sources, the ghost at (1,2,0).
    expect(edges).toHaveLength(4)
  })

  it('keeps its size while it is played', () => {
    const sizes = steps.map((step) => {
      const { width, height } = drawFigure(figureFor([2, 1, 4], [3, 1]), {
        width: WIDTH,
        theme: 'dark',
        step,
      }).attributes
      return `${width} ${height}`
    })
    expect(new Set(sizes).size).toBe(1)
  })

  it('shows ghosts when sizes are stretched, and the result when it is computed', () => {
    const shown = (step: (typeof steps)[number], name: string): number =>
      ofClass(drawFigure(figureFor([4, 3], [3]), { width: WIDTH, theme: 'light', step }), name).filter(
        ({ attributes }) => attributes['opacity'] === 1,
      ).length
    expect(steps.map((step) => shown(step, 'ghost'))).toEqual([0, 0, 9, 9])
    expect(steps.map((step) => shown(step, 'cell'))).toEqual([15, 15, 15, 27])
  })

  it.each([343, 700, 1200])('fits into %i pixels', (width) => {
    fc.assert(
      fc.property(broadcastable(4), (shapes) => {
        const drawn = drawFigure(figureFor(...shapes), { width, theme: 'light' })
        expect(drawn.attributes['width']).toBeLessThanOrEqual(width)
      }),
      { numRuns: 30 },
    )
  })

  it('of huge shapes is small', () => {
    const drawn = drawFigure(figureFor([1_000_000, 1, 1000, 3], [70_000, 1, 3]), { width: WIDTH, theme: 'light' })
    expect([...nodesOf(drawn)].length).toBeLessThan(3000)
  })

  it('has no more than four axes', () => {
    expect(figureOf(explain([[1, 2, 3, 4, 5], [5]]))).toBeUndefined()
  })

  it('of shapes that fail shows operands alone, with the axis that does not fit', () => {
    const figure = figureFor([2, 3, 4], [2, 4])
    expect(figure.result).toBeUndefined()
    expect(figure.operands[1]!.axes.map(({ role }) => role)).toEqual(['padded', 'conflict', 'same'])
    expect(figureText(figure)).toContain('axis -2 of size 2 does not fit')
  })

  it('is said in words', () => {
    expect(figureText(figureFor([2, 3, 4], [3, 1]))).toBe(
      'A is 2 by 3 by 4. B is 3 by 1: axis -3 is added and repeated 2 times, axis -1 is stretched from 1 to 4. The result z is 2 by 3 by 4.',
    )
  })
})

describe('arrow keys', () => {
  it('lead to every element that is shown, and never out of it', () => {
    const keys = [
      'ArrowRight',
      'ArrowLeft',
      'ArrowUp',
      'ArrowDown',
      'PageUp',
      'PageDown',
      'Shift+PageDown',
      'Home',
      'End',
    ]
    for (const shape of [[3], [2, 3], [2, 3, 4], [2, 2, 3, 20], []]) {
      const shown = shownIndices(shape)
      const all = shown.reduce((product, { length }) => product * length, 1)
      const seen = new Set<string>()
      const open = [moveCell(shape, undefined, 'Home')!]
      for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
        if (seen.has(cell.join())) continue
        seen.add(cell.join())
        for (const key of keys) {
          const next = moveCell(shape, cell, key)
          if (next === undefined) continue
          expect(next.every((index, axis) => shown[axis]!.includes(index))).toBe(true)
          open.push(next)
        }
      }
      expect(seen.size).toBe(all)
    }
  })

  it('go on in the next page of the same row, and of the same column', () => {
    expect(moveCell([2, 2, 2], [0, 1, 1], 'ArrowRight')).toEqual([1, 1, 0])
    expect(moveCell([2, 2, 2, 2], [0, 1, 1, 1], 'ArrowDown')).toEqual([1, 1, 0, 1])
    expect(moveCell([2, 2], [1, 1], 'ArrowDown')).toEqual([1, 1])
  })

  it('mean nothing where there are no elements', () => {
    expect(moveCell([0, 3], undefined, 'ArrowRight')).toBeUndefined()
    expect(moveCell([3], [1], 'a')).toBeUndefined()
  })
})

describe('a whole picture', () => {
  it('is an image with a title and a description', () => {
    const text = svgText(
      drawPicture(
        explain([
          [2, 3, 4],
          [3, 1],
        ]),
        { width: WIDTH, theme: 'light' },
      ),
    )
    expect(text).toContain('<title>(2,3,4) with (3,1) under numpy gives (2,3,4).</title>')
    expect(text).toContain('<desc>A is 2 by 3 by 4.')
    expect(text).not.toMatch(/<style|style=|<script/)
  })

  it('of names and unknown sizes has the table alone', () => {
    const text = svgText(
      drawPicture(
        explain([
          ['N', 3],
          [null, 3],
        ]),
        { width: WIDTH, theme: 'dark' },
      ),
    )
    expect(text).toContain('>N<')
    expect(text).not.toContain('data-cell')
  })

  it('holds any text as text', () => {
    expect(svgText(svg('text', { id: '"<&>' }, ['<script>&"']))).toBe(
      '<text id="&quot;&lt;&amp;&gt;">&lt;script&gt;&amp;&quot;</text>',
    )
  })
})

describe.each(Object.entries(palettes))('colours, %s', (_, palette) => {
  const ratio = (a: string, b: string): number => {
    const [x, y] = [a, b].map(luminance).toSorted((one, other) => other - one)
    return (x! + 0.05) / (y! + 0.05)
  }

  it('of texts have a contrast of 4.5 on everything they stand on', () => {
    const on = (['background', 'surface'] as const).map((name) => palette[name])
    const texts = [
      palette.text,
      palette.quiet,
      palette.accent,
      palette.error,
      palette.ok,
      palette.open,
      ...palette.axes,
    ]
    for (const text of texts) for (const ground of on) expect(ratio(text, ground)).toBeGreaterThanOrEqual(4.5)
    const pairs: (readonly [keyof Palette, keyof Palette])[] = [
      ...(['cell', 'ghost', 'result', 'lit', 'okSurface', 'errorSurface', 'openSurface'] as const).map(
        (ground) => ['text', ground] as const,
      ),
      ['quiet', 'ghost'],
      ['ok', 'okSurface'],
      ['error', 'errorSurface'],
      ['error', 'result'],
      ['open', 'openSurface'],
      ['onAccent', 'accent'],
      ...(['okSurface', 'errorSurface', 'openSurface'] as const).map((ground) => ['quiet', ground] as const),
    ]
    for (const [text, ground] of pairs) {
      expect([text, ground, ratio(palette[text] as string, palette[ground] as string) >= 4.5]).toEqual([
        text,
        ground,
        true,
      ])
    }
  })

  it('of edges have a contrast of 3', () => {
    for (const edge of [palette.edge, palette.ghostEdge, palette.resultEdge]) {
      expect(ratio(edge, palette.background)).toBeGreaterThanOrEqual(3)
    }
  })
})

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

const count = (shape: Shape): number => shape.reduce((product, size) => product * size, 1)

function indices(shape: Shape): number[][] {
  let all: number[][] = [[]]
  for (const size of shape) all = all.flatMap((index) => Array.from({ length: size }, (_, i) => [...index, i]))
  return all
}

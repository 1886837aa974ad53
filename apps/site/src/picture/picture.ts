// The whole picture as it is copied and printed: the verdict, the shapes aligned, the figure below, on a background.
import type { Explanation } from 'bcast'
import { type DrawOptions, drawFigure } from './draw.ts'
import { type Figure, figureOf } from './figure.ts'
import { axisColour, type Palette, palettes } from './palette.ts'
import { type SvgNode, svg } from './svg.ts'
import { type TableCell, tableOf } from './table.ts'
import { figureText } from './words.ts'

const MARGIN = 20
const ROW = 30
const CHARACTER = 9.5
const LINE = 22

/** A sentence in lines that fit. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && (line.length + word.length + 1) * 7.8 > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

function tableNode(explanation: Explanation, palette: Palette): { node: SvgNode; width: number; height: number } {
  const rows = tableOf(explanation)
  const { axes } = explanation
  if (rows.length === 0) return { node: svg('g'), width: 0, height: 0 }
  const widths = axes.map(
    (_, place) => Math.max(3, ...rows.map(({ cells }) => cells[place]!.text.length)) * CHARACTER + 18,
  )
  const xOf = (place: number): number =>
    52 + widths.slice(0, place).reduce((sum, width) => sum + width, 0) + widths[place]! / 2
  const text = (content: string, x: number, y: number, attributes: SvgNode['attributes']): SvgNode =>
    svg('text', { x, y, 'font-size': 16, 'font-weight': 600, ...attributes }, [content])
  const cellNode = ({ text: content, axis, role }: TableCell, place: number, y: number): SvgNode[] => {
    const colour = role === 'conflict' ? palette.error : axisColour(palette, axis)
    const isBoxed = content !== '' && (role === 'stretched' || role === 'padded' || role === 'conflict')
    const half = (content.length * CHARACTER) / 2 + 6
    const box = svg('rect', {
      ...{ x: xOf(place) - half, y: y - 18, width: half * 2, height: 24, rx: 5, fill: 'none', stroke: colour },
      ...(role === 'conflict' ? { 'stroke-width': 2 } : { 'stroke-dasharray': '1.5 2.5' }),
    })
    return [...(isBoxed ? [box] : []), text(content, xOf(place), y, { fill: colour, 'text-anchor': 'middle' })]
  }
  const nodes = [
    text('axis', 0, 16, { fill: palette.quiet, 'font-weight': 400, 'font-size': 14 }),
    ...axes.map(({ axis }, place) =>
      text(String(axis), xOf(place), 16, {
        ...{ fill: axisColour(palette, axis), 'text-anchor': 'middle', 'font-weight': 400, 'font-size': 14 },
      }),
    ),
    ...rows.flatMap(({ label, cells }, i) => {
      const y = 16 + (i + 1) * ROW
      return [text(label, 0, y, { fill: palette.quiet }), ...cells.flatMap((cell, place) => cellNode(cell, place, y))]
    }),
  ]
  const width = 52 + widths.reduce((sum, each) => sum + each, 0)
  return { node: svg('g', {}, nodes), width, height: 16 + rows.length * ROW + 12 }
}

/** The picture of an explanation; without a figure where it has too many axes or sizes that are not known. */
export function drawPicture(explanation: Explanation, options: DrawOptions): SvgNode {
  const table = tableNode(explanation, palettes[options.theme])
  const isError = explanation.verdict === 'error'
  return drawSheet({ sentence: `${explanation.sentence}.`, isError, table, figure: figureOf(explanation) }, options)
}

export interface Sheet {
  readonly sentence: string
  readonly isError: boolean
  readonly table?: { readonly node: SvgNode; readonly width: number; readonly height: number }
  readonly figure: Figure | undefined
}

/** A sentence, a table and a figure on one background. */
export function drawSheet(sheet: Sheet, options: DrawOptions): SvgNode {
  const { sentence, isError, table = { node: svg('g'), width: 0, height: 0 }, figure } = sheet
  const palette = palettes[options.theme]
  const drawn = figure === undefined ? undefined : drawFigure(figure, options)
  const lines = wrapped(sentence, options.width)
  const { width: wide = 0, height: high = 0 } = (drawn?.attributes ?? {}) as { width?: number; height?: number }
  const width = Math.ceil(Math.max(table.width, wide, Math.min(options.width, sentence.length * 7.8)) + 2 * MARGIN)
  const tableTop = MARGIN + lines.length * LINE + 12
  const figureTop = tableTop + table.height + (table.height > 0 ? 16 : 0)
  const height = Math.ceil(figureTop + high + MARGIN)
  const colour = isError ? palette.error : palette.text
  return svg(
    'svg',
    {
      ...{ xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' },
      'font-family': 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
    },
    [
      svg('title', {}, [sentence]),
      svg('desc', {}, [figure === undefined ? sentence : figureText(figure)]),
      svg('rect', { width, height, fill: palette.background }),
      ...lines.map((line, i) =>
        svg('text', { x: MARGIN, y: MARGIN + 14 + i * LINE, 'font-size': 15, fill: colour }, [line]),
      ),
      svg('g', { transform: `translate(${MARGIN} ${tableTop})` }, [table.node]),
      ...(drawn === undefined ? [] : [svg('g', { transform: `translate(${MARGIN} ${figureTop})` }, drawn.children)]),
    ],
  )
}

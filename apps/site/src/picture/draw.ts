// The whole figure: operands side by side or below each other, as the width allows, signs between them, the result at
// the end. Its size depends on shapes and width alone, so that nothing jumps while it is played.
import type { Figure, FigureArray } from './figure.ts'
import type { CellSize } from './lattice.ts'
import { palettes, type Theme } from './palette.ts'
import { type CellText, drawPanel, hasReached, type Margin, marginOf, panelSize, type Step } from './panel.ts'
import { rounded, type SvgNode, svg } from './svg.ts'

export interface DrawOptions {
  readonly width: number
  readonly theme: Theme
  readonly step?: Step
  /** The index of the result whose sources are lit. */
  readonly lit?: readonly number[] | undefined
  /** Between operands: `+`. */
  readonly sign?: string
  /** What stands in the cells: of operand 0, 1, …, or of the result. */
  readonly textAt?: (array: number | 'result', index: readonly number[]) => CellText | undefined
  /** Characters of the longest text. */
  readonly longest?: number
}

const SIGN = 36
const ROW_GAP = 26
const MONO = 8
/** Room for the edge of the last cell. */
const EDGE = 2

interface Placed {
  readonly x: number
  readonly y: number
}

interface Layout {
  readonly cell: CellSize
  readonly places: readonly Placed[]
  readonly width: number
  readonly height: number
  readonly rows: number
}

/** `first` is where the first panel begins: below each other all begin alike, behind the sign. */
function layoutOf(arrays: readonly FigureArray[], cell: CellSize, margin: Margin, width: number, first = 0): Layout {
  const places: Placed[] = []
  let [x, y, high, wide, rows] = [0, 0, 0, 0, 1]
  for (const array of arrays) {
    const size = panelSize(array, cell, margin)
    if (x > 0 && x + SIGN + size.width > width) {
      ;[x, y, high, rows] = [0, y + high + ROW_GAP, 0, rows + 1]
    }
    // A sign stands before every panel but the first, at the beginning of a row, too.
    const shift = places.length === 0 ? first : SIGN
    places.push({ x: x + shift, y })
    x += shift + size.width
    high = Math.max(high, size.height)
    wide = Math.max(wide, x)
  }
  if (rows > 1 && first === 0) return layoutOf(arrays, cell, margin, width, SIGN)
  return { cell, places, width: wide, height: y + high, rows }
}

const HEIGHTS = [40, 36, 32, 28, 26, 24, 22, 20, 18, 17, 15, 13, 11, 9]
/** Cells of this height can still be pointed at. */
const COMFORTABLE = 17
/** Cells with a text need this height. */
const READABLE = 26
const TALLEST = 560

/** The largest cells with which everything lies in one row; else the largest that fit at all. */
function bestLayout(arrays: readonly FigureArray[], margin: Margin, width: number, longest: number): Layout {
  const layouts = HEIGHTS.map((height) => {
    const cell = {
      height: longest > 0 ? Math.max(height, READABLE) : height,
      width: Math.max(height, longest * MONO + 10),
    }
    return layoutOf(arrays, cell, margin, width)
  })
  const fits = layouts.filter((layout) => layout.width + EDGE <= width)
  return (
    fits.find(({ rows, cell, height }) => rows === 1 && cell.height >= COMFORTABLE && height <= TALLEST) ??
    fits.find(({ height }) => height <= 1.6 * TALLEST) ??
    fits.at(-1) ??
    layouts.at(-1)!
  )
}

export function drawFigure(figure: Figure, options: DrawOptions): SvgNode {
  const { width, theme, step = 'compute', lit, sign = '+', textAt, longest = 0 } = options
  const palette = palettes[theme]
  const arrays = [...figure.operands, ...(figure.result === undefined ? [] : [figure.result])]
  const margin = marginOf(arrays)
  const layout = bestLayout(arrays, margin, width, longest)
  const panels = arrays.map((array, i) => {
    const isResult = array === figure.result
    const { node } = drawPanel(array, {
      ...{ palette, cell: layout.cell, step, isResult, margin },
      lit: hasReached(step, 'compute') ? lit : undefined,
      textAt: textAt === undefined ? undefined : (index) => textAt(isResult ? 'result' : i, index),
    })
    const { x, y } = layout.places[i]!
    const before = isResult ? '=' : sign
    const between = svg(
      'text',
      {
        x: rounded(x - SIGN / 2),
        y: rounded(y + margin.top + layout.cell.height / 2 + 7),
        'text-anchor': 'middle',
        'font-size': before.length > 2 ? 12 : 22,
        fill: palette.quiet,
      },
      [before],
    )
    return svg('g', {}, [
      ...(i === 0 ? [] : [between]),
      svg('g', { transform: `translate(${rounded(x)} ${rounded(y)})` }, [node]),
    ])
  })
  const [w, h] = [Math.ceil(layout.width + EDGE), Math.ceil(layout.height + 4)]
  return svg(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${w} ${h}`,
      width: w,
      height: h,
      'font-family': 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
    },
    panels,
  )
}

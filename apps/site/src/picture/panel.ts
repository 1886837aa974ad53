// One array as a picture: its cells, ghosts where one element is read again, and a line for each axis in its colour
// with the size, all inside the frame of the result.
import type { FigureArray, FigureAxis } from './figure.ts'
import { type CellPlace, type CellSize, cellsOf, type Lattice, latticeOf } from './lattice.ts'
import { axisColour, type Palette } from './palette.ts'
import { rounded, type SvgNode, svg } from './svg.ts'

/** How far a broadcast has gone: shapes as given, ranks made equal, sizes stretched, the result there. */
export const steps = ['given', 'pad', 'stretch', 'compute'] as const
export type Step = (typeof steps)[number]

export const hasReached = (step: Step, wanted: Step): boolean => steps.indexOf(step) >= steps.indexOf(wanted)

/** What stands in a cell. */
export interface CellText {
  readonly text: string
  /** Something that is worth a look: a NaN, a value that wrapped. */
  readonly strange?: boolean
}

export interface PanelOptions {
  readonly palette: Palette
  readonly cell: CellSize
  readonly step: Step
  readonly isResult: boolean
  /** The index of the result that is looked at. */
  readonly lit: readonly number[] | undefined
  readonly textAt: ((index: readonly number[]) => CellText | undefined) | undefined
  /** Room to the left of the cells, the same in all panels. */
  readonly margin: Margin
}

/** Room for lines and sizes beside the cells. */
export interface Margin {
  /** Of the second axis from the right; that of the fourth lies outside of it. */
  readonly rows: number
  readonly left: number
  readonly top: number
}

const TITLE = 26
const LINE = 22
const CHARACTER = 8.7

/** Whether an operand has one cell of its own along an axis, and the others only repeat it or may not be there. */
const added = ({ role }: FigureAxis): boolean => role === 'padded' || role === 'stretched' || role === 'unknown'

/** The size as it stands at the line of an axis; nothing where the axis is not there yet. */
function axisLabel(axis: FigureAxis, step: Step): string {
  if (axis.role === 'unknown') return '?'
  if (axis.role === 'padded' && !hasReached(step, 'pad')) return ''
  if (added(axis) && hasReached(step, 'stretch') && axis.own !== axis.size) return `${axis.own}→${axis.size}`
  return axis.role === 'conflict' ? `${axis.own}!` : String(axis.own)
}

const longestLabel = (arrays: readonly FigureArray[], isDown: (place: number, rank: number) => boolean): number =>
  Math.max(
    0,
    ...arrays.flatMap(({ axes }) =>
      axes.flatMap((axis, place) => (isDown(place, axes.length) ? axisLabel(axis, 'compute').length : [])),
    ),
  )

const columnOf = (label: number): number => (label === 0 ? 0 : label * CHARACTER + 16)

/** The room that all panels of a figure leave. */
export function marginOf(arrays: readonly FigureArray[]): Margin {
  const rank = Math.max(0, ...arrays.map(({ axes }) => axes.length))
  const rows = columnOf(longestLabel(arrays, (place, own) => own - place === 2))
  const pages = columnOf(longestLabel(arrays, (place, own) => own - place === 4))
  return { rows, left: rows + pages, top: TITLE + (rank > 0 ? LINE : 0) + (rank > 2 ? LINE : 0) }
}

export interface Panel {
  readonly node: SvgNode
  readonly width: number
  readonly height: number
}

/** Room that a title takes. */
const titleWidth = ({ name, shape, shapeText = shape.join() }: FigureArray): number =>
  (name.length + 4 + shapeText.length) * 8.6

export const panelSize = (array: FigureArray, cell: CellSize, margin: Margin): CellSize => {
  const { width, height } = latticeOf(
    array.axes.map(({ size }) => size),
    cell,
  )
  return { width: margin.left + Math.max(width, titleWidth(array) - margin.left), height: margin.top + height }
}

/** Whether an operand has this cell itself, or only reads another one here. */
const isOwn = (axes: readonly FigureAxis[], index: readonly number[]): boolean =>
  axes.every((axis, place) => !added(axis) || index[place] === 0)

/** Whether the operand's element of a result's index is the one of this cell. */
const isSource = (axes: readonly FigureAxis[], index: readonly number[], lit: readonly number[]): boolean =>
  axes.every((axis, place) => (added(axis) ? index[place] === 0 : index[place] === lit[place]))

const same = (a: readonly number[], b: readonly number[]): boolean => a.every((each, i) => each === b[i])

/** Characters that a cell has room for. */
const longestIn = ({ width }: CellSize): number => Math.max(1, Math.floor((width - 6) / 8))

function cellNode(array: FigureArray, place: CellPlace, options: PanelOptions): SvgNode {
  const { palette, cell, step, isResult, lit, textAt } = options
  const { index } = place
  const own = isResult || isOwn(array.axes, index)
  const isLit = lit !== undefined && (isResult ? same(index, lit) : own && isSource(array.axes, index, lit))
  const isRead = lit !== undefined && !isLit && !isResult && same(index, lit)
  const isShown = isResult ? hasReached(step, 'compute') : own || hasReached(step, 'stretch')
  const edge = isLit || isRead ? palette.text : isResult ? palette.resultEdge : own ? palette.edge : palette.ghostEdge
  const rect = svg('rect', {
    x: rounded(place.x + 1.5),
    y: rounded(place.y + 1.5),
    width: rounded(cell.width - 3),
    height: rounded(cell.height - 3),
    rx: rounded(Math.min(3, cell.height / 8)),
    fill: isLit ? palette.lit : isResult ? palette.result : own ? palette.cell : palette.ghost,
    stroke: edge,
    'stroke-width': isLit || isRead ? 2 : 1,
    ...(own ? {} : { 'stroke-dasharray': '1.5 2.5' }),
  })
  const content = textAt?.(index)
  const text =
    content === undefined
      ? []
      : [
          svg(
            'text',
            {
              x: rounded(place.x + cell.width / 2),
              y: rounded(place.y + cell.height / 2 + 4.5),
              'text-anchor': 'middle',
              'font-size': 13,
              'font-family': 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
              fill: content.strange === true && !isLit ? palette.error : own ? palette.text : palette.quiet,
              ...(content.strange === true ? { 'font-weight': 700 } : {}),
            },
            [content.text.length > longestIn(cell) ? `${content.text.slice(0, longestIn(cell) - 1)}…` : content.text],
          ),
        ]
  return svg(
    'g',
    {
      class: own ? 'cell' : 'ghost',
      opacity: isShown ? 1 : 0,
      ...(isResult && isShown ? { 'data-cell': index.join(',') } : {}),
    },
    [rect, ...text],
  )
}

/** Whether an axis of size 1 is still as long as one of its elements. */
const isUnstretched = (axis: FigureAxis, step: Step): boolean => added(axis) && !hasReached(step, 'stretch')

/** How long the cells along an axis are at a step; those of pages depend on the cells in a page. */
function lengthOf({ axes }: FigureArray, { tracks }: Lattice, place: number, { cell, step }: PanelOptions): number {
  if (!isUnstretched(axes[place]!, step)) return tracks[place]!.length
  let inner = place + 2
  while (inner < axes.length && isUnstretched(axes[inner]!, step)) inner += 2
  const isAcross = (axes.length - place) % 2 === 1
  return inner < axes.length ? tracks[inner]!.length : isAcross ? cell.width : cell.height
}

/** The line along an axis, with its size. */
function axisNode(array: FigureArray, lattice: Lattice, place: number, options: PanelOptions): SvgNode[] {
  const { palette, step } = options
  const axis = array.axes[place]!
  const label = options.isResult && !hasReached(step, 'compute') ? '' : axisLabel(axis, step)
  const back = array.axes.length - place
  const isAcross = back % 2 === 1
  const length = lengthOf(array, lattice, place, options)
  const isDotted = added(axis) && hasReached(step, 'stretch')
  const colours = { conflict: palette.error, unknown: palette.quiet } as const
  const colour = colours[axis.role as keyof typeof colours] ?? axisColour(palette, axis.axis)
  // Lines of pages lie further out than those of cells.
  const out = back > 2 ? 1 : 0
  const line = isAcross ? -8 - out * LINE : -8 - out * options.margin.rows
  const ends = isAcross
    ? `M1.5 ${line - 3}v6M1.5 ${line}H${rounded(length - 1.5)}m0 -3v6`
    : `M${line - 3} 1.5h6M${line} 1.5V${rounded(length - 1.5)}m-3 0h6`
  const isConflict = axis.role === 'conflict'
  return [
    svg('g', { opacity: label === '' ? 0 : 1 }, [
      svg('path', {
        d: ends,
        fill: 'none',
        stroke: colour,
        'stroke-width': isConflict ? 3 : 2,
        ...(isDotted ? { 'stroke-dasharray': '2 3' } : {}),
      }),
      svg(
        'text',
        {
          ...(isAcross
            ? { x: rounded(length / 2), y: line - 5, 'text-anchor': 'middle' }
            : { x: line - 6, y: rounded(length / 2 + 4), 'text-anchor': 'end' }),
          'font-size': 13,
          'font-weight': 600,
          fill: colour,
        },
        [label],
      ),
    ]),
  ]
}

/** Dots where cells are left out. */
function gapNodes(array: FigureArray, lattice: Lattice, palette: Palette): SvgNode[] {
  return lattice.tracks.flatMap(({ gap }, place) => {
    if (gap === undefined) return []
    const isAcross = (array.axes.length - place) % 2 === 1
    const across = lattice.tracks.at(isAcross ? -2 : -1)
    const middle =
      (array.axes.length - place > 2 ? (isAcross ? lattice.height : lattice.width) : (across?.length ?? 30)) / 2
    const [x, y] = isAcross ? [gap, middle] : [middle, gap]
    const at = [-5, 0, 5].map((shift) =>
      svg('circle', {
        cx: rounded(isAcross ? x + shift * 0.8 : x),
        cy: rounded(isAcross ? y : y + shift * 0.8),
        r: 1.3,
        fill: palette.quiet,
      }),
    )
    return at
  })
}

/** Name and shape, every size in the colour of its axis. */
function titleNode(array: FigureArray, { palette, isResult, step }: PanelOptions): SvgNode {
  const isKnown = !isResult || hasReached(step, 'compute')
  const rank = array.shape.length
  // Own axes that have a place in the result, from the left; others have no colour.
  const placed = array.axes.filter(({ role }) => role !== 'padded')
  const sizes = array.shape.map((size, i) => {
    const axis = placed.length === rank ? placed[i]?.axis : undefined
    return svg('tspan', { fill: axis === undefined ? palette.text : axisColour(palette, axis) }, [
      `${size}${i < rank - 1 ? ',' : ''}`,
    ])
  })
  return svg('text', { x: 0, y: 14, 'font-size': 15, 'font-weight': 600, fill: palette.text }, [
    `${array.name} `,
    ...(array.shapeText === undefined ? (isKnown ? ['(', ...sizes, ')'] : ['']) : [array.shapeText]),
  ])
}

export function drawPanel(array: FigureArray, options: PanelOptions): Panel {
  const { margin, cell, palette } = options
  const lattice = latticeOf(
    array.axes.map(({ size }) => size),
    cell,
  )
  const cells = cellsOf(lattice).map((place) => cellNode(array, place, options))
  const isEmpty = array.axes.some(({ size }) => size === 0)
  const empty = svg('text', { x: 2, y: cell.height / 2 + 4, 'font-size': 13, fill: palette.quiet }, ['no elements'])
  const inside = [
    ...array.axes.flatMap((_, place) => axisNode(array, lattice, place, options)),
    ...gapNodes(array, lattice, palette),
    ...(isEmpty ? [empty] : cells),
  ]
  return {
    ...panelSize(array, cell, margin),
    node: svg('g', {}, [
      titleNode(array, options),
      svg('g', { transform: `translate(${rounded(margin.left)} ${margin.top})` }, inside),
    ]),
  }
}

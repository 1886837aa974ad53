// What a message shows that does not have the shapes: of two sizes that do not meet the axis that fails, and of a matrix
// product the axes that should agree. What the message does not say is drawn as not known.
import type { Finding } from '@bcast/cli/messages'
import type { Shape, SymbolicShape } from 'bcast'
import { alone, type Figure, type FigureArray, isConcrete, MOST_DRAWN_AXES } from './figure.ts'

type Sizes = Extract<Finding, { kind: 'sizes' }>

/** Rows that stand for axes that are not known: one that is certain, and ghosts. */
const ROWS = 3

/** `(?,3,…)`: axes before this one are there and not known, and others may follow. */
const sizesText = (size: number, axis: number | undefined): string =>
  `(${[...(axis === undefined ? ['…'] : Array.from({ length: axis }, () => '?')), size, '…'].join()})`

function sizesFigure({ sizes, names, axis }: Sizes, isConflict: boolean): Figure | undefined {
  if (!sizes.every((size) => typeof size === 'number')) return undefined
  const operands = (sizes as readonly number[]).map(
    (size, i): FigureArray => ({
      name: names[i]!,
      shape: [size],
      shapeText: sizesText(size, axis),
      axes: [
        { axis: -2, own: 1, size: ROWS, role: 'unknown' },
        { axis: -1, own: size, size, role: isConflict ? 'conflict' : 'same' },
      ],
    }),
  )
  return { operands, result: undefined }
}

const isDrawn = (shape: SymbolicShape): shape is Shape => isConcrete(shape) && shape.length <= MOST_DRAWN_AXES

function productFigure([left, right]: readonly [SymbolicShape, SymbolicShape]): Figure | undefined {
  if (!isDrawn(left) || !isDrawn(right)) return undefined
  const inner = [-1, right.length === 1 ? -1 : -2]
  const operands = [left, right].map((shape, i): FigureArray => {
    const array = alone(shape, i)
    return {
      ...array,
      axes: array.axes.map((each) => (each.axis === inner[i] ? { ...each, role: 'conflict' } : each)),
    }
  })
  return { operands, result: undefined }
}

/** The figure of a message, and what stands between its arrays; undefined where it says too little. */
export function messageFigure(
  finding: Finding,
  isConflict: boolean,
): { readonly figure: Figure; readonly sign: string } | undefined {
  const [figure, sign] =
    finding.kind === 'sizes'
      ? [sizesFigure(finding, isConflict), '+']
      : finding.kind === 'other' && finding.factors !== undefined
        ? [productFigure(finding.factors), '×']
        : []
  return figure === undefined || sign === undefined ? undefined : { figure, sign }
}

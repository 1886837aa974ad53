// Arrays of which not everything is known, or which meet otherwise than by broadcasting: two sizes that do not fit, and
// the factors of a matrix product. What nobody said is drawn as not known.
import type { Dim, Shape, SymbolicShape } from 'bcast'
import { alone, type Figure, type FigureArray, isConcrete, MOST_DRAWN_AXES } from './figure.ts'

/** Two sizes on one axis, and the axis counted from the left where it is known. */
export interface TwoSizes {
  readonly sizes: readonly [Dim, Dim]
  readonly names: readonly [string, string]
  readonly axis: number | undefined
}

/** Rows that stand for axes that are not known: one that is certain, and ghosts. */
const ROWS = 3

/** `(?,3,…)`: axes before this one are there and not known, and others may follow. */
const shapeText = (size: number, axis: number | undefined): string =>
  `(${[...(axis === undefined ? ['…'] : Array.from({ length: axis }, () => '?')), size, '…'].join()})`

/** Undefined where a size is no number. */
export function sizesFigure({ sizes, names, axis }: TwoSizes, isConflict: boolean): Figure | undefined {
  if (!sizes.every((size) => typeof size === 'number')) return undefined
  const operands = (sizes as readonly number[]).map(
    (size, i): FigureArray => ({
      name: names[i]!,
      shape: [size],
      shapeText: shapeText(size, axis),
      axes: [
        { axis: -2, own: 1, size: ROWS, role: 'unknown' },
        { axis: -1, own: size, size, role: isConflict ? 'conflict' : 'same' },
      ],
    }),
  )
  return { operands, result: undefined }
}

const isDrawn = (shape: SymbolicShape): shape is Shape => isConcrete(shape) && shape.length <= MOST_DRAWN_AXES

/** Undefined where a shape is not known, or has too many axes. */
export function productFigure([left, right]: readonly [SymbolicShape, SymbolicShape]): Figure | undefined {
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

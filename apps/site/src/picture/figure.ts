// What a picture shows, before anything has a place: operands and result as arrays of cells on the axes of the result.
// On each axis an operand has cells of its own, one cell that is read again and again, or no axis at all.
import type { Explanation, Shape, SymbolicShape } from 'bcast'

/** What an operand is on one axis of the frame. */
export interface FigureAxis {
  /** Counted from the right. */
  readonly axis: number
  /** How many cells of its own; 1 where the axis is added. */
  readonly own: number
  /** How many cells the frame has. */
  readonly size: number
  /** `unknown` stands for all axes that nobody knows. */
  readonly role: 'same' | 'stretched' | 'padded' | 'conflict' | 'unknown'
}

export interface FigureArray {
  readonly name: string
  readonly shape: Shape
  /** What is said of a shape that is not known whole: `(?,3,…)`. */
  readonly shapeText?: string
  /** From the left. */
  readonly axes: readonly FigureAxis[]
}

export interface Figure {
  readonly operands: readonly FigureArray[]
  /** Undefined where the broadcast fails. */
  readonly result: FigureArray | undefined
}

/** More axes than this are shown as a table alone. */
export const MOST_DRAWN_AXES = 4

/** How operands are called in texts and pictures. */
export const operandLetter = (operand: number): string => String.fromCharCode(65 + operand)

export const isConcrete = (shape: SymbolicShape | undefined): shape is Shape =>
  shape?.every((dim) => typeof dim === 'number') ?? false

const knownRole = (role: Explanation['axes'][number]['operands'][number]['role']): FigureAxis['role'] =>
  role === 'unknown' ? 'same' : role

/** An operand by itself: ranks do not fit, so that it has no place in a result. */
export const alone = (shape: Shape, operand: number): FigureArray => ({
  name: operandLetter(operand),
  shape,
  axes: shape.map((size, i) => ({ axis: i - shape.length, own: size, size, role: 'same' })),
})

/** The figure of an explanation whose sizes are all known; undefined where it has too many axes. */
export function figureOf({ shapes, shape, axes: rows }: Explanation): Figure | undefined {
  if (!shapes.every(isConcrete)) return undefined
  const most = Math.max(rows.length, ...shapes.map(({ length }) => length))
  if (most > MOST_DRAWN_AXES) return undefined
  if (rows.length === 0 && shapes.some(({ length }) => length > 0)) {
    return { operands: shapes.map(alone), result: undefined }
  }
  const operands = shapes.map(
    (own, operand): FigureArray => ({
      name: operandLetter(operand),
      shape: own,
      axes: rows.map(({ axis, operands: cells }, place): FigureAxis => {
        const { size, role } = cells[operand]!
        const count = (size as number | undefined) ?? 1
        // What fails has no frame in common: every operand is drawn as it is.
        return {
          axis,
          own: count,
          size: shape?.[place] === undefined ? count : (shape[place] as number),
          role: knownRole(role),
        }
      }),
    }),
  )
  if (!isConcrete(shape)) return { operands, result: undefined }
  const result = {
    name: 'z',
    shape,
    axes: rows.map(({ axis }, i): FigureAxis => ({ axis, own: shape[i]!, size: shape[i]!, role: 'same' })),
  }
  return { operands, result }
}

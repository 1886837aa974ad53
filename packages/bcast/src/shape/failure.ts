// Why a broadcast fails, as one sentence with the operands and the axis. Both interpreters (concrete and symbolic)
// speak through here, and the compiler's message is the same sentence.
import { type Dim, formatDim } from './dim.ts'
import { type Misfit, operandName } from './rule.ts'

export interface Failure {
  /** What went wrong, as a sentence without its full stop. */
  readonly sentence: string
  /** The operands that disagree, the one that keeps its shape first. */
  readonly operands: readonly number[]
  /** The result's axis counted from the right, or undefined when ranks or options fail. */
  readonly axis: number | undefined
}

type Shapes = readonly (readonly Dim[])[]

const shapeText = (shape: readonly Dim[]): string => `[${shape.map(formatDim).join(',')}]`

const inOrder = (operands: readonly number[]): readonly number[] => operands.toSorted((a, b) => a - b)

/** `(shapes [2,3] and [2])`: the shapes of the operands concerned, however many others there are. */
const shapesText = (shapes: Shapes, operands: readonly number[]): string =>
  `(${operands.length === 1 ? 'shape' : 'shapes'} ${operands.map((operand) => shapeText(shapes[operand]!)).join(' and ')})`

/** The failure of two sizes that meet on an axis of the result. */
export function mismatch(
  shapes: Shapes,
  rank: number,
  resultAxis: number,
  [p, a]: readonly [number, Dim],
  [q, b]: readonly [number, Dim],
): Failure {
  const axis = resultAxis - rank
  const sizes = `${formatDim(a)} vs ${formatDim(b)}`
  return { sentence: `cannot broadcast axis ${axis}: ${sizes} ${shapesText(shapes, [p, q])}`, operands: [p, q], axis }
}

/** The failure of an operand's axis that lies outside the result. */
export function outside(shapes: Shapes, onto: number, operand: number, axis: number): Failure {
  const shape = shapes[operand]!
  const where = `axis ${axis - shape.length} of ${operandName(operand)} lies outside the result`
  const size = shape[axis] === 1 ? '' : ` and must be 1, not ${formatDim(shape[axis]!)}`
  return {
    sentence: `${where}${size} ${shapesText(shapes, inOrder([onto, operand]))}`,
    operands: [onto, operand],
    axis: undefined,
  }
}

/** The failure of a size of A that an option wants to be 1. */
export function mustBeOne(shapes: Shapes, operand: number, axis: number): Failure {
  const shape = shapes[operand]!
  const fromRight = axis - shape.length
  return {
    sentence: `axis ${fromRight} of ${operandName(operand)} must be 1, not ${formatDim(shape[axis]!)} ${shapesText(shapes, [operand])}`,
    operands: [operand],
    axis: fromRight,
  }
}

/** The failure of ranks or options. */
export const misfitFailure = (shapes: Shapes, { misfit, operands }: Misfit): Failure => ({
  sentence: `${misfit} ${shapesText(shapes, inOrder(operands))}`,
  operands,
  axis: undefined,
})

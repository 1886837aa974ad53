// Why PyTorch's gradient of an element is another, where it is: each reason as narrow as it can be told from the
// elements. docs/gradients.md has the choices.
import { type Difference, oursIsRight } from './difference.ts'

interface GradientCause {
  readonly id: string
  /** What PyTorch does. */
  readonly what: string
  explains(difference: Difference): boolean
}

const isOp = ({ question }: Difference, ...ops: readonly string[]): boolean => ops.includes(question.op)

const isHalf = ({ question }: Difference): boolean => question.delta.dtype.endsWith('16')

export const gradientCauses: readonly GradientCause[] = [
  {
    id: 'multiplied-zero',
    what: 'multiplies an infinite or unknown gradient by the zero of a choice, where we select',
    explains: (difference) =>
      (isOp(difference, 'Abs', 'Pow') || (isOp(difference, 'Max', 'Min') && difference.operands.length > 2)) &&
      !Number.isFinite(difference.delta) &&
      difference.ours === 0 &&
      Number.isNaN(difference.theirs),
  },
  {
    id: 'clamp-edges',
    what: 'shares the gradient of clamp between x and a bound that it equals, and passes it where one is NaN',
    explains: (difference) => {
      const [x, min, max] = difference.operands as number[]
      const unknown = [x, min, max].some(Number.isNaN)
      return isOp(difference, 'Clip') && (unknown || x === min || x === max || min === max)
    },
  },
  {
    id: 'divided-anew',
    what: 'divides anew to know the quotient of a remainder, so that it rounds to another or is infinite',
    explains: (difference) => {
      const [x, y] = difference.operands as [number, number]
      const hasNoRest = y === 0 || !Number.isFinite(x)
      return (
        isOp(difference, 'Mod', 'FloorMod') &&
        difference.question.by === 1 &&
        (hasNoRest ? Number.isNaN(difference.ours) : oursIsRight(difference))
      )
    },
  },
  {
    id: 'no-ties',
    what: 'amax and amin of three and more divide by the number of operands that equal a NaN, which is zero',
    explains: (difference) =>
      isOp(difference, 'Max', 'Min') && difference.operands.length > 2 && difference.operands.some(Number.isNaN),
  },
  {
    id: 'rounds-between',
    what: 'rounds 16-bit floats between the steps of a derivative, where we round once',
    explains: (difference) =>
      isOp(difference, 'Atan', 'Div', 'Erf', 'HardSigmoid', 'Pow', 'Reciprocal', 'SquaredDifference') &&
      isHalf(difference) &&
      oursIsRight(difference),
  },
  {
    id: 'lost-between',
    what: 'leaves the range between the steps of a derivative: a large gradient is multiplied before it is divided, an infinite one meets a slope that is all rounding',
    explains: (difference) =>
      isOp(difference, 'Softplus', 'Gelu') && !Number.isFinite(difference.theirs) && oursIsRight(difference),
  },
  {
    id: 'flushes-subnormals',
    what: 'takes subnormal numbers of bfloat16 for zero',
    explains: (difference) =>
      isOp(difference, 'Gelu') && isHalf(difference) && difference.theirs === 0 && oursIsRight(difference),
  },
  {
    id: 'hardtanh-unknown',
    what: 'hardtanh, which stands for a HardSigmoid of other slopes than its own, passes the gradient at NaN; hardsigmoid gives 0 as we do',
    explains: (difference) => isOp(difference, 'HardSigmoid') && difference.operands.some(Number.isNaN),
  },
]

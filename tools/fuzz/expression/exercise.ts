// What may happen to an expression: it is refused at a place inside it, or it has a result, or its operands do not go
// together at a place inside it. Anything else is a defect.
import { configure, type DType, tensor } from 'bcast'
import { Composer } from '../../../packages/cli/src/expression/compose.ts'
import { EvaluationError, ExpressionError } from '../../../packages/cli/src/expression/expression-error.ts'
import { parseExpression } from '../../../packages/cli/src/expression/parse.ts'
import { placeArrays } from '../../../packages/cli/src/expression/shapes.ts'
import { makeRandom } from '../../../testing/random.ts'

export type Outcome = 'result' | 'refused' | 'operands refused'

const SHAPES = [[], [3], [2, 3], [2, 1], [1], [0], [4]]
const TYPES: readonly DType[] = ['float32', 'float64', 'float16', 'int8', 'int64', 'uint8', 'uint64', 'bool']

/** Kernels would be compiled for thousands of expressions; the interpreter computes the same. */
export const prepare = (): void => configure({ backend: 'interpreter' })

export function exercise(expression: string, index: number): Outcome {
  const random = makeRandom(index)
  const arrays = new Map<string, { readonly dtype: DType; readonly shape: readonly number[] }>()
  // Mostly one type for all, so that many expressions have a result.
  const common = random.pick(TYPES)
  const arrayOf = (name: string) => {
    const known = arrays.get(name)
    if (known !== undefined) return known
    const made = { dtype: random.chance(0.8) ? common : random.pick(TYPES), shape: random.pick(SHAPES) }
    arrays.set(name, made)
    return made
  }
  try {
    const root = parseExpression(expression)
    placeArrays(expression, root, (name) => arrayOf(name).shape, undefined)
    const valueNamed = ({ name }: { readonly name: string }) => tensor(1, { dtype: arrayOf(name).dtype })
    String(new Composer({ expression, valueNamed }).compose(root, undefined))
    return 'result'
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const { start, end } = error.span
    if (!(start >= 0 && start <= end && end <= expression.length))
      throw new Error(`a place outside: ${start} to ${end}`)
    return error instanceof EvaluationError ? 'operands refused' : 'refused'
  }
}

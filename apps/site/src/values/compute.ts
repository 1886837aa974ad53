// Operands with their elements, and what the engine makes of them; beside it the same in float64, which shows where a
// type wrapped around or rounded.
import {
  BcastError,
  cast,
  type DType,
  dtypeInfo,
  type Operator,
  type Rule,
  type Shape,
  type Tensor,
  tensor,
} from 'bcast'
import { firstElement, parseElement } from './elements.ts'
import { operandType } from './operator-choice.ts'

/** More than this is not computed: nobody looks at so many values. */
export const MOST_ELEMENTS = 4096

export interface Asked {
  readonly shapes: readonly Shape[]
  readonly rule: Rule
  readonly operator: Operator
  readonly dtype: DType
  /** Elements that were typed, as `operand:index`. */
  readonly typed: Readonly<Record<string, string>>
}

/** What became of an element of the result. */
export type Mark = 'wrapped' | 'rounded' | 'nan' | undefined

export interface Computed {
  readonly operands: readonly Tensor[]
  readonly result: Tensor | undefined
  /** Why there is none, or why a text that was typed is no element. */
  readonly problems: readonly string[]
  readonly markAt: (index: readonly number[]) => Mark
}

export const keyOf = (operand: number, index: readonly number[]): string => `${operand}:${index.join(',')}`

export const countOf = (shape: Shape): number => shape.reduce((count, size) => count * size, 1)

/** Every index of a shape, row-major. */
export function indicesOf(shape: Shape): number[][] {
  let indices: number[][] = [[]]
  for (const size of shape) indices = indices.flatMap((index) => Array.from({ length: size }, (_, i) => [...index, i]))
  return indices
}

function operandOf(shape: Shape, operand: number, dtype: DType, typed: Asked['typed'], problems: string[]): Tensor {
  const elements = indicesOf(shape).map((index, position) => {
    const otherwise = firstElement(dtype, operand, position)
    const text = typed[keyOf(operand, index)]
    if (text === undefined) return otherwise
    try {
      const element = parseElement(text, dtype)
      tensor(element, { dtype })
      return element
    } catch (error) {
      if (!(error instanceof BcastError)) throw error
      problems.push(`${String.fromCharCode(65 + operand)}[${index.join(',')}]: ${error.message}`)
      return otherwise
    }
  })
  return tensor(elements, { dtype, shape }) as Tensor
}

/** Mod of floats has to be asked for. */
function call(operator: Operator, operands: readonly Tensor[], rule: Rule): Tensor {
  const isFloat = dtypeInfo(operands[0]!.dtype).isFloat
  const options = {
    ...(operands.length === 1 ? {} : { broadcast: rule }),
    ...(isFloat && operator.attributes['fmod'] !== undefined ? { fmod: true } : {}),
  }
  return operator.call(...operands, ...(Object.keys(options).length === 0 ? [] : [options]))
}

/** The same in float64, where that says something. */
function inFloat64({ operator, dtype, rule }: Asked, operands: readonly Tensor[]): Tensor | undefined {
  const { isFloat, isInteger } = dtypeInfo(dtype)
  if (!(isFloat || isInteger) || dtype === 'float64' || operator.result === 'bool') return undefined
  if (!operator.types.shared.includes('float64')) return undefined
  try {
    const wide = operands.map((operand) => (operand.dtype === 'bool' ? operand : (cast(operand, 'float64') as Tensor)))
    return call(operator, wide, rule)
  } catch {
    return undefined
  }
}

function markOf(element: unknown, exact: unknown, dtype: DType): Mark {
  if (typeof element === 'number' && Number.isNaN(element)) return 'nan'
  if (exact === undefined) return undefined
  // Integers that divide lose less than 1, float64 some of the last bits; what wraps is off by 256 at least.
  if (dtypeInfo(dtype).isInteger) {
    const off = Math.abs(Number(element) - Number(exact))
    return off > 1 + Math.abs(Number(exact)) * 2 ** -40 ? 'wrapped' : undefined
  }
  return Object.is(element, exact) ? undefined : 'rounded'
}

export function compute(asked: Asked): Computed {
  const { shapes, rule, operator, dtype, typed } = asked
  const problems: string[] = []
  const operands = shapes.map((shape, i) => operandOf(shape, i, operandType(operator, dtype, i), typed, problems))
  try {
    const result = call(operator, operands, rule)
    const exact = inFloat64(asked, operands)
    const markAt = (index: readonly number[]): Mark => markOf(result.get(...index), exact?.get(...index), result.dtype)
    return { operands, result, problems, markAt }
  } catch (error) {
    if (!(error instanceof BcastError)) throw error
    return { operands, result: undefined, problems: [...problems, error.message], markAt: () => undefined }
  }
}

/** Whether an operator can be asked: the rule keeps the operand that the operator's call keeps. */
export function keptProblem({ rule, operator }: Pick<Asked, 'rule' | 'operator'>, onto: number): string | undefined {
  const kept = operator.keeps(rule)
  if (!rule.oneWay || kept === onto) return undefined
  return `In a call of ${operator.name} the rule ${rule.name} keeps ${String.fromCharCode(65 + kept)}.`
}

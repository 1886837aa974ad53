// What the library refuses, in the words of expressions: made from the fields of its errors, with casts as they are
// written here, the types that files have, and operands as they stand in the text.
import { type BcastError, DivisionByZeroError, DTypeError, type NoValue, type TypedOperand, ValueError } from 'bcast'
import { storedDTypes } from '../files/element.ts'
import { type Expression, namesIn } from './syntax.ts'

/** Where something was refused. */
export interface Place {
  readonly expression: string
  /** The operands of the operator, none where it is about the whole. */
  readonly operands: readonly Expression[]
  /** The element of the result that is computed alone, where one is. */
  readonly index?: readonly number[] | undefined
}

export interface Refusal {
  readonly problem: string
  /** What the letters in it mean, where it has some. */
  readonly details?: string
}

/** Operands longer than this are not repeated whole. */
const LONGEST_NAME = 40

const letterOf = (operand: number): string => (operand < 26 ? String.fromCharCode(65 + operand) : `operand ${operand}`)

const textOf = (expression: string, { span }: Expression): string =>
  expression.slice(span.start, span.end).replace(/\s+/g, ' ')

/** An operand as it is written, or another word for one that is long or not there. */
function written({ expression, operands }: Place, operand: number, otherwise: string): string {
  const part = operands[operand]
  const text = part === undefined ? otherwise : textOf(expression, part)
  return text.length > LONGEST_NAME ? otherwise : text
}

/** `A is x - m, B is s`: what the letters of a sentence mean. */
export function operandNames(expression: string, operands: readonly Expression[]): string {
  if (operands.length < 2 || operands.length > 26) return ''
  const texts = operands.map((operand, i) => {
    const text = textOf(expression, operand)
    const shown = text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME - 1)}…` : text
    return `${letterOf(i)} is ${shown}`
  })
  return `(${texts.join(', ')})`
}

/** A type that an operator does not take, or two that differ; undefined where it is about no operand. */
function aboutTypes(
  { operator, operand, dtype, allowed, beside, fixes }: DTypeError,
  place: Place,
): string | undefined {
  if (operand === undefined) return undefined
  const casts = fixes.map((fix: TypedOperand): string => {
    return `cast(${written(place, fix.operand, letterOf(fix.operand).toLowerCase())}, ${fix.dtype})`
  })
  if (beside !== undefined) {
    const types = `${letterOf(beside.operand)} is ${beside.dtype}, ${letterOf(operand)} is ${dtype}`
    return `${operator}: element types differ: ${types}. Nothing is converted by itself: use ${casts.join(' or ')}.`
  }
  const taken = storedDTypes.filter((type) => allowed.includes(type))
  return `${operator} does not take ${dtype} for ${letterOf(operand)}; it takes ${taken.join(', ')}. Convert with ${casts.join(' or ')}.`
}

const FIXES: Readonly<Record<NoValue, (operand: string, isConstant: boolean) => string>> = {
  'division by zero': (y, isConstant) =>
    isConstant
      ? 'The divisor is 0 whatever the arrays hold.'
      : `Make the divisor there nonzero: where(${y} == 0, 1, ${y}) in the place of ${y}. A where around the quotient comes too late.`,
  'zero to a negative power': () => 'Make the exponents there zero or positive.',
}

function aboutZero({ operator, operand, reason, index }: DivisionByZeroError, place: Place): string {
  const at = place.index ?? index
  const part = place.operands[operand]
  const fix = FIXES[reason](written(place, operand, 'y'), part !== undefined && namesIn(part).size === 0)
  return `${operator}: ${reason} at index [${at.join(', ')}] of the result. ${fix}`
}

/** What an error of the library says to whoever wrote the expression. */
export function refusalOf(error: BcastError, place: Place): Refusal {
  if (error instanceof DivisionByZeroError) return { problem: aboutZero(error, place) }
  if (error instanceof ValueError && error.dtype !== undefined) {
    return { problem: `${error.value} cannot be an element of type ${error.dtype}: ${error.reason}.` }
  }
  const problem = (error instanceof DTypeError ? aboutTypes(error, place) : undefined) ?? error.message
  const details = operandNames(place.expression, place.operands)
  return details === '' ? { problem } : { problem, details }
}

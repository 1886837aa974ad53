// An element type that does not go with the others: which one, whose, beside which, and the conversions that would do.
// Sentences about the operands of an operator are made here, from the fields, so that all operators say the same.
import { BcastError } from './bcast-error.ts'
import { operandName } from './operand-name.ts'

/** An operand and an element type: the one that it has, or the one that it would be converted to. */
export interface TypedOperand {
  /** Its position, from 0. */
  readonly operand: number
  readonly dtype: string
}

/** What is known besides the type, where an operator refuses it. */
interface About {
  readonly operator?: string
  readonly operand?: number
  readonly beside?: TypedOperand
  readonly fixes?: readonly TypedOperand[]
}

/** An element type that an operation does not take, or types that differ. */
export class DTypeError extends BcastError {
  readonly code = 'BCAST_DTYPE'
  /** The type that is refused. */
  declare readonly dtype: string
  /** The types that would do. */
  declare readonly allowed: readonly string[]
  /** The operator that refuses it, where one is concerned. */
  declare readonly operator?: string
  /** The position of the operand that has the type, from 0, where one operand is at fault. */
  declare readonly operand?: number
  /** The operand before it whose type it does not share, where types differ. */
  declare readonly beside?: TypedOperand
  /** Conversions of an operand to a type, each of which settles this, or brings two operands together where none does. */
  declare readonly fixes: readonly TypedOperand[]

  constructor(message: string, dtype: string, allowed: readonly string[] = [], about?: About) {
    super(message, { dtype, allowed, fixes: [], ...about })
  }
}

/** A conversion as code. */
const castOf = ({ operand, dtype }: TypedOperand): string => `cast(${operandName(operand).toLowerCase()}, '${dtype}')`

/** The error of an operand whose type an operator never takes. */
export function typeNotTaken(
  operator: string,
  { operand, dtype }: TypedOperand,
  allowed: readonly string[],
): DTypeError {
  const fix = { operand, dtype: allowed.includes('float32') ? 'float32' : allowed[0]! }
  return new DTypeError(
    `${operator} does not take ${dtype} for ${operandName(operand)}; it takes ${allowed.join(', ')}. Convert with ${castOf(fix)}.`,
    dtype,
    allowed,
    { operator, operand, fixes: [fix] },
  )
}

/**
 * The error of an operand whose type is not that of one before it. `types` are those of all operands that have to share
 * one, undefined for others: a conversion that leaves a third one different is no fix where another settles all.
 */
export function typesDiffer(
  operator: string,
  { operand, dtype }: TypedOperand,
  beside: TypedOperand,
  types: readonly (string | undefined)[],
): DTypeError {
  const either = [
    { operand, dtype: beside.dtype },
    { operand: beside.operand, dtype },
  ]
  const settling = either.filter((fix) =>
    types.every((type, i) => type === undefined || type === fix.dtype || i === fix.operand),
  )
  const fixes = settling.length === 0 ? either : settling
  return new DTypeError(
    `${operator}: element types differ: ${operandName(beside.operand)} is ${beside.dtype}, ${operandName(operand)} is ${dtype}. Nothing is converted by itself: use ${fixes.map(castOf).join(' or ')}.`,
    dtype,
    [beside.dtype],
    { operator, operand, beside, fixes },
  )
}

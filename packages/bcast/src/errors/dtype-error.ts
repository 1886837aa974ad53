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

export class DTypeError extends BcastError {
  readonly code = 'BCAST_DTYPE'
  /** The type that is refused. */
  readonly dtype: string
  /** The types that would do. */
  readonly allowed: readonly string[]
  /** The operator that refuses it; undefined where none is concerned. */
  readonly operator: string | undefined
  /** The position of the operand that has the type, from 0; undefined where no one operand is at fault. */
  readonly operand: number | undefined
  /** The operand before it whose type it does not share; undefined unless types differ. */
  readonly beside: TypedOperand | undefined
  /** Conversions of an operand to a type, each of which settles this. */
  readonly fixes: readonly TypedOperand[]

  constructor(message: string, dtype: string, allowed: readonly string[] = [], about: About = {}) {
    super(message)
    this.dtype = dtype
    this.allowed = allowed
    this.operator = about.operator
    this.operand = about.operand
    this.beside = about.beside
    this.fixes = about.fixes ?? []
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

/** The error of an operand whose type is not that of one before it. */
export function typesDiffer(operator: string, { operand, dtype }: TypedOperand, beside: TypedOperand): DTypeError {
  const fixes = [
    { operand, dtype: beside.dtype },
    { operand: beside.operand, dtype },
  ]
  return new DTypeError(
    `${operator}: element types differ: ${operandName(beside.operand)} is ${beside.dtype}, ${operandName(operand)} is ${dtype}. Nothing is converted by itself: use ${fixes.map(castOf).join(' or ')}.`,
    dtype,
    [beside.dtype],
    { operator, operand, beside, fixes },
  )
}

// Operands or options that an operator cannot take, whatever their elements.
import { BcastError } from './bcast-error.ts'
import { operandName } from './operand-name.ts'

interface Fields {
  readonly operator?: string
  readonly operand?: number
  readonly option?: string
}

/** Arguments of a call that are too many, too few, or none that it takes. */
export class OperandError extends BcastError<Fields> implements Fields {
  readonly code = 'BCAST_OPERAND'
  /** The operator or function that was called. */
  declare readonly operator?: string
  /** The position of the operand that is wrong, from 0, where it is one operand. */
  declare readonly operand?: number
  /** The option that is wrong, where it is one. */
  declare readonly option?: string
}

/** The error of one operand: what it is, and what is done about it. */
export const wrongOperand = (operator: string, operand: number, what: string, fix: string): OperandError =>
  new OperandError(`${operator}: ${operandName(operand)} ${what}; ${fix}.`, { operator, operand })

/** The error of one option: what it is, and what it may be. */
export const wrongOption = (operator: string, option: string, what: string, expected: string): OperandError =>
  new OperandError(`${operator}: ${option} ${what}; ${expected}.`, { operator, option })

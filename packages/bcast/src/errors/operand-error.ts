// Operands or options that an operator cannot take, whatever their elements.
import { BcastError } from './bcast-error.ts'

export class OperandError extends BcastError {
  readonly code = 'BCAST_OPERAND'
}

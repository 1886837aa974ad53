// An integer division (or a zero to a negative power) without a value; names the lowest row-major index.
import { BcastError } from './bcast-error.ts'

/** Why an element has no value, with what is done about it. */
const FIXES = {
  'division by zero':
    'Make the divisor there nonzero: where(equal(y, 0), 1, y) in the place of y. A where around the quotient comes too late.',
  'zero to a negative power': 'Make the exponents there zero or positive.',
} as const

/** Why an element has no value: what was divided by zero, or raised to a power that has none. */
export type NoValue = keyof typeof FIXES

/** An integer division, remainder or power without a value; `index` is the first element that has none. */
export class DivisionByZeroError extends BcastError {
  readonly code = 'BCAST_DIVISION_BY_ZERO'
  readonly operator: string
  /** The position of the operand that leaves no value: the divisor, the exponent. */
  readonly operand: number
  /** Where in the result. */
  readonly index: readonly number[]
  readonly reason: NoValue

  constructor(operator: string, operand: number, index: readonly number[], reason: NoValue) {
    super(`${operator}: ${reason} at index [${index.join(', ')}] of the result. ${FIXES[reason]}`)
    this.operator = operator
    this.operand = operand
    this.index = index
    this.reason = reason
  }
}

// An integer division (or a zero to a negative power) without a value; names the lowest row-major index.
import { BcastError } from './bcast-error.ts'

export class DivisionByZeroError extends BcastError {
  readonly code = 'BCAST_DIVISION_BY_ZERO'
  readonly operator: string
  readonly index: readonly number[]

  constructor(operator: string, index: readonly number[], reason: string, fix: string) {
    super(`${operator}: ${reason} at index [${index.join(', ')}] of the result. ${fix}`)
    this.operator = operator
    this.index = index
  }
}

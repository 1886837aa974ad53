// An element type an operator does not take; lists the ones it does.
import { BcastError } from './bcast-error.ts'

export class DTypeError extends BcastError {
  readonly code = 'BCAST_DTYPE'
  readonly dtype: string
  readonly allowed: readonly string[]

  constructor(message: string, dtype: string, allowed: readonly string[] = []) {
    super(message)
    this.dtype = dtype
    this.allowed = allowed
  }
}

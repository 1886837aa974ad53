// What dimensions cannot do: one class, a stable code for each reason.
import { OnnxError } from '../errors/index.ts'

/** Why an expression of sizes is refused. */
export type DimErrorCode =
  /** A number that is no safe integer, or bounds that hold nothing. */
  | 'DIM_VALUE'
  | 'DIM_DIVISION_BY_ZERO'
  /** A symbol that no size was given for. */
  | 'DIM_UNBOUND'
  /** A value that is no size: negative, or above 2^53 - 1. */
  | 'DIM_SIZE'
  /** A text that is no expression. */
  | 'DIM_SYNTAX'

/** An expression of sizes that cannot be read or computed. */
export class DimError extends OnnxError {
  readonly code: DimErrorCode

  constructor(code: DimErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

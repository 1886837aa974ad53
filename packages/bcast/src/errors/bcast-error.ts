// The root of every error bcast throws: a stable `code` to program against, a text to read.
// docs/errors.md is the one table of the codes; a test keeps the two in step.

/** Every code, with the class that carries it. */
export const errorCodes = {
  BCAST_SHAPE: 'ShapeError',
  BCAST_RULE: 'RuleError',
  BCAST_BROADCAST: 'BroadcastError',
  BCAST_DTYPE: 'DTypeError',
  BCAST_VALUE: 'ValueError',
  BCAST_INDEX: 'IndexError',
  BCAST_OPERAND: 'OperandError',
  BCAST_DIVISION_BY_ZERO: 'DivisionByZeroError',
  BCAST_READ_ONLY: 'ReadOnlyError',
  BCAST_DISPOSED: 'DisposedError',
  BCAST_ENGINE: 'EngineError',
  BCAST_FORMAT: 'FormatError',
} as const

/** The stable `code` of an error. */
export type ErrorCode = keyof typeof errorCodes

/** What every error of bcast is; `code` tells which, and the fields what was given and what fixes it. */
export abstract class BcastError<Fields extends object = object> extends Error {
  abstract readonly code: ErrorCode

  /** `fields` say what the text says, to a program; a class declares those it has. */
  constructor(message: string, fields?: Fields) {
    super(message, fields)
    Object.assign(this, fields)
  }

  override get name(): string {
    return errorCodes[this.code]
  }
}

// A rule made with options that no shapes could satisfy, or a rule that is none.
import { BcastError } from './bcast-error.ts'

interface Fields {
  readonly rule?: string
  readonly option?: string
  readonly value?: unknown
}

/** A broadcasting rule that was named or made with something it does not have. */
export class RuleError extends BcastError<Fields> implements Fields {
  readonly code = 'BCAST_RULE'
  /** The rule that was to be made or used. */
  declare readonly rule?: string
  /** The option that is wrong, where it is one. */
  declare readonly option?: string
  /** What was given for it. */
  declare readonly value?: unknown
}

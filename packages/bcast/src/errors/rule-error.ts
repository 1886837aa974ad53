// A rule made with options that no shapes could satisfy, or a rule that is none.
import { BcastError } from './bcast-error.ts'

export class RuleError extends BcastError {
  readonly code = 'BCAST_RULE'
}

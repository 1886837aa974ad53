// Shapes that a rule cannot bring together. The text is the explanation's, made in shape/explain.
import { BcastError } from './bcast-error.ts'

export class BroadcastError<E = unknown> extends BcastError {
  readonly code = 'BCAST_BROADCAST'
  readonly shapes: readonly (readonly number[])[]
  /** The rule that was broken, as it prints: `numpy`, `pdpd(axis=1)`. */
  readonly rule: string
  /** The axis of the result that fails, counted from the right (-1 is the last); undefined when ranks fail. */
  readonly axis: number | undefined
  /** The operands that disagree. */
  readonly operands: readonly number[]
  /** Everything `explain` says about these shapes, fixes included. */
  readonly explanation: E

  constructor(
    message: string,
    fields: Pick<BroadcastError<E>, 'shapes' | 'rule' | 'axis' | 'operands' | 'explanation'>,
  ) {
    super(message)
    this.shapes = fields.shapes
    this.rule = fields.rule
    this.axis = fields.axis
    this.operands = fields.operands
    this.explanation = fields.explanation
  }
}

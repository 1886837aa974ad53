// Shapes that a rule cannot bring together. The text is the explanation's, made in shape/explain.
import { BcastError } from './bcast-error.ts'

type Fields<E> = Pick<BroadcastError<E>, 'shapes' | 'rule' | 'axis' | 'operands' | 'explanation'>

/** Shapes that do not meet under a rule; `explanation` says where, why and what would fix it. */
export class BroadcastError<E = unknown> extends BcastError<object> {
  readonly code = 'BCAST_BROADCAST'
  declare readonly shapes: readonly (readonly number[])[]
  /** The rule that was broken, as it prints: `numpy`, `pdpd(axis=1)`. */
  declare readonly rule: string
  /** The axis of the result that fails, counted from the right (-1 is the last); undefined when ranks fail. */
  declare readonly axis: number | undefined
  /** The operands that disagree. */
  declare readonly operands: readonly number[]
  /** Everything `explain` says about these shapes, fixes included. */
  declare readonly explanation: E

  constructor(message: string, { shapes, rule, axis, operands, explanation }: Fields<E>) {
    super(message, { shapes, rule, axis, operands, explanation })
  }
}

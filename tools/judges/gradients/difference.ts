// One element of a gradient as PyTorch and bcast have it, when they are alike, and whether the specification is with us.
import { isFloat, partials, roundNumber, type Value } from '@bcast/spec'
import { type GradientCase, rows } from './case.ts'

export interface Difference {
  readonly question: GradientCase
  /** The operands' elements and the gradient of the result there. */
  readonly operands: readonly (number | boolean)[]
  readonly delta: number
  readonly ours: number
  readonly theirs: number
}

/** The relative size of a unit in the last place, and the smallest number. */
const UNITS: Readonly<Record<string, readonly [epsilon: number, least: number]>> = {
  float16: [2 ** -10, 2 ** -24],
  bfloat16: [2 ** -7, 2 ** -133],
  float32: [2 ** -23, 2 ** -149],
  float64: [2 ** -52, 2 ** -1074],
}

/** Whether two gradients are the same but for roundings on the way. Zeros are alike whatever their sign. */
export function alike({ question, delta, ours, theirs }: Difference): boolean {
  if (ours === theirs || (Number.isNaN(ours) && Number.isNaN(theirs))) return true
  const [epsilon, least] = UNITS[question.delta.dtype]!
  // What is left of functions near one may be all rounding.
  const size = Math.abs(ours) + (rows.get(question.op)!.approximate === true ? Math.abs(delta) : 0)
  return Math.abs(ours - theirs) <= 8 * Math.max(epsilon * size, least * Math.max(1, Math.abs(delta)))
}

/** Whether ours is what the specification gives, rounded once; nothing is known of operands that are not finite. */
export function oursIsRight(difference: Difference): boolean {
  const { question, operands, delta } = difference
  const { dtype } = question.delta
  if (!isFloat(dtype) || !operands.every((x) => typeof x === 'boolean' || Number.isFinite(x))) return false
  const slope = partials(question.op, dtype, question.attrs)(...(operands as Value[]))[question.by] as number
  return alike({ ...difference, theirs: roundNumber(dtype, slope * delta) })
}

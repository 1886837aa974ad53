// The attributes `broadcast` and `axis`, which placed the second operand before opset 7. Later sets align operands at
// the right, so B gets a 1 for every axis of A behind it; ONNX's own converter counts them wrongly.
import { constantOf, isEqual } from '../../dims/index.ts'
import { placeOf } from '../../infer/attributes/legacy.ts'
import type { Draft } from './draft.ts'

/** Whether every size of an operand is 1 in every walk: it goes anywhere. */
const isOneElement = ({ meetings }: Draft): boolean =>
  meetings.length > 0 &&
  meetings.every(({ operands }) => operands[1]!.shape?.every((dim) => constantOf(dim) === 1n) === true)

/** The number that is the same in every walk. */
function agreed(ranks: readonly (number | undefined)[]): number | undefined {
  const [first, ...others] = ranks
  return others.every((rank) => rank === first) ? first : undefined
}

/** How the size of an operand on an axis goes with that of the first, in every walk. */
type Fit =
  /** They are equal, or it is 1 and may be repeated. */
  | 'certain'
  /** They must be equal. */
  | 'exact'
  /** They must be equal, or it is 1. */
  | 'open'

function fitOn({ meetings }: Draft, operand: number, start: number, axis: number): Fit {
  const pairs = meetings.map(({ operands, rule }) => ({
    whole: operands[0]!.shape![start + axis]!,
    own: operands[operand]!.shape![axis]!,
    stretches: rule.relation !== 'equal',
  }))
  const isCertain = pairs.every(
    ({ whole, own, stretches }) => (stretches && isEqual(own, 1) === true) || isEqual(own, whole) === true,
  )
  if (isCertain) return 'certain'
  return pairs.every(({ own, stretches }) => !stretches || isEqual(own, 1) === false) ? 'exact' : 'open'
}

/**
 * Holds an operand to the sizes of the first, from an axis on, where they are not certain: newer sets would stretch the
 * first as well, and let pass what fails. Reshape fails where it would need another number of elements. What may be
 * repeated is expanded before.
 */
function fit(draft: Draft, operand: number, start: number, rank: number): void {
  const failed = draft.meetings.find(({ meeting }) => meeting.verdict === 'error')
  if (failed !== undefined) draft.refuse(`it fails: ${failed.meeting.failure}.`)
  const axes = Array.from({ length: rank }, (_, axis) => axis)
  const fits = axes.map((axis) => fitOn(draft, operand, start, axis))
  if (fits.includes('open')) {
    const sizes = axes.map((axis) => start + axis)
    draft.resize('Expand', operand, sizes)
    draft.resize('Reshape', operand, sizes)
    return
  }
  for (const axis of axes) {
    if (fits[axis] !== 'exact') continue
    // One at a time, for (2,3) has as many elements as (3,2).
    const sizes = axes.map((each) => (each === axis ? start + axis : undefined))
    draft.resize('Reshape', operand, sizes)
  }
}

interface Ranks {
  readonly whole: number
  readonly own: number
}

/** Ranks of the first operand and another in every walk; undefined where one is not known. */
const ranksOf = ({ meetings }: Draft, operand: number): readonly (Ranks | undefined)[] =>
  meetings.map(({ operands }) => {
    const [whole, own] = [operands[0]!.shape?.length, operands[operand]!.shape?.length]
    return whole === undefined || own === undefined ? undefined : { whole, own }
  })

/** Places the second operand so that it starts at an axis of the first, for sets that align at the right. */
function place(draft: Draft, axis: number, newest: number): void {
  if (axis < 0) draft.refuse(`axis is ${axis}; it counts from 0, or is left out for the end.`)
  if (isOneElement(draft)) return
  const ranks = ranksOf(draft, 1)
  const missing = agreed(ranks.map((each) => each && each.whole - axis - each.own))
  const own = agreed(ranks.map((each) => each?.own))
  if (missing === 0 && own === undefined) return
  if (draft.meetings.length === 0) draft.refuse('it never runs, so that the rank of its operands is not known.')
  if (missing === undefined || own === undefined) {
    draft.refuse(`axis=${axis} places an operand, and ranks are not known or differ between calls.`)
  }
  if (-missing > own) draft.refuse(`axis is ${axis}, which lies behind the axes of the first operand.`)
  const axes = Array.from({ length: Math.abs(missing) }, (_, i) => own + Math.min(missing, 0) + i)
  if (missing < 0) draft.reshape('Squeeze', 1, axes, newest)
  fit(draft, 1, axis, own + Math.min(missing, 0))
  if (missing > 0) draft.reshape('Unsqueeze', 1, axes, newest)
}

/** Holds an operand to the last sizes of the first. */
function fitAtEnd(draft: Draft, operand: number): void {
  const ranks = ranksOf(draft, operand)
  const [whole, own] = [agreed(ranks.map((each) => each?.whole)), agreed(ranks.map((each) => each?.own))]
  if (whole !== undefined && own !== undefined) fit(draft, operand, whole - own, own)
}

/** Add and its like without their attributes. */
export function lowerBroadcast(draft: Draft, newest: number): void {
  const axis = placeOf(draft.node)
  if (axis !== undefined) place(draft, axis, newest)
  else fitAtEnd(draft, 1)
  draft.drop(['broadcast', 'axis'], 'without broadcast and axis')
}

/** PRelu, whose slope had one element or one for each channel. */
export function lowerSlope(draft: Draft, newest: number): void {
  const rank = agreed(draft.meetings.map(({ operands }) => operands[0]!.shape?.length))
  if (rank !== undefined && rank < 2) return
  if (rank === undefined && !isOneElement(draft)) {
    draft.refuse('the slope goes to the channels, and the rank of X is not known or differs between calls.')
  }
  place(draft, 1, newest)
}

/** Sum and its like, whose operands had one shape before opset 8. */
export function lowerEqual(draft: Draft): void {
  for (const operand of draft.inputs.keys()) if (operand > 0) fitAtEnd(draft, operand)
}

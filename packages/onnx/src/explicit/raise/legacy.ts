// The attributes `broadcast` and `axis`, which placed the second operand before opset 7. Later sets align operands at
// the right, so B gets a 1 for every axis of A behind it; ONNX's own converter counts them wrongly.
import { constantOf } from '../../dims/index.ts'
import type { Draft } from './draft.ts'

/** Operators that had both attributes. */
export const legacyOperators: ReadonlySet<string> = new Set([
  ...['Add', 'Sub', 'Mul', 'Div', 'Pow', 'And', 'Or', 'Xor', 'Equal', 'Greater', 'Less'],
])

/** Whether every size of an operand is 1 in every walk: it goes anywhere. */
const isOneElement = ({ meetings }: Draft): boolean =>
  meetings.length > 0 &&
  meetings.every(({ operands }) => operands[1]!.shape?.every((dim) => constantOf(dim) === 1n) === true)

/** The number that is the same in every walk. */
function agreed(ranks: readonly (number | undefined)[]): number | undefined {
  const [first, ...others] = ranks
  return others.every((rank) => rank === first) ? first : undefined
}

/** Places the second operand so that it starts at an axis of the first, for sets that align at the right. */
function place(draft: Draft, axis: number, newest: number): void {
  if (axis < 0) draft.refuse(`axis is ${axis}; it counts from 0, or is left out for the end.`)
  const { meetings } = draft
  const ranks = meetings.map(({ operands: [a, b] }) => {
    const [whole, own] = [a!.shape?.length, b!.shape?.length]
    if (whole === undefined || own === undefined) return undefined
    return { own, missing: whole - axis - own }
  })
  const missing = agreed(ranks.map((each) => each?.missing))
  if (missing === 0 || isOneElement(draft)) return
  const own = agreed(ranks.map((each) => each?.own))
  if (meetings.length === 0) draft.refuse('it never runs, so that the rank of its operands is not known.')
  if (missing === undefined || own === undefined) {
    draft.refuse(`axis=${axis} places an operand, and ranks are not known or differ between calls.`)
  }
  if (-missing > own) draft.refuse(`axis is ${axis}, which lies behind the axes of the first operand.`)
  const axes = Array.from({ length: Math.abs(missing) }, (_, i) => (missing > 0 ? own + i : own + missing + i))
  draft.reshape(missing > 0 ? 'Unsqueeze' : 'Squeeze', 1, axes, newest)
}

/** Add and its like without their attributes. */
export function lowerBroadcast(draft: Draft, newest: number): void {
  const { attributes } = draft.node
  const [broadcast, axis] = [attributes.int('broadcast', 0), attributes.int('axis', undefined)]
  if (broadcast !== 0 && axis !== undefined) place(draft, axis, newest)
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

// B goes onto A from `axis` on. The axis comes from B's untrimmed rank when it is -1; then B's trailing ones
// are trimmed; then axis + trimmed rank must fit. Inner ones of B stretch; A never grows.
// Trimming needs no look at the sizes: an axis of B beyond A's last fits exactly when it is one of the trimmed
// ones, and a trimmed one inside A is a one that stretches.
// @clause openvino.pdpd.1, openvino.pdpd.2, openvino.pdpd.3, openvino.pdpd.4, openvino.pdpd.5
import type { Dim } from '../dim.ts'
import {
  type Alignment,
  axesFrom,
  isMisfit,
  type Misfit,
  NOWHERE,
  otherDim,
  type Rule,
  rankMisfit,
  sameDim,
} from '../rule.ts'
import { checkFlag, checkOptions, checkStartAxis, wrongRuleOption } from './options.ts'
import { alignFrom, type Placing, pdpdFrom, placeStart } from './starting-at.ts'

/** Options of `pdpd`. */
export interface PdpdOptions<X extends number = number> {
  /** Where B starts in A; -1 (the default) aligns B with A's end. */
  readonly axis?: X
  /** OpenVINO's check: axis + rank(B) must fit before trailing ones are trimmed. */
  readonly untrimmed?: boolean
  /** `error`: Paddle 1.5, where only trailing ones of B stretch. */
  readonly innerOnes?: 'stretch' | 'error'
}

/** What `pdpd` gives. */
export type PdpdRule<O = PdpdOptions> = Rule<'pdpd', O>

function align(
  shapes: readonly (readonly Dim[])[],
  onto: number,
  { axis = -1, untrimmed = false, innerOnes = 'stretch' }: PdpdOptions,
): Alignment | Misfit {
  const or: { operand: number; axes: readonly number[] }[] = []
  const place: Placing = (shape, start, a, operand) => {
    const rank = a.length
    // Paddle 1.5 takes equal shapes as they are before it looks at the axis.
    const shortCut = innerOnes === 'error' && start > 0 && shape.length === rank
    if (shortCut && shape.every((dim, i) => sameDim(dim, a[i]))) return axesFrom(0, rank)
    const identical = shortCut && !shape.some((dim, i) => otherDim(dim, a[i]))
    if (identical) or.push({ operand, axes: axesFrom(0, rank) })
    const passes = untrimmed && start + shape.length > rank
    const placed = passes ? `axis ${start} + rank ${shape.length}` : placeStart(shape, start, a, operand)
    return identical && typeof placed === 'string' ? shape.map(() => NOWHERE) : placed
  }
  const alignment = rankMisfit(shapes, onto) ?? alignFrom(shapes, onto, axis, place)
  return or.length === 0 || isMisfit(alignment) ? alignment : { ...alignment, or }
}

/**
 * B goes onto A's axes from `axis` on; A never grows. OpenVINO's mode of that name.
 *
 * @example
 * ```ts
 * broadcastShapes([2, 3, 4, 5], [3, 4], { broadcast: pdpd({ axis: 1 }) }) // [2, 3, 4, 5]
 * ```
 */
export function pdpd<const O extends PdpdOptions = Record<never, never>>(options?: O): PdpdRule<O> {
  checkOptions('pdpd', options === undefined ? {} : options, ['axis', 'untrimmed', 'innerOnes'])
  const given: PdpdOptions = { ...options }
  const { axis = -1, untrimmed = false, innerOnes = 'stretch' } = given
  checkStartAxis('pdpd', axis)
  checkFlag('pdpd', 'untrimmed', untrimmed)
  if (innerOnes !== 'stretch' && innerOnes !== 'error') {
    throw wrongRuleOption('pdpd', 'innerOnes', innerOnes, "it is 'stretch' or 'error'")
  }
  const notes = [
    `axis=${axis}`,
    ...(untrimmed ? ['untrimmed'] : []),
    ...(innerOnes === 'error' ? ['innerOnes=error'] : []),
  ]
  const strict = { relation: 'prefix', requirement: "B's sizes, without trailing ones, must be a run of A's" } as const
  return {
    ...pdpdFrom(axis),
    ...(innerOnes === 'error' ? strict : {}),
    options: given as O,
    label: `pdpd(${notes.join(', ')})`,
    align: (shapes, onto) => align(shapes, onto, given),
  }
}

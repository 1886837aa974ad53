// B goes onto A from `axis` on. The axis comes from B's untrimmed rank when it is -1; then B's trailing ones
// are trimmed; then axis + trimmed rank must fit. Inner ones of B stretch; A never grows.
// Trimming needs no look at the sizes: an axis of B beyond A's last fits exactly when it is one of the trimmed
// ones, and a trimmed one inside A is a one that stretches.
// @clause openvino.pdpd.1, openvino.pdpd.2, openvino.pdpd.3, openvino.pdpd.4, openvino.pdpd.5
import type { Dim } from '../dim.ts'
import {
  type Alignment,
  axesFrom,
  type Misfit,
  MUST_BE_ONE,
  NOWHERE,
  operandName,
  otherDim,
  type Rule,
  rankMisfit,
  sameDim,
} from '../rule.ts'
import { checkFlag, checkOptions, checkStartAxis, wrongRuleOption } from './options.ts'

export interface PdpdOptions<X extends number = number> {
  /** Where B starts in A; -1 (the default) aligns B with A's end. */
  readonly axis?: X
  /** OpenVINO's check: axis + rank(B) must fit before trailing ones are trimmed. */
  readonly untrimmed?: boolean
  /** `error`: Paddle 1.5, where only trailing ones of B stretch. */
  readonly innerOnes?: 'stretch' | 'error'
}

export type PdpdRule<O = PdpdOptions> = Rule<'pdpd', O>

/** Axes of a rank-`rank` operand that starts at `start`; what lies beyond the result must be 1. */
export const startingAt = (start: number, rank: number, resultRank: number): number[] =>
  axesFrom(start, rank).map((axis) => (axis < resultRank ? axis : MUST_BE_ONE))

function align(
  shapes: readonly (readonly Dim[])[],
  onto: number,
  { axis = -1, untrimmed = false, innerOnes = 'stretch' }: PdpdOptions,
): Alignment | Misfit {
  const tooLong = rankMisfit(shapes, onto)
  if (tooLong !== undefined) return tooLong
  const target = shapes[onto]!
  const rank = target.length
  const or: { operand: number; axes: readonly number[] }[] = []
  const axes: number[][] = []
  for (const [operand, shape] of shapes.entries()) {
    const start = operand === onto ? 0 : axis === -1 ? rank - shape.length : axis
    // Paddle 1.5 takes equal shapes as they are before it looks at the axis.
    const shortCut = innerOnes === 'error' && start > 0 && shape.length === rank
    if (shortCut && shape.every((dim, i) => sameDim(dim, target[i]))) {
      axes.push(axesFrom(0, rank))
      continue
    }
    const identical = shortCut && !shape.some((dim, i) => otherDim(dim, target[i]))
    if (identical) or.push({ operand, axes: axesFrom(0, rank) })
    const end = untrimmed ? start + shape.length : start
    if (end <= rank) axes.push(startingAt(start, shape.length, rank))
    else if (identical) axes.push(shape.map(() => NOWHERE))
    else {
      const text = untrimmed ? `axis ${start} + rank ${shape.length}` : `axis ${start}`
      return {
        misfit: `${operandName(operand)} does not fit: ${text} passes ${operandName(onto)}'s rank ${rank}`,
        operands: [onto, operand],
      }
    }
  }
  return or.length === 0 ? { rank, axes } : { rank, axes, or }
}

export function pdpd<const O extends PdpdOptions = Record<never, never>>(options?: O): PdpdRule<O> {
  checkOptions('pdpd', options === undefined ? {} : options, ['axis', 'untrimmed', 'innerOnes'])
  const given: PdpdOptions = { ...options }
  const { axis = -1, untrimmed = false, innerOnes = 'stretch' } = given
  checkStartAxis('pdpd', axis)
  checkFlag('pdpd', 'untrimmed', untrimmed)
  if (innerOnes !== 'stretch' && innerOnes !== 'error') {
    throw wrongRuleOption('pdpd', 'innerOnes', innerOnes, "it is 'stretch' or 'error'")
  }
  return pdpdRule(given as O)
}

/** The rule for options that are known to be right. */
export function pdpdRule<O extends PdpdOptions>(options: O): PdpdRule<O> {
  const { axis = -1, untrimmed = false, innerOnes = 'stretch' } = options
  const notes = [
    `axis=${axis}`,
    ...(untrimmed ? ['untrimmed'] : []),
    ...(innerOnes === 'error' ? ['innerOnes=error'] : []),
  ]
  return {
    name: 'pdpd',
    options,
    relation: innerOnes === 'error' ? 'prefix' : 'onto',
    oneWay: true,
    requirement:
      innerOnes === 'error'
        ? "B's sizes, without trailing ones, must be a run of A's"
        : "a size of B must be 1 or A's, from axis on; A keeps its shape",
    clause: 'OpenVINO PDPD broadcast, rules 2 to 5',
    label: `pdpd(${notes.join(', ')})`,
    reach: axis + 1,
    align: (shapes, onto) => align(shapes, onto, options),
  }
}

// B goes onto A from an axis on; trailing ones of B may pass A's end. Every rule that starts B at an axis is made of
// this, and the search for fixes proposes it as it is.
import type { Dim } from '../dim.ts'
import { type Alignment, axesFrom, type Misfit, MUST_BE_ONE, operandName, type Rule, rankMisfit } from '../rule.ts'

/** Axes of a rank-`rank` operand that starts at `start`; what lies beyond the result must be 1. */
export const startingAt = (start: number, rank: number, resultRank: number): number[] =>
  axesFrom(start, rank).map((axis) => (axis < resultRank ? axis : MUST_BE_ONE))

/** The axes of an operand that starts at an axis of A, or what of it passes A's rank. */
export type Placing = (
  shape: readonly Dim[],
  start: number,
  a: readonly Dim[],
  operand: number,
) => readonly number[] | string

/** Trailing ones need no look at the sizes: an axis of B beyond A's last fits exactly when it is one of them. */
export const placeStart: Placing = (shape, start, a) =>
  start <= a.length ? startingAt(start, shape.length, a.length) : `axis ${start}`

/** All operands put onto A from `axis` on, or at its end where that is -1. */
export function alignFrom(
  shapes: readonly (readonly Dim[])[],
  onto: number,
  axis: number,
  place: Placing = placeStart,
): Alignment | Misfit {
  const a = shapes[onto]!
  const rank = a.length
  const axes: (readonly number[])[] = []
  for (const [operand, shape] of shapes.entries()) {
    const start = operand === onto ? 0 : axis === -1 ? rank - shape.length : axis
    const placed = place(shape, start, a, operand)
    if (typeof placed === 'string') {
      return {
        misfit: `${operandName(operand)} does not fit: ${placed} passes ${operandName(onto)}'s rank ${rank}`,
        operands: [onto, operand],
      }
    }
    axes.push(placed)
  }
  return { rank, axes }
}

/** pdpd from an axis on, without other options. */
export const pdpdFrom = (axis: number): Rule<'pdpd', { readonly axis: number }> => ({
  name: 'pdpd',
  options: { axis },
  relation: 'onto',
  oneWay: true,
  requirement: "a size of B must be 1 or A's, from axis on; A keeps its shape",
  clause: 'OpenVINO PDPD broadcast, rules 2 to 5',
  label: `pdpd(axis=${axis})`,
  reach: axis + 1,
  align: (shapes, onto) => rankMisfit(shapes, onto) ?? alignFrom(shapes, onto, axis),
})

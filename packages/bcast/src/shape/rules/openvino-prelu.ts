// Where OpenVINO's PRelu puts its slope: a 1-D slope goes to axis 1 of X when it has that length, else it is
// right-aligned; one-way onto X either way. One slope serves any X, a scalar X too.
import { isMisfit, MUST_BE_ONE, otherDim, type Rule, sameDim } from '../rule.ts'
import { unidirectional } from './unidirectional.ts'

/** The type of `openvinoPrelu`. */
export type OpenvinoPreluRule = Rule<'openvinoPrelu', Record<never, never>>

/**
 * OpenVINO's PRelu: a slope of one axis goes to A's second axis, others as unidirectional.
 *
 * @example
 * ```ts
 * broadcastShapes([2, 3, 4], [3], { broadcast: openvinoPrelu }) // [2, 3, 4]
 * ```
 */
export const openvinoPrelu: OpenvinoPreluRule = {
  name: 'openvinoPrelu',
  options: {},
  relation: 'onto',
  oneWay: true,
  requirement: "the slope must be 1 long, as long as X's axis 1, or broadcast onto X from the right",
  clause: 'OpenVINO PReLU, slope',
  label: 'openvinoPrelu',
  reach: 2,
  align: (shapes, onto) => {
    const x = shapes[onto]!
    const single = (operand: number) => operand !== onto && shapes[operand]!.length === 1
    // A slope of rank 1 never has too many axes.
    const alignment = unidirectional.align(
      shapes.map((shape, operand) => (single(operand) && x.length === 0 ? [] : shape)),
      onto,
    )
    if (isMisfit(alignment)) return alignment
    const or: { operand: number; axes: readonly number[] }[] = []
    const axes = alignment.axes.map((places, operand) => {
      if (!single(operand)) return places
      if (x.length === 0) return [MUST_BE_ONE]
      // With two axes, axis 1 is the last, where it goes anyway.
      if (x.length <= 2) return places
      const size = shapes[operand]![0]
      if (sameDim(size, x[1])) return [1]
      if (!otherDim(size, x[1])) or.push({ operand, axes: [1] })
      return places
    })
    return or.length === 0 ? { ...alignment, axes } : { ...alignment, axes, or }
  },
}

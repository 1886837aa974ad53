// Paddle from 1.7 on: like pdpd, but either operand may be the one of smaller rank, and either may stretch.
// Paddle writes the sizes of the smaller one behind `axis` as they are, so unlike pdpd all of them must fit.
import type { Dim } from '../dim.ts'
import { type Alignment, axesFrom, largestRank, type Misfit, operandName, otherDim, type Rule } from '../rule.ts'
import { numpy } from './numpy.ts'
import { checkOptions, checkStartAxis } from './options.ts'

/** Options of `paddle`. */
export interface PaddleOptions {
  /** Where an operand of smaller rank starts in the result; -1 (the default) aligns their ends. */
  readonly axis?: number
}

/** What `paddle` gives. */
export type PaddleRule = Rule<'paddle', PaddleOptions>

function align(shapes: readonly (readonly Dim[])[], axis: number): Alignment | Misfit {
  const rank = largestRank(shapes)
  if (shapes.length > 1 && shapes.every((shape) => shape.length === rank)) {
    const axes = shapes.map(() => axesFrom(0, rank))
    // Paddle takes equal shapes as they are before it looks at the axis; other shapes of equal rank need -1 or 0.
    if (axis <= 0) return { rank, axes }
    const other = shapes.findIndex((shape) => shape.some((dim, i) => otherDim(dim, shapes[0]![i])))
    if (other < 0) return { rank, axes, relation: 'equal' }
    return { misfit: `shapes of equal rank differ, so axis must be -1 or 0 and not ${axis}`, operands: [0, other] }
  }
  if (shapes.length > 1 && axis >= rank) {
    return { misfit: `axis ${axis} passes the last axis of rank ${rank}`, operands: [0, 1] }
  }
  const axes: number[][] = []
  for (const [operand, { length }] of shapes.entries()) {
    const start = length === rank ? 0 : axis === -1 ? rank - length : axis
    if (start + length > rank) {
      return {
        misfit: `${operandName(operand)} does not fit: axis ${start} + rank ${length} passes rank ${rank}`,
        operands: [shapes.findIndex((shape) => shape.length === rank), operand],
      }
    }
    axes.push(axesFrom(start, length))
  }
  return { rank, axes }
}

/**
 * Paddle from 1.7 on: the smaller operand goes onto a run of the larger one's axes, either side.
 *
 * @example
 * ```ts
 * broadcastShapes([3], [2, 3, 4], { broadcast: paddle({ axis: 1 }) }) // [2, 3, 4]
 * ```
 */
export function paddle(options: PaddleOptions = {}): PaddleRule {
  checkOptions('paddle', options, ['axis'])
  const { axis = -1 } = options
  checkStartAxis('paddle', axis)
  return {
    name: 'paddle',
    options: { ...options },
    relation: 'common',
    oneWay: false,
    requirement: 'sizes that meet must be equal or 1',
    clause: 'Paddle 1.7 elementwise operators',
    label: `paddle(axis=${axis})`,
    reach: axis + 1,
    others: (axes) => [numpy, ...axes.map((start) => paddle({ axis: start }))],
    align: (shapes) => align(shapes, axis),
  }
}

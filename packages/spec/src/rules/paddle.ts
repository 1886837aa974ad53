// Paddle since 1.7: the operand of smaller rank is placed in the larger from `axis`, then ones stretch on both sides.
// It is none of the five documents; read from Paddle's shape functions.
import type { Shape } from '../tensor.ts'
import { numpy } from './numpy.ts'
import { fail, follow, largestRank, type RuleResult, run, show } from './result.ts'

/** What `paddle` is told. */
export interface PaddleOptions {
  readonly axis?: number
}

/**
 * The result of two shapes in Paddle from 1.7 on.
 *
 * @example
 * ```ts
 * paddle([[3], [2, 3, 4]], { axis: 1 }).shape // [2, 3, 4]
 * ```
 */
export const paddle = (shapes: readonly Shape[], options: PaddleOptions = {}): RuleResult => {
  const given = options.axis ?? -1
  const rank = largestRank(shapes)
  if (!Number.isInteger(given) || given < -1) return fail('paddle.axis', `axis ${given} is negative and not -1`)
  const equal = shapes.every((shape) => shape.join() === shapes[0]!.join())
  // Equal shapes are taken as they are before the axis is looked at.
  if (!equal && shapes.every((shape) => shape.length === rank) && given > 0) {
    return fail('paddle.axis', `different shapes of equal rank need axis -1 or 0, not ${given}`)
  }
  if (!equal && given >= rank) return fail('paddle.axis', `axis ${given} is not an axis of rank ${rank}`)
  const start = (shape: Shape): number =>
    shape.length === rank ? 0 : given === -1 ? Math.abs(rank - shape.length) : given
  const outside = shapes.find((shape) => start(shape) + shape.length > rank)
  if (outside) return fail('paddle.axis', `${show(outside)} from axis ${given} exceeds rank ${rank}`)
  const ones = (length: number): number[] => Array.from({ length }, () => 1)
  const padded = shapes.map((shape) => [...ones(start(shape)), ...shape, ...ones(rank - start(shape) - shape.length)])
  const meeting = numpy(padded)
  if (!meeting.ok) return fail('paddle.size', meeting.reason)
  return {
    ok: true,
    shape: meeting.shape,
    maps: shapes.map((shape) => follow(shape, run(start(shape), shape.length))),
  }
}

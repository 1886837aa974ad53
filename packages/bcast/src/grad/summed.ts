// Which axes of a result the gradient of an operand is summed over, where all sizes are known: those that the operand
// does not have, and those along which its one element was stretched.
import type { Shape } from '../shape/dim.ts'

/** `places` holds, for each axis of the operand, the axis of the result that it lies on; negative for none. */
export const summedAxes = (result: Shape, shape: Shape, places: readonly number[]): number[] =>
  result.flatMap((size, axis) => {
    const own = places.indexOf(axis)
    return own < 0 || shape[own] !== size ? [axis] : []
  })

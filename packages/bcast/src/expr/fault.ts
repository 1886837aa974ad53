// What an operator says of an element that has no value: which one, why, and what to do about it.
import { DivisionByZeroError } from '../errors/index.ts'
import type { Shape } from '../shape/dim.ts'

/** The error of the element at a row-major position. */
export type Fault = (operator: string, position: number, shape: Shape) => DivisionByZeroError

function indexOf(position: number, shape: Shape): number[] {
  let rest = position
  return shape
    .toReversed()
    .map((size) => {
      const index = rest % size
      rest = Math.floor(rest / size)
      return index
    })
    .reverse()
}

export const zeroDivisor: Fault = (operator, position, shape) =>
  new DivisionByZeroError(
    operator,
    indexOf(position, shape),
    'division by zero',
    'Make the divisor there nonzero: where(equal(y, 0), 1, y) in the place of y. A where around the quotient comes too late.',
  )

export const zeroToNegative: Fault = (operator, position, shape) =>
  new DivisionByZeroError(
    operator,
    indexOf(position, shape),
    'zero to a negative power',
    'Make the exponents there zero or positive.',
  )

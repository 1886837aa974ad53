// Which element has no value, of which operator, and why.
import { DivisionByZeroError, type NoValue } from '../errors/index.ts'
import type { Shape } from '../shape/dim.ts'
import type { Instruction, Primitive } from './ir.ts'

/** The index of the element at a row-major position. */
export function indexOf(position: number, shape: Shape): number[] {
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

/** Where it is not a zero divisor. */
const REASONS: Partial<Record<Primitive, NoValue>> = { power: 'zero to a negative power' }

/** The error of an instruction that has no value for the element at a row-major position. */
export function faultError({ op, blamed }: Instruction, position: number, shape: Shape): Error {
  const { operator, operand } = blamed!
  return new DivisionByZeroError(operator, operand, indexOf(position, shape), REASONS[op] ?? 'division by zero')
}

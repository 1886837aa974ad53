// What is said of an element that has no value: which one, which operator, why, and what to do about it.
import { DivisionByZeroError } from '../errors/index.ts'
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

interface Reason {
  readonly why: string
  readonly fix: string
}

const ZERO_DIVISOR: Reason = {
  why: 'division by zero',
  fix: 'Make the divisor there nonzero: where(equal(y, 0), 1, y) in the place of y. A where around the quotient comes too late.',
}

const REASONS: Partial<Record<Primitive, Reason>> = {
  power: { why: 'zero to a negative power', fix: 'Make the exponents there zero or positive.' },
}

/** Makes the error of an instruction that has no value for the element at a row-major position. */
export type FaultError = (instruction: Instruction, position: number, shape: Shape) => Error

export const faultError: FaultError = ({ op, blamed }, position, shape) => {
  const { why, fix } = REASONS[op] ?? ZERO_DIVISOR
  return new DivisionByZeroError(blamed!.operator, indexOf(position, shape), why, fix)
}

/** What an operator says of elements that it has no value for. */
export interface Fault {
  /** The operand that is to blame: the divisor, the exponent. */
  readonly operand: number
  readonly error: FaultError
}

export const faultOf = (operand: number): Fault => ({ operand, error: faultError })

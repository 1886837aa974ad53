// The elements of reductions as NEON computes them: programs over operands that stand still or lie side by side.
import { canFault, type Program, type ReduceSignature } from 'bcast/kernels'
import { Unsupported } from '../../machine/unsupported.ts'
import { Body, type BodyOptions } from '../body.ts'
import type { StackFrame } from '../frame.ts'

/** A body of so many rows; throws Unsupported where there is none. */
export function bodyOf(
  program: Program,
  { motions, still, lanes }: ReduceSignature,
  rows: number,
  options: Pick<BodyOptions, 'registers' | 'at'>,
  stack: StackFrame,
): Body {
  if (motions.includes('strided')) throw new Unsupported('strided operands of reductions')
  if (canFault(program)) throw new Unsupported('reductions of elements without a value')
  return new Body(program, { rows, motions, still, lanes }, { ...options, lanes, stores: false }, stack)
}

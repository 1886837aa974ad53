// What is said of an element without a value. Kernels only know that there is one; who is to blame, the interpreter finds
// with the operands at hand. Operators that may have such elements bring this, and no other.
import type { Job } from '../backend/backend.ts'
import { faultingAt } from '../backend/interpreter/execute.ts'
import { faultError } from '../expr/fault.ts'

/** The error of a job that has no value for the element at a row-major position. */
export type FaultAt = (job: Job, position: number) => Error

export const faultAt: FaultAt = ({ program, instructions, shape, operands }, position) =>
  faultError(faultingAt(program, instructions, shape, operands, position)!, position, shape)

// A call as plans see it: what is computed, over which shape, and how its operands lie. Not where: the same plan serves
// operands at any address.
import type { Program } from '../expr/ir.ts'
import type { Shape } from '../shape/dim.ts'

/** An operand, seen in the result's shape. */
export interface CallOperand {
  /** In elements. */
  readonly strides: readonly number[]
  /** Bytes of an element. */
  readonly width: number
  /** Whether it lies in the memory that kernels compute in; otherwise they need a copy. */
  readonly resident: boolean
}

export interface Call {
  readonly program: Program
  readonly shape: Shape
  /** Those that are read, then the result. */
  readonly operands: readonly CallOperand[]
}

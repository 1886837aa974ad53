// One workload: an operator over operands of given shapes and types, and what bcast wants to reach there.
import type { Target } from './targets.ts'
import type { Op, OperandSpec } from './task.ts'

export interface Workload {
  readonly id: string
  readonly title: string
  readonly op: Op
  readonly operands: readonly OperandSpec[]
  readonly result: OperandSpec
  /** What the operator gives behind the result. */
  readonly also?: readonly OperandSpec[]
  /** What is summed over. */
  readonly axes?: readonly number[]
  readonly targets: readonly Target[]
  /** What is wanted with machine code. */
  readonly nativeTargets: readonly Target[]
  /** Operands that lie element by element, or stand still, and a result that no cache holds with them. */
  readonly streams?: boolean
  /** Typed arrays of the caller, in and out. */
  readonly foreign?: boolean
  /** One point of the curve over sizes. */
  readonly scaling?: boolean
  /**
   * How far each result may lie apart, relative to its largest element: zero where every operation rounds once. One
   * number is for all results.
   */
  readonly tolerance?: number | readonly number[]
  /** Arguments of the C program, where it knows the workload. */
  readonly roofline?: readonly (string | number)[]
  /** Its arguments for the same with a fused multiply-add, which results that are equal everywhere forbid. */
  readonly fused?: readonly (string | number)[]
}

/** A workload before machine code has its targets. */
export type Described = Omit<Workload, 'nativeTargets'>

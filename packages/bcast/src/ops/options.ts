// Options of operators, and the rule that the compiler reads from them.
import type { RuleOption } from '../shape/rule-option.ts'
import type { NumpyRule } from '../shape/rules/index.ts'
import type { Tensor } from '../tensor/tensor.ts'

export interface ElementwiseOptions {
  /** How shapes meet; numpy unless said. */
  readonly broadcast?: RuleOption
  /** A tensor of the result's type and shape to write into; it is returned. */
  readonly out?: Tensor
}

export interface DivOptions extends ElementwiseOptions {
  /** Integers round down instead of toward zero, as OpenVINO's Divide does by default. */
  readonly pythondiv?: boolean
}

export interface ModOptions extends ElementwiseOptions {
  /** The result follows the dividend's sign; needed for floats. */
  readonly fmod?: boolean
}

export interface BitShiftOptions extends ElementwiseOptions {
  readonly direction: 'LEFT' | 'RIGHT'
}

export interface OutOption {
  /** A tensor of the result's type and shape to write into; it is returned. */
  readonly out?: Tensor
}

export interface GemmOptions extends OutOption {
  readonly alpha?: number
  readonly beta?: number
  /** Take A (or B) transposed. */
  readonly transA?: boolean
  readonly transB?: boolean
}

export interface TensordotOptions extends OutOption {
  /** How many axes are summed over: the last of A, the first of B; 2 unless said. */
  readonly axes?: number
}

export type RuleIn<O> = O extends { readonly broadcast: infer R } ? R : NumpyRule

// Options of operators, and the rule that the compiler reads from them.
import type { BitShiftAttributes, DivAttributes, ModAttributes } from '../expr/rows/index.ts'
import type { RuleOption } from '../shape/rule-option.ts'
import type { NumpyRule } from '../shape/rules/index.ts'
import type { Tensor } from '../tensor/tensor.ts'

export interface BroadcastOptions {
  /** How shapes meet; numpy unless said. */
  readonly broadcast?: RuleOption
}

export interface OutOption {
  /** A tensor of the result's type and shape to write into; it is returned. */
  readonly out?: Tensor
}

export interface ElementwiseOptions extends BroadcastOptions, OutOption {}
export interface DivOptions extends ElementwiseOptions, DivAttributes {}
export interface ModOptions extends ElementwiseOptions, ModAttributes {}
export interface BitShiftOptions extends ElementwiseOptions, BitShiftAttributes {}

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

// Options of operators, and the rule that the compiler reads from them.
import type { BitShiftAttributes, DivAttributes, ModAttributes } from '../expr/rows/index.ts'
import type { RuleOption } from '../shape/rule-option.ts'
import type { NumpyRule, UnidirectionalRule } from '../shape/rules/index.ts'
import type { Tensor } from '../tensor/tensor.ts'

/** The option that names a broadcasting rule. */
export interface BroadcastOptions {
  /** How shapes meet; numpy unless said. */
  readonly broadcast?: RuleOption
}

/** The option that names a tensor to write into. */
export interface OutOption {
  /** A tensor of the result's type and shape to write into; it is returned. */
  readonly out?: Tensor
}

/** Options of every element-wise operator: a rule, and a tensor to write into. */
export interface ElementwiseOptions extends BroadcastOptions, OutOption {}

/** Options of `div`. */
export interface DivOptions extends ElementwiseOptions, DivAttributes {}

/** Options of `mod`. */
export interface ModOptions extends ElementwiseOptions, ModAttributes {}

/** Options of `bitShift`. */
export interface BitShiftOptions extends ElementwiseOptions, BitShiftAttributes {}

/** Options of `gemm`. */
export interface GemmOptions extends OutOption {
  readonly alpha?: number
  readonly beta?: number
  /** Take A (or B) transposed. */
  readonly transA?: boolean
  readonly transB?: boolean
}

/** Options of `tensordot`. */
export interface TensordotOptions extends OutOption {
  /** How many axes are summed over: the last of A, the first of B; 2 unless said. */
  readonly axes?: number
}

/** The rule that options name; numpy unless said. */
export type RuleIn<O> = [O] extends [{ readonly broadcast: infer R }] ? R : NumpyRule
/** The same for operators whose other operands go onto the first unless said. */
export type OneWayIn<O> = [O] extends [{ readonly broadcast: infer R }] ? R : UnidirectionalRule
/** Numpy's rule where a call cannot say another, settled when the call says what `Call` is; see shape/types/known.ts. */
export type NumpyAt<Call> = [Call] extends [never] ? never : NumpyRule

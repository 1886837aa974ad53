// Options of element-wise operators, and the rule that the compiler reads from them.
import type { RuleOption } from '../shape/rule-option.ts'
import type { NumpyRule } from '../shape/rules/index.ts'
import type { Tensor } from '../tensor/tensor.ts'

export interface ElementwiseOptions {
  /** How shapes meet; numpy unless said. */
  readonly broadcast?: RuleOption
  /** A tensor of the result's type and shape to write into; it is returned. */
  readonly out?: Tensor
}

export type RuleIn<O> = O extends { readonly broadcast: infer R } ? R : NumpyRule

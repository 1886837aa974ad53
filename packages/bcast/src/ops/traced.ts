// An operand inside `fuse`: stands for a tensor that is not there yet and records what is done to it.
import type { DType } from '../dtype/dtype.ts'
import { OperandError } from '../errors/index.ts'
import type { ReductionRow } from '../expr/reductions.ts'
import type { Attributes, Row } from '../expr/row.ts'
import type { Node, Operation } from '../expr/trace.ts'
import type { Shape } from '../shape/dim.ts'
import type { Rule } from '../shape/rule.ts'
import type { Tensor } from '../tensor/tensor.ts'

/** One run of a function over operands that stand for tensors. */
export interface Recording {
  /** Operands that are given; captured ones are numbered behind them. */
  readonly count: number
  /** Shapes of the operands that are given, where they are known. */
  readonly shapes: readonly Shape[] | undefined
  /** Tensors that the function took from around it. */
  readonly captured: Tensor[]
  /** Until the function returns; afterwards its operands stand for nothing. */
  open: boolean
  /** Records a call over its operands. Brought by it, so that programs that do not fuse carry no code for it. */
  readonly call: (
    row: Row,
    operands: readonly unknown[],
    attributes: Attributes,
    rule: Rule,
    out: unknown,
  ) => TracedOperand
  /** Records an operation over operands of which at least one is its own. */
  readonly operation: (operation: Operation, operands: readonly unknown[]) => TracedOperand
  /** Records a reduction by its arguments, of which the first is one of its operands. */
  readonly reduce: (row: ReductionRow, args: readonly unknown[]) => TracedOperand
}

export class TracedOperand {
  readonly node: Node
  readonly recording: Recording

  constructor(node: Node, recording: Recording) {
    this.node = node
    this.recording = recording
  }

  get dtype(): DType {
    return this.node.dtype
  }

  toString(): never {
    throw new OperandError('an operand of fuse has no elements yet; it can only be computed with.')
  }
}

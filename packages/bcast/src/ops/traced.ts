// An operand inside `fuse`: stands for a tensor that is not there yet and records what is done to it.
import type { DType } from '../dtype/dtype.ts'
import { OperandError } from '../errors/index.ts'
import type { Node } from '../expr/trace.ts'
import type { Tensor } from '../tensor/tensor.ts'

/** One run of a function over operands that stand for tensors. */
export interface Recording {
  /** Tensors that the function took from around it; each becomes an operand behind the given ones. */
  readonly captured: Tensor[]
  /** Until the function returns; afterwards its operands stand for nothing. */
  open: boolean
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

// A model whose operator set would have to be newer, and whose operators cannot all be written in the newer one.
import { OnnxError } from './onnx-error.ts'

/** A node that has no counterpart. */
export interface NotRaised {
  /** As `graph.node[3]`. */
  readonly path: string
  readonly operator: string
  /** The node in words, and why. */
  readonly text: string
}

/** A model that cannot be written in the newer operator set that is asked for. */
export class OpsetError extends OnnxError {
  readonly code = 'ONNX_OPSET'
  readonly from: number
  readonly to: number
  /** Every node that stands in the way. */
  readonly nodes: readonly NotRaised[]

  constructor(from: number, to: number, nodes: readonly NotRaised[]) {
    const list = nodes.map(({ text }) => `\n- ${text}`).join('')
    super(
      `the model is of opset ${from}, its broadcasts can be written out from opset ${to} on, and these nodes cannot be raised to it:${list}`,
    )
    this.from = from
    this.to = to
    this.nodes = nodes
  }
}

// A node that failed while it ran: which one, and in `cause` why.
import { OnnxError } from './onnx-error.ts'

/** A node that failed while it ran; `cause` says why. */
export class NodeError extends OnnxError {
  readonly code = 'ONNX_NODE'
  /** The node in words: `node 3 "shift" (Add)`. */
  readonly node: string
  /** Where it is, as `graph.node[3]`. */
  readonly path: string
  /** Its place in its graph. */
  readonly index: number
  readonly opType: string

  constructor({ node, path, index, opType }: Pick<NodeError, 'node' | 'path' | 'index' | 'opType'>, cause: Error) {
    super(`${node}: ${cause.message}`, { cause })
    this.node = node
    this.path = path
    this.index = index
    this.opType = opType
  }
}

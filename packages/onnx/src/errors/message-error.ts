// A message, edited by a program, that holds a value its field cannot: nothing was written.
import { OnnxError } from './onnx-error.ts'

/** A message that holds a value its field cannot; nothing was written. */
export class MessageError extends OnnxError {
  readonly code = 'ONNX_MESSAGE'
  /** The field at fault, as `graph.node[3].name`. */
  readonly path: string

  constructor(what: string, path: string) {
    super(`${path === '' ? 'the message' : path} ${what}`)
    this.path = path
  }
}

// A message, edited by a program, that holds a value its field cannot: nothing was written.
import { OnnxError } from './onnx-error.ts'

export class MessageError extends OnnxError {
  readonly code = 'ONNX_MESSAGE'
}

// A tensor whose shape, element type and data do not agree.
import { OnnxError } from './onnx-error.ts'

/** Data of a tensor that do not fit its type and shape. */
export class TensorDataError extends OnnxError {
  readonly code = 'ONNX_TENSOR'
  /** The tensor's name; may be empty. */
  readonly tensor: string

  constructor(tensor: string, what: string) {
    super(`tensor ${JSON.stringify(tensor)}: ${what}`)
    this.tensor = tensor
  }
}

// Something that ONNX allows and this package has no counterpart for.
import { OnnxError } from './onnx-error.ts'

/** Something that ONNX allows and the package has no counterpart for. */
export class UnsupportedError extends OnnxError {
  readonly code = 'ONNX_UNSUPPORTED'
  /** What it is: an element type, or a feature of the format. */
  readonly feature: string

  constructor(message: string, feature: string) {
    super(message)
    this.feature = feature
  }
}

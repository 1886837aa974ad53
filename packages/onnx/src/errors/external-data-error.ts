// Data outside the model's file that is missing, too short, altered, or not where a model may point.
import { OnnxError } from './onnx-error.ts'

/** Data of a tensor that lie in another file and cannot be read from there. */
export class ExternalDataError extends OnnxError {
  readonly code = 'ONNX_EXTERNAL_DATA'
  /** The location as the model has it. */
  readonly location: string

  constructor(location: string, what: string) {
    super(`external data ${JSON.stringify(location)}: ${what}`)
    this.location = location
  }
}

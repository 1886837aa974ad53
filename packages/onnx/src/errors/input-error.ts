// Shapes given for the inputs of a model that do not go with it.
import { OnnxError } from './onnx-error.ts'

/** Shapes given for the inputs of a model that do not go with it. */
export class InputError extends OnnxError {
  readonly code = 'ONNX_INPUT'
  /** The name as it was given. */
  readonly input: string

  constructor(input: string, what: string) {
    super(`input ${JSON.stringify(input)}: ${what}`)
    this.input = input
  }
}

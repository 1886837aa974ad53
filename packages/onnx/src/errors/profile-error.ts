// A profile that cannot be read: a key, an operator rule or a severity that means nothing.
import { OnnxError } from './onnx-error.ts'

/** A profile that cannot be read. */
export class ProfileError extends OnnxError {
  readonly code = 'ONNX_PROFILE'
  /** Where in the profile, as `operators.Add.broadcasting`; empty for the whole. */
  readonly path: string

  constructor(path: string, what: string) {
    super(`profile${path === '' ? '' : ` ${path}`}: ${what}`)
    this.path = path
  }
}

// Bytes that may be a legal message and would take more memory or nesting than a reader should give them.
import { placeText } from './damaged-model-error.ts'
import { OnnxError } from './onnx-error.ts'

/** A model that is larger or deeper than was allowed. */
export class LimitError extends OnnxError {
  readonly code = 'ONNX_LIMIT'
  /** The limit that was reached. */
  readonly limit: number
  readonly offset: number
  readonly path: string

  constructor(what: string, limit: number, offset: number, path: string, fix: string) {
    super(`${what}${placeText(offset, path)}. ${fix}`)
    this.limit = limit
    this.offset = offset
    this.path = path
  }
}

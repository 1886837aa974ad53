// An attribute that is missing, or of another type than the one asked for.
import { OnnxError } from './onnx-error.ts'

/** An attribute of a node that is missing, or has a wrong type or value. */
export class AttributeError extends OnnxError {
  readonly code = 'ONNX_ATTRIBUTE'
  /** Whose attribute: a node or a function, in words. */
  readonly owner: string
  readonly attribute: string

  constructor(owner: string, attribute: string, what: string) {
    super(`attribute ${JSON.stringify(attribute)} of ${owner} ${what}`)
    this.owner = owner
    this.attribute = attribute
  }
}

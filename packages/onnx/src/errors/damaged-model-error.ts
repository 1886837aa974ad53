// Bytes that are not the message they should be.
import { OnnxError } from './onnx-error.ts'

/** ` at byte 12, in graph.node[3].name`. */
export const placeText = (offset: number, path: string): string =>
  ` at byte ${offset}${path === '' ? '' : `, in ${path}`}`

/** Bytes that are no model, or one that was cut off. */
export class DamagedModelError extends OnnxError {
  readonly code = 'ONNX_DAMAGED'
  /** Counts from the start of the bytes that were given. */
  readonly offset: number
  /** The field that could not be read, as `graph.node[3].name`; empty for the whole. */
  readonly path: string

  constructor(what: string, offset: number, path: string) {
    super(`${what}${placeText(offset, path)}.`)
    this.offset = offset
    this.path = path
  }
}

// An element that its type cannot hold, or elements that do not fill their shape.
import { BcastError } from './bcast-error.ts'

export class ValueError extends BcastError {
  readonly code = 'BCAST_VALUE'
  readonly value: unknown
  /** Where the value stands, as an index into the nesting; empty for the whole. */
  readonly path: readonly number[]

  constructor(message: string, value: unknown, path: readonly number[] = []) {
    super(message)
    this.value = value
    this.path = path
  }
}

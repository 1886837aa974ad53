// An index, axis or range that lies outside the tensor.
import { BcastError } from './bcast-error.ts'

interface Fields {
  readonly value?: unknown
  readonly axis?: number
  readonly size?: number
}

/** An index, axis or range outside a tensor. */
export class IndexError extends BcastError<Fields> implements Fields {
  readonly code = 'BCAST_INDEX'
  /** What was given. */
  declare readonly value?: unknown
  /** The axis that it was given for, counted from the left, where it is one. */
  declare readonly axis?: number
  /** The size of that axis, or the number of axes where an axis was asked for. */
  declare readonly size?: number
}

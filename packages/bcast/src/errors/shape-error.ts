// A shape that is no shape: says which value, and where it stands.
import { BcastError } from './bcast-error.ts'

/** A shape that is none, or that has not the number of elements. */
export class ShapeError extends BcastError {
  readonly code = 'BCAST_SHAPE'
  /** The offending value as given. */
  declare readonly value: unknown
  /** Index of the offending dimension, or undefined when the whole is at fault. */
  declare readonly position: number | undefined

  constructor(message: string, value: unknown, position?: number) {
    super(message, { value, position })
  }
}

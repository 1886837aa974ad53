// Writing into a view whose elements stand for several positions would change all of them at once.
import { BcastError } from './bcast-error.ts'

/** A result that was to be written into a view made by broadcasting. */
export class ReadOnlyError extends BcastError {
  readonly code = 'BCAST_READ_ONLY'
}

// A tensor whose storage was given back is used again.
import { BcastError } from './bcast-error.ts'

/** The use of a tensor or sequence after `dispose()`. */
export class DisposedError extends BcastError {
  readonly code = 'BCAST_DISPOSED'
}

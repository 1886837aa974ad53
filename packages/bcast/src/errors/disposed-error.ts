// A tensor whose storage was given back is used again.
import { BcastError } from './bcast-error.ts'

export class DisposedError extends BcastError {
  readonly code = 'BCAST_DISPOSED'
}

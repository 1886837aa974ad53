// An index, axis or range that lies outside the tensor.
import { BcastError } from './bcast-error.ts'

export class IndexError extends BcastError {
  readonly code = 'BCAST_INDEX'
}

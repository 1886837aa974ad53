// Bytes that are no sound file of their format, or hold what bcast does not have.
import { BcastError } from './bcast-error.ts'

/** Bytes that are no sound .npy or .npz file, or hold what bcast does not have. */
export class FormatError extends BcastError {
  readonly code = 'BCAST_FORMAT'
  /** What was found where something else was expected, as a sentence. */
  declare readonly problem: string
  /** What would help, as a sentence, where something would. */
  declare readonly fix: string | undefined

  constructor(problem: string, fix?: string) {
    super(fix === undefined ? problem : `${problem} ${fix}`, { problem, fix })
  }
}

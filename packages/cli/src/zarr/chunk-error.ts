// An object of a Zarr array that does not hold what its metadata says: which one, what was found, what was expected.
import { FileError } from '../errors/file-error.ts'

export class ChunkError extends FileError {
  override name = 'ChunkError'
  /** The key of the object in its store. */
  readonly key: string

  constructor(label: string, key: string, problem: string, fix?: string, cause?: unknown) {
    super(label, `${key}: ${problem}`, fix, cause)
    this.key = key
  }
}

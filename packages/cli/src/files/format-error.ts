// What the library says about the bytes of a file, said about the file.
import { FormatError } from 'bcast/npy'
import { FileError } from '../errors/file-error.ts'

/** Runs `use`; what is wrong with the format is said about `label`. */
export function soundFormat<T>(label: string, use: () => T): T {
  try {
    return use()
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new FileError(label, error.problem, error.fix)
  }
}

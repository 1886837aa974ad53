// A file that cannot be used as asked: which one, what was found where something else was expected, what would fix it.
import { UsageError } from './usage-error.ts'

export class FileError extends UsageError {
  override name = 'FileError'
  /** As the user wrote it. */
  readonly path: string
  readonly fix: string | undefined

  constructor(path: string, problem: string, fix?: string, cause?: unknown) {
    super(
      `${path === '' ? '""' : path}: ${problem}${fix === undefined ? '' : ` ${fix}`}`,
      cause === undefined ? undefined : { cause },
    )
    this.path = path
    this.fix = fix
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file.',
  EACCES: 'permission is denied.',
  EPERM: 'the operation is not permitted.',
  EISDIR: 'it is a folder.',
  ENOTDIR: 'a part of its path is no folder.',
  ENOSPC: 'the disk is full.',
  EDQUOT: 'the quota of the disk is used up.',
  EFBIG: 'the file would be larger than the system allows.',
  EROFS: 'the file system is read-only.',
  EIO: 'the disk reports an error.',
  EPIPE: 'nobody reads it any more.',
  EMFILE: 'too many files are open.',
  ELOOP: 'its symbolic links lead in a circle.',
  ENAMETOOLONG: 'the name is too long.',
}

/** What the operating system said, in words; undefined for any other error. */
export function reasonOf(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | null)?.code
  if (typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) return undefined
  return reasons[code] ?? `${(error as Error).message}.`
}

/** What the operating system said, as an error about the file; other errors stay as they are. */
export function asFileError(path: string, error: unknown): unknown {
  const reason = error instanceof FileError ? undefined : reasonOf(error)
  return reason === undefined ? error : new FileError(path, reason, undefined, error)
}

/** Runs `use`; what the operating system says is said about `path`. */
export async function about<T>(path: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    throw asFileError(path, error)
  }
}

// What an error says to whoever typed the command, and the exit code that tells whose fault it is.
import { OnnxError } from '@bcast/onnx'
import { BcastError } from 'bcast'
import { UsageError } from './usage-error.ts'

interface Failure {
  readonly text: string
  readonly exitCode: number
}

const BAD_CALL = 2
/** EX_SOFTWARE of sysexits: no input should lead here. */
const DEFECT = 70

/** What the operating system says about a file, in words. */
const fileTroubles: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'you may not',
  EPERM: 'you may not',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is no folder',
  EEXIST: 'it exists',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'links there lead in a circle',
}

const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'

function fileText(error: NodeJS.ErrnoException): string {
  const trouble = fileTroubles[error.code!]
  if (trouble === undefined) return error.message
  const file = error.path === undefined ? '' : ` ${JSON.stringify(error.path)}`
  return `cannot ${error.syscall}${file}: ${trouble} (${error.code}).`
}

export function describeFailure(error: unknown): Failure {
  if (error instanceof UsageError || error instanceof BcastError || error instanceof OnnxError) {
    return { text: `bcast: ${error.message}\n`, exitCode: BAD_CALL }
  }
  if (isFileError(error)) return { text: `bcast: ${fileText(error)}\n`, exitCode: BAD_CALL }
  const stack = error instanceof Error ? error.stack : String(error)
  const text = `bcast: a defect of bcast, not of your input. Please report it with these lines:\n${stack}\n`
  return { text, exitCode: DEFECT }
}

// What an error says to whoever typed the command, and the exit code that tells whose fault it is.
import { OnnxError } from '@bcast/onnx'
import { BcastError } from 'bcast'
import { asFileError } from './files/file-error.ts'
import { UsageError } from './usage-error.ts'

interface Failure {
  readonly text: string
  readonly exitCode: number
}

const BAD_CALL = 2
/** EX_SOFTWARE of sysexits: no input should lead here. */
const DEFECT = 70

const pathOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.path ?? 'stdout'

export function describeFailure(thrown: unknown): Failure {
  const error = asFileError(pathOf(thrown), thrown)
  if (error instanceof UsageError || error instanceof BcastError || error instanceof OnnxError) {
    return { text: `bcast: ${error.message}\n`, exitCode: BAD_CALL }
  }
  const stack = error instanceof Error ? error.stack : String(error)
  const text = `bcast: a defect of bcast, not of your input. Please report it with these lines:\n${stack}\n`
  return { text, exitCode: DEFECT }
}

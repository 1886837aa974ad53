// What an error says to whoever typed the command, and the exit code that tells whose fault it is.
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

/** Of every package; that of models takes a while to load, so it is asked last. */
async function isOfInput(error: unknown): Promise<boolean> {
  if (error instanceof UsageError || error instanceof BcastError) return true
  return error instanceof (await import('@bcast/onnx')).OnnxError
}

export async function describeFailure(thrown: unknown): Promise<Failure> {
  const error = asFileError(pathOf(thrown), thrown)
  if (await isOfInput(error)) {
    return { text: `bcast: ${(error as Error).message}\n`, exitCode: BAD_CALL }
  }
  const stack = error instanceof Error ? error.stack : String(error)
  const text = `bcast: a defect of bcast, not of your input. Please report it with these lines:\n${stack}\n`
  return { text, exitCode: DEFECT }
}

// What an error says to whoever typed the command, and the exit code that tells whose fault it is.
import { BcastError } from 'bcast'
import { visible } from '../terminal/visible.ts'
import { asFileError, reasonOf } from './file-error.ts'
import { UsageError } from './usage-error.ts'
import { WantingError } from './wanting-error.ts'

interface Failure {
  readonly text: string
  readonly exitCode: number
}

const WANTING = 1
const BAD_CALL = 2
/** EX_SOFTWARE of sysexits: no input should lead here. */
const DEFECT = 70

/** What the operating system said is said about the file, where that is known. */
function worded(error: unknown): unknown {
  const path = (error as NodeJS.ErrnoException | null)?.path
  if (path !== undefined) return asFileError(path, error)
  const reason = reasonOf(error)
  return reason === undefined ? error : new UsageError(reason, { cause: error })
}

/** Of every package; that of models takes a while to load, so it is asked last. */
async function isOfInput(error: unknown): Promise<boolean> {
  if (error instanceof UsageError || error instanceof BcastError) return true
  return error instanceof (await import('@bcast/onnx')).OnnxError
}

export async function describeFailure(thrown: unknown): Promise<Failure> {
  const error = worded(thrown)
  if (error instanceof WantingError) return { text: visible(`bcast: ${error.message}\n`), exitCode: WANTING }
  if (await isOfInput(error)) {
    return { text: visible(`bcast: ${(error as Error).message}\n`), exitCode: BAD_CALL }
  }
  const stack = error instanceof Error ? error.stack : String(error)
  const text = `bcast: a defect of bcast, not of your input. Please report it with these lines:\n${stack}\n`
  return { text: visible(text), exitCode: DEFECT }
}

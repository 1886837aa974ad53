// A model as the commands read it: what is wrong with the file is said with its name.
import { OnnxError } from '@bcast/onnx'
import { readModelFile } from '@bcast/onnx/node'
import { asFileError, FileError } from './files/file-error.ts'
import { UsageError } from './usage-error.ts'

/** Of the commands, those about arrays read stdin; the weights of a model lie beside its file. */
export function checkNoStdin(file: string): void {
  if (file !== '-') return
  throw new UsageError('models do not come by stdin (-). Write it to a file, and name that; a file named - is ./-.')
}

export function openModel(file: string): ReturnType<typeof readModelFile> {
  checkNoStdin(file)
  try {
    return readModelFile(file)
  } catch (error) {
    if (!(error instanceof OnnxError)) throw asFileError(file, error)
    throw new FileError(file, `it cannot be read as an ONNX model: ${error.message}`, undefined, error)
  }
}

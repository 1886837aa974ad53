// A model as the commands read it: what is wrong with the file is said with its name.
import { OnnxError } from '@bcast/onnx'
import { readModelFile } from '@bcast/onnx/node'
import { asFileError, FileError } from './files/file-error.ts'

export function openModel(file: string): ReturnType<typeof readModelFile> {
  try {
    return readModelFile(file)
  } catch (error) {
    if (!(error instanceof OnnxError)) throw asFileError(file, error)
    throw new FileError(file, `it cannot be read as an ONNX model: ${error.message}`, undefined, error)
  }
}

// A model as the commands read it: what is wrong with the file is said with its name.
import path from 'node:path'
import { externalLocations, type Model, OnnxError } from '@bcast/onnx'
import { readModelFile } from '@bcast/onnx/node'
import { asFileError, FileError } from '../../errors/file-error.ts'
import { UsageError } from '../../errors/usage-error.ts'
import type { ReadFile } from './read-files.ts'

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

/** The files beside a model that it has its weights in, there or not. */
export const weightFiles = (file: string, model: Model): readonly ReadFile[] =>
  [...externalLocations(model)].map((location) => ({
    path: path.resolve(path.dirname(file), location),
    what: `the weights of ${file} lie there`,
  }))

/** A model and its weights, as files that a command reads. */
export const filesOfModel = (file: string, model: Model): readonly ReadFile[] => [
  { path: file, what: 'it is the model that is read' },
  ...weightFiles(file, model),
]

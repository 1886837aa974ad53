// For Node: models in files, with the external data beside them.
import { closeSync, openSync, readdirSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { ExternalDataError } from './errors/index.ts'
import type { ExternalFile, ExternalFiles } from './model/external.ts'
import { type Model, readModel } from './model/model.ts'
import type { DecodeOptions } from './wire/decode.ts'

function opened(location: string, file: string): number {
  try {
    return openSync(file, 'r')
  } catch (error) {
    throw new ExternalDataError(location, `it cannot be opened: ${(error as Error).message}.`)
  }
}

function readBytes(location: string, file: string, offset: number, length: number): Uint8Array {
  const descriptor = opened(location, file)
  const bytes = new Uint8Array(length)
  try {
    for (let done = 0; done < length; ) {
      const count = readSync(descriptor, bytes, done, length - done, offset + done)
      if (count === 0) throw new ExternalDataError(location, 'the file ended while it was read.')
      done += count
    }
  } finally {
    closeSync(descriptor)
  }
  return bytes
}

/** The file behind a location, unless links lead out of the folder; undefined when there is none. */
function insideFolder(folder: string, location: string): string | undefined {
  let file: string
  try {
    file = realpathSync(path.join(folder, location))
  } catch {
    return undefined
  }
  const relative = path.relative(realpathSync(folder), file)
  if (relative.split(path.sep)[0] === '..' || path.isAbsolute(relative)) {
    throw new ExternalDataError(location, "a link there leads out of the model's folder.")
  }
  return file
}

/** The files of a folder, for tensors whose data is external. */
export function folderFiles(folder: string): ExternalFiles {
  return {
    open(location): ExternalFile | undefined {
      const file = insideFolder(folder, location)
      if (file === undefined) return undefined
      const stat = statSync(file)
      // Opening a pipe would wait for ever.
      if (!stat.isFile()) throw new ExternalDataError(location, 'it is not a file.')
      return { size: stat.size, read: (offset, length) => readBytes(location, file, offset, length) }
    },
  }
}

/** A model from a file, and the files beside it for `tensorOf`. */
export function readModelFile(
  file: string,
  options?: DecodeOptions,
): { readonly model: Model; readonly files: ExternalFiles } {
  return { model: readModel(readFileSync(file), options), files: folderFiles(path.dirname(file)) }
}

/** Whether to read what a folder has: files, and links that lead nowhere, so that reading says so. A pipe would wait. */
function isModelFile(file: string): boolean {
  try {
    return statSync(file).isFile()
  } catch {
    return true
  }
}

/** The .onnx files at or below a folder, in the order of their names; what is no folder is itself. */
export function modelFiles(folder: string): readonly string[] {
  if (!statSync(folder).isDirectory()) return [folder]
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.toLowerCase().endsWith('.onnx'))
    .sort()
    .map((name) => path.join(folder, name))
    .filter(isModelFile)
}

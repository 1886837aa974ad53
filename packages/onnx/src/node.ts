// For Node: models in files, with the external data beside them.
import { closeSync, fstatSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { ExternalDataError } from './errors/index.ts'
import type { ExternalFile, ExternalFiles } from './model/external.ts'
import { type Model, readModel } from './model/model.ts'
import type { DecodeOptions } from './wire/decode.ts'

/** Opens, uses and closes a regular file; anything else (a pipe would wait for ever) is refused. */
function withFile<T>(location: string, file: string, use: (descriptor: number, size: number) => T): T {
  const descriptor = openSync(file, 'r')
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw new ExternalDataError(location, 'it is not a file.')
    return use(descriptor, stat.size)
  } finally {
    closeSync(descriptor)
  }
}

function readBytes(location: string, descriptor: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let done = 0
  while (done < length) {
    const count = readSync(descriptor, bytes, done, length - done, offset + done)
    if (count === 0) throw new ExternalDataError(location, 'the file ended while it was read.')
    done += count
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
  if (relative.startsWith('..') || path.isAbsolute(relative)) {
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
      return {
        size: withFile(location, file, (_, size) => size),
        read: (offset, length) =>
          withFile(location, file, (descriptor) => readBytes(location, descriptor, offset, length)),
      }
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

// For Node: models in files, with the external data beside them.
import {
  closeSync,
  type Dirent,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
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

/** Where links lead; a link that leads nowhere stays itself, so that reading it says so. */
function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file)
  } catch {
    return undefined
  }
}

/** What a folder has, by name, so that everywhere the same of two links is followed; undefined where that is hidden. */
function entriesOf(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return undefined
  }
}

/** Whether to read what a folder has: files, and links that lead nowhere, so that reading says so. A pipe would wait. */
const isModelFile = (kind: Stats | Dirent, name: string): boolean =>
  name.toLowerCase().endsWith('.onnx') && (kind.isFile() || kind.isSymbolicLink())

/** The .onnx files at or below a folder that is there, and the folders that cannot be searched. */
function filesBelow(start: string, searched: Set<string>): string[] {
  const files: string[] = []
  const folders = [start]
  for (const folder of folders) {
    const real = realPath(folder)
    if (searched.has(real)) continue
    searched.add(real)
    const entries = entriesOf(folder)
    if (entries === undefined) files.push(folder)
    for (const entry of entries ?? []) {
      const file = path.join(folder, entry.name)
      const kind = statOf(file) ?? entry
      if (kind.isDirectory()) folders.push(file)
      else if (isModelFile(kind, entry.name)) files.push(file)
    }
  }
  return files.sort()
}

/**
 * The .onnx files at or below folders, each folder's in the order of their names; what is no folder is itself. Links
 * are followed, and what several names lead to comes once. A folder that cannot be searched stands in the list for
 * what it holds: reading it says why.
 */
export function modelFiles(...places: readonly string[]): readonly string[] {
  const searched = new Set<string>()
  const files = places.flatMap((place) => (statSync(place).isDirectory() ? filesBelow(place, searched) : [place]))
  const byPath = new Map<string, string>()
  for (const file of files) {
    const real = realPath(file)
    if (!byPath.has(real)) byPath.set(real, file)
  }
  return [...byPath.values()]
}

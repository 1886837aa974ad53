// Data outside the model's file: where it may lie, and reading exactly the bytes a tensor claims. Files come from the
// caller, so that the same code serves a folder on disk and files dropped into a page.
import { ExternalDataError } from '../errors/index.ts'
import type { TensorProto } from '../proto/onnx_pb.ts'
import { Sha1 } from './sha1.ts'

/** A file beside a model that holds data of tensors. */
export interface ExternalFile {
  readonly size: number
  /** Bytes that lie within the file: `offset + length <= size`. */
  read(offset: number, length: number): Uint8Array
}

/** The files beside a model. Locations are relative paths with `/`, checked before they come here. */
export interface ExternalFiles {
  /** Undefined when there is no such file. */
  open(location: string): ExternalFile | undefined
}

/** Files that are in memory, by location. */
export function memoryFiles(files: Readonly<Record<string, Uint8Array>>): ExternalFiles {
  return {
    open(location) {
      const bytes = Object.hasOwn(files, location) ? files[location] : undefined
      if (bytes === undefined) return undefined
      return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) }
    },
  }
}

/** A relative path below the model's folder, in its simplest form; anything else is refused. */
function checkedLocation(location: string): string {
  const refuse = (why: string): never => {
    throw new ExternalDataError(location, `${why}. A location is a path below the model's folder.`)
  }
  if (location === '') refuse('the tensor names no file')
  if (location.includes('\0')) refuse('the path holds a zero byte')
  if (location.includes('\\')) refuse('the path holds a backslash')
  if (/^[A-Za-z]:/.test(location) || location.startsWith('/')) refuse('the path is absolute')
  const steps = location.split('/').filter((step) => step !== '' && step !== '.')
  if (steps.includes('..')) refuse("the path leaves the model's folder")
  if (steps.length === 0) refuse('the path names no file')
  return steps.join('/')
}

function sizeEntry(location: string, key: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(value)) {
    throw new ExternalDataError(location, `its ${key} ${JSON.stringify(text)} is no number of bytes.`)
  }
  return value
}

const CHUNK = 2 ** 20

function checkSum(location: string, file: ExternalFile, expected: string): void {
  const sha1 = new Sha1()
  for (let at = 0; at < file.size; at += CHUNK) sha1.update(file.read(at, Math.min(CHUNK, file.size - at)))
  const got = sha1.digest()
  if (got !== expected.toLowerCase()) {
    throw new ExternalDataError(location, `the SHA-1 digest is ${got} and the model expects ${expected}.`)
  }
}

/** Where the data of a tensor lies, as the model has it; the last of several entries counts. */
export const locationOf = ({ externalData }: TensorProto): string =>
  externalData.findLast(({ key }) => key === 'location')?.value ?? ''

/** The bytes of a tensor whose data is external; `needed` of them if that is known, or an error before any is read. */
export function readExternal(
  proto: TensorProto,
  needed: number | undefined,
  files: ExternalFiles | undefined,
): Uint8Array {
  const entries = new Map(proto.externalData.map(({ key, value }) => [key, value]))
  const given = locationOf(proto)
  const location = checkedLocation(given)
  if (files === undefined) {
    throw new ExternalDataError(
      given,
      `tensor ${JSON.stringify(proto.name)} lies there; give the files to read it from.`,
    )
  }
  const offset = sizeEntry(given, 'offset', entries.get('offset')) ?? 0
  const length = sizeEntry(given, 'length', entries.get('length'))
  const file = files.open(location)
  if (file === undefined) throw new ExternalDataError(given, 'there is no such file.')
  const taken = length ?? Math.max(0, file.size - offset)
  if (needed !== undefined && taken !== needed) {
    throw new ExternalDataError(
      given,
      `tensor ${JSON.stringify(proto.name)} needs ${needed} bytes and ${taken} are set aside for it.`,
    )
  }
  if (offset + taken > file.size) {
    throw new ExternalDataError(given, `bytes ${offset} to ${offset + taken} are wanted and the file has ${file.size}.`)
  }
  const checksum = entries.get('checksum')
  if (checksum !== undefined && checksum !== '') checkSum(given, file, checksum)
  return file.read(offset, taken)
}

// From what the user wrote to an array that can be read.
import { createReadStream, existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { NPY_MAGIC } from 'bcast/npy'
import { about, FileError } from '../errors/file-error.ts'
import { zarrPlace } from '../zarr/place.ts'
import { spooled } from './blocks/spool.ts'
import { ByteStream } from './bytes/byte-stream.ts'
import { type Bytes, fileBytes } from './bytes/bytes.ts'
import type { Format } from './formats.ts'
import { jsonSource } from './json/read.ts'
import { withoutMark } from './json/tokens.ts'
import { npySource, npyStreamSource } from './npy.ts'
import { detailed, inputPlace, jsonType, type Place } from './place.ts'
import { rawSource, rawStreamSource } from './raw/read.ts'
import type { ArraySource } from './source.ts'

export interface SourceOptions {
  /**
   * Bytes that the source may hold for itself, such as JSON's elements; what exceeds them goes to a temporary file.
   * Default 64 MiB.
   */
  readonly memory?: number
}

const MEMORY = 2 ** 26

/** The stdin that is being read, or was. */
let taken: unknown

function standardInput(label: string): ByteStream {
  if (taken === process.stdin)
    throw new FileError(label, 'stdin can be read once.', 'Write it to a file first, and name that twice.')
  taken = process.stdin
  return new ByteStream(label, process.stdin as AsyncIterable<Uint8Array>)
}

const isStandardInput = (path: string): boolean => path === '-' || path === '/dev/stdin'

/** Whether an array can be opened once only: stdin, a pipe, a device. */
export async function isReadOnce(spec: string): Promise<boolean> {
  if (zarrPlace(spec) !== undefined) return false
  const { path } = inputPlace(spec, existsSync)
  if (isStandardInput(path)) return true
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && !found.isFile() && !found.isDirectory()
}

/** A regular file can be read at any place; stdin, pipes and devices go forward. */
async function opened({ label, path }: Place): Promise<Bytes | ByteStream> {
  if (isStandardInput(path)) return standardInput(label)
  return about(label, async () => {
    const found = await stat(path)
    if (found.isDirectory()) throw new FileError(label, 'it is a folder.', 'Name a file in it.')
    return found.isFile()
      ? fileBytes(label, path)
      : new ByteStream(label, createReadStream(path, { highWaterMark: 2 ** 18 }) as AsyncIterable<Uint8Array>)
  })
}

/** The format that a file begins like, whatever its name. */
function formatOfStart({ label }: Place, start: Uint8Array): Format {
  const text = Buffer.from(start)
  if (text.subarray(0, 6).equals(NPY_MAGIC)) return 'npy'
  if (text.toString('latin1', 0, 2) === 'PK') return 'npz'
  if (/^\s*[[{\d"tfNI-]/.test(withoutMark(text).toString('latin1'))) return 'json'
  throw new FileError(
    label,
    `neither its name nor its first bytes (${text.toString('hex', 0, 8)}) say what it holds.`,
    `For raw elements name type and shape (${detailed(label, 'raw', 'float32:2,3')}), for an ONNX tensor say ${label}:pb.`,
  )
}

const START = 64

async function startOf(input: Bytes | ByteStream): Promise<Uint8Array> {
  if (input instanceof ByteStream) return input.peek(START)
  const start = new Uint8Array(Math.min(START, input.size))
  await input.read(0, start)
  return start
}

function rawType({ label, type }: Place): NonNullable<Place['type']> {
  if (type !== undefined) return type
  throw new FileError(
    label,
    'raw elements need a type and a shape.',
    `Name them: ${detailed(label, 'raw', 'float32:2,3')}.`,
  )
}

async function fromBytes(place: Place, format: Format, bytes: Bytes, memory: number): Promise<ArraySource> {
  const { label } = place
  switch (format) {
    case 'npy':
      return npySource(label, bytes)
    case 'npz':
      // Loaded where it is needed, as is .pb: their libraries take longer to load than most arrays.
      return (await import('./npz.ts')).npzSource(label, bytes, place.member)
    case 'json':
      return jsonSource(label, bytes, jsonType(place), memory)
    case 'pb':
      return (await import('./pb/read.ts')).pbSource(label, bytes, place.path, memory)
    case 'raw':
      return rawSource(label, bytes, rawType(place), place.shape)
  }
}

async function fromStream(place: Place, format: Format, stream: ByteStream, memory: number): Promise<ArraySource> {
  const { label, shape } = place
  if (format === 'npy') return npyStreamSource(label, stream)
  if (format === 'raw' && shape !== undefined) return rawStreamSource(label, stream, rawType(place), shape)
  // The others must be read at more than one place, or their size be known.
  const bytes = await spooled(stream.rest(), memory)
  return closingOnError(bytes, () => fromBytes(place, format, bytes, memory))
}

/** Runs `use`, and closes `input` where that fails. */
async function closingOnError<T>(input: { close(): Promise<void> }, use: () => T | Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    await input.close()
    throw error
  }
}

/**
 * Opens an array for reading; its type and shape are known and checked against the file when the promise resolves.
 *
 * - `x.npy`, `x.json`, `x.pb` (an ONNX TensorProto) by their extension; any other name, and `-` for stdin, by the first
 *   bytes (npy, npz, JSON). A format may be said: `x:pb`.
 * - `data.npz:x` is member x; without a member the archive must have one only. Behind another name, `data:npz:x`.
 * - `x.bin:float32:2,3` is raw elements, little-endian, row-major; `x.bin:float32` as one axis of what the file has;
 *   `-:float32:2,3` from stdin. A NumPy type names the byte order: `'x.bin:>f4:2,3'`.
 * - `x.json:int64` gives the elements of a JSON file a type (float64 or bool otherwise, unless the file says it).
 *   Behind another name, `x:json:int64`.
 * - `x.zarr`, `x.zarr:group/array`, `x.zarr.zip`, `s3://bucket/x.zarr`, `https://host/x.zarr` are Zarr arrays, and so are
 *   folders that hold one; behind another name, `x:zarr`.
 */
export async function openSource(spec: string, { memory = MEMORY }: SourceOptions = {}): Promise<ArraySource> {
  const zarr = zarrPlace(spec)
  if (zarr !== undefined) return (await import('../zarr/array.ts')).openZarr(zarr, { memory })
  const place = inputPlace(spec, existsSync)
  const input = await opened(place)
  return closingOnError(input, async () => {
    const start = await startOf(input)
    // Raw elements may be none; every other format begins with something.
    if (start.length === 0 && place.format !== 'raw') {
      throw new FileError(place.label, 'it is empty.', 'Check the program that writes it.')
    }
    const format = place.format ?? formatOfStart(place, start)
    return input instanceof ByteStream
      ? fromStream(place, format, input, memory)
      : fromBytes(place, format, input, memory)
  })
}

// Zip archives, whose directory yauzl reads: .npz files, and Zarr stores in one file.
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { FileError } from '../errors/file-error.ts'
import type { Bytes } from './bytes/bytes.ts'

/** Methods of compression. */
export const STORED = 0
const DEFLATED = 8

/**
 * What yauzl reads the archive with. Places outside the file are an error here: the system's own would end the process.
 */
class ArchiveReader extends RandomAccessReader {
  readonly #bytes: Bytes

  constructor(bytes: Bytes) {
    super()
    this.#bytes = bytes
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    if (position + length > this.#bytes.size) {
      callback(new Error(`it speaks of byte ${position + length}, and has ${this.#bytes.size}`))
      return
    }
    this.#bytes.read(position, buffer.subarray(offset, offset + length)).then(() => callback(null), callback)
  }
}

/** Some of yauzl's reasons are sentences. */
export const damaged = (label: string, reason: string): FileError =>
  new FileError(label, `it is no sound archive: ${reason.replace(/\.$/, '')}.`)

export const wrongChecksum = (label: string): FileError =>
  new FileError(label, 'the checksum of the member differs from its bytes: the archive is damaged.')

/** Runs `use` on an archive; what yauzl throws is said about it. */
export async function withArchive<T>(label: string, archive: Bytes, use: (zip: ZipFile) => Promise<T>): Promise<T> {
  try {
    return await use(
      await fromRandomAccessReaderPromise(new ArchiveReader(archive), archive.size, { autoClose: false }),
    )
  } catch (error) {
    if (error instanceof FileError || !(error instanceof Error) || 'code' in error) throw error
    throw damaged(label, error.message)
  }
}

/** Refuses a member that is encrypted, or compressed in another way than archives of arrays are. */
export function checkReadable(label: string, entry: Entry, fix: string): void {
  if (entry.isEncrypted()) throw new FileError(label, 'the member is encrypted.', 'Save it without a password.')
  if (entry.compressionMethod === STORED || entry.compressionMethod === DEFLATED) return
  throw new FileError(
    label,
    `the member is compressed by method ${entry.compressionMethod}; stored (0) and deflated (8) can be read.`,
    fix,
  )
}

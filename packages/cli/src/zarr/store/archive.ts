// A store in a zip archive: an object is a member. It is read only, and its members are mostly stored as they are.
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { FileError } from '../../errors/file-error.ts'
import { checkReadable, damaged, STORED, withArchive, wrongChecksum } from '../../files/archive.ts'
import { type Bytes, fileBytes, partOf } from '../../files/bytes/bytes.ts'
import { crc32 } from '../../files/crc32.ts'
import type { Range, Store, StoredObject } from './store.ts'
import { tooLarge } from './too-large.ts'

const inflateRaw = promisify(zlib.inflateRaw as (bytes: Uint8Array, options: object, done: never) => void) as (
  bytes: Uint8Array,
  options: object,
) => Promise<Uint8Array>

/** A member that is inflated is held in memory. */
const MOST = 2 ** 31

/** What every archive begins with that is not damaged. */
const SIGNATURE = 'PK'

async function isArchive(file: Bytes): Promise<boolean> {
  const start = new Uint8Array(Math.min(SIGNATURE.length, file.size))
  await file.read(0, start)
  return Buffer.from(start).toString('latin1') === SIGNATURE
}

const NO_STORE = 'it is a file, and no zip archive.'
const STORES = 'A Zarr store is a folder or an archive of one, such as x.zarr or x.zarr.zip.'

class ArchiveStore implements Store {
  readonly label: string
  readonly lists = true
  readonly #archive: Bytes
  readonly #zip: ZipFile
  readonly #members: ReadonlyMap<string, Entry>

  constructor(label: string, archive: Bytes, zip: ZipFile, members: ReadonlyMap<string, Entry>) {
    this.label = label
    this.#archive = archive
    this.#zip = zip
    this.#members = members
  }

  /** The bytes of a member as the archive has them. */
  #raw(key: string, entry: Entry): Promise<Bytes> {
    const label = `${this.label}: ${key}`
    checkReadable(label, entry, 'Save it with zarr.storage.ZipStore.')
    return withArchive(label, this.#archive, async () => {
      const { fileDataStart } = await this.#zip.readLocalFileHeaderPromise(entry, { minimal: true })
      if (fileDataStart + entry.compressedSize > this.#archive.size) throw damaged(label, 'the member is cut off')
      const { size, read } = partOf(this.#archive, fileDataStart, entry.compressedSize)
      return { size, read, close: async () => {} }
    })
  }

  async #inflated(key: string, bytes: Bytes, entry: Entry): Promise<Uint8Array> {
    const stored = new Uint8Array(bytes.size)
    await bytes.read(0, stored)
    if (entry.compressionMethod === STORED) return stored
    try {
      return await inflateRaw(stored, { maxOutputLength: Math.max(1, entry.uncompressedSize) })
    } catch (error) {
      throw damaged(`${this.label}: ${key}`, `the member cannot be inflated: ${(error as Error).message}`)
    }
  }

  async get(key: string, most: number = MOST): Promise<Uint8Array | undefined> {
    const entry = this.#members.get(key)
    if (entry === undefined) return undefined
    const size = Math.max(entry.uncompressedSize, entry.compressedSize)
    if (entry.uncompressedSize > most || size > MOST) throw tooLarge(this.label, key, size, most)
    const whole = await this.#inflated(key, await this.#raw(key, entry), entry)
    if (whole.length !== entry.uncompressedSize || crc32(whole) !== entry.crc32) {
      throw wrongChecksum(`${this.label}: ${key}`)
    }
    return whole
  }

  async getRange(key: string, range: Range): Promise<Uint8Array | undefined> {
    const entry = this.#members.get(key)
    if (entry === undefined) return undefined
    const size = entry.uncompressedSize
    const begin = Math.min(size, 'suffix' in range ? Math.max(0, size - range.suffix) : range.offset)
    const end = 'suffix' in range ? size : Math.min(size, begin + range.length)
    if (entry.compressionMethod !== STORED) return (await this.get(key))!.subarray(begin, end)
    const part = new Uint8Array(end - begin)
    await (await this.#raw(key, entry)).read(begin, part)
    return part
  }

  async has(key: string): Promise<boolean> {
    return this.#members.has(key)
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    for (const [key, { compressedSize: bytes }] of this.#members) if (key.startsWith(prefix)) yield { key, bytes }
  }

  close(): Promise<void> {
    return this.#archive.close()
  }
}

/** Of several members of one name the last counts, since an archive cannot be changed in place. */
export async function openArchiveStore(label: string, file: string): Promise<Store> {
  const archive = await fileBytes(label, file)
  try {
    if (!/\.zip$/i.test(file) && !(await isArchive(archive))) throw new FileError(label, NO_STORE, STORES)
    return await withArchive(label, archive, async (zip) => {
      const members = new Map<string, Entry>()
      for await (const entry of zip.eachEntry()) {
        if (!entry.fileName.endsWith('/')) members.set(entry.fileName, entry)
      }
      if (members.size === 0) throw new FileError(label, 'the archive is empty.')
      return new ArchiveStore(label, archive, zip, members)
    })
  } catch (error) {
    await archive.close()
    throw error
  }
}

// Members of .npz archives. yauzl reads the directory of the archive; the elements of a stored member are then read in
// place, those of a deflated one as a stream. Either way the member's checksum is compared.
import { type Entry, validateFileName, type ZipFile } from 'yauzl'
import { FileError } from '../errors/file-error.ts'
import { checkReadable, damaged, STORED, withArchive, wrongChecksum } from './archive.ts'
import { ByteStream } from './bytes/byte-stream.ts'
import { type Bytes, blocksOf, partOf } from './bytes/bytes.ts'
import { crc32 } from './crc32.ts'
import { inflatedChunks } from './inflate.ts'
import { npySource, npyStreamSource } from './npy.ts'
import { detailed } from './place.ts'
import type { ArraySource } from './source.ts'

/** Archives have 16 bits for the length of a name. */
const LONGEST_NAME = 0xffff

const memberName = ({ fileName }: Entry): string => fileName.replace(/\.npy$/, '')

/** Every array of the archive, by name. */
async function membersOf(label: string, zip: ZipFile): Promise<Map<string, Entry>> {
  const members = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    const name = memberName(entry)
    if (members.has(name)) throw damaged(label, `two of its members are named ${name}`)
    members.set(name, entry)
  }
  return members
}

/** Names in the order of the archive, the first of very many. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 20).join(', ')
  return names.length > 20 ? `${shown} and ${names.length - 20} more` : shown
}

function chosen(label: string, members: ReadonlyMap<string, Entry>, member: string | undefined): Entry {
  const names = [...members.keys()]
  if (names.length === 0) throw new FileError(label, 'the archive is empty.')
  if (member === undefined) {
    const arrays = names.filter((name) => members.get(name)!.fileName.endsWith('.npy'))
    if (arrays.length === 1) return members.get(arrays[0]!)!
    if (arrays.length === 0) throw new FileError(label, `the archive has no arrays, only ${listed(names)}.`)
    throw new FileError(
      label,
      `the archive has ${arrays.length} arrays: ${listed(arrays)}.`,
      `Name one: ${detailed(label, 'npz', arrays[0]!)}.`,
    )
  }
  const entry = members.get(member.replace(/\.npy$/, ''))
  if (entry !== undefined) return entry
  throw new FileError(label, `the archive has no such member.`, `Its members are ${listed(names)}.`)
}

/**
 * Bytes of a stored member, compared with its checksum: along the way while they are read in order, all of them before
 * the first read out of order.
 */
function checkedBytes(label: string, bytes: Bytes, expected: number): Bytes {
  let position = 0
  let checksum: Promise<number> = Promise.resolve(0)
  let checked = false

  const compare = (found: number): void => {
    if (found !== expected) throw wrongChecksum(label)
    checked = true
  }
  const readAll = async (): Promise<number> => {
    let found = 0
    for await (const block of blocksOf(bytes)) found = crc32(block, found)
    return found
  }
  const along = async (before: Promise<number>, at: number, target: Uint8Array): Promise<number> => {
    await bytes.read(at, target)
    return crc32(target, await before)
  }

  return {
    size: bytes.size,
    async read(at, target) {
      if (checked || at !== position) {
        if (!checked) compare(await readAll())
        return bytes.read(at, target)
      }
      position += target.length
      const last = position === bytes.size
      checksum = along(checksum, at, target)
      const found = await checksum
      if (last) compare(found)
    },
    close: () => bytes.close(),
  }
}

/** What a deflated member holds; ends with an error where its checksum or size is wrong. */
async function* inflated(label: string, bytes: Bytes, entry: Entry): AsyncGenerator<Uint8Array> {
  let [checksum, size] = [0, 0]
  try {
    for await (const chunk of inflatedChunks(bytes)) {
      size += chunk.length
      // A member that inflates to more than it says is cut off here, whatever it would grow to.
      if (size > entry.uncompressedSize) break
      checksum = crc32(chunk, checksum)
      yield chunk
    }
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error
    throw damaged(label, `the member cannot be inflated: ${(error as Error).message}`)
  }
  if (size !== entry.uncompressedSize) {
    throw damaged(
      label,
      `the member should inflate to ${entry.uncompressedSize} bytes, not ${size > entry.uncompressedSize ? 'more' : size}`,
    )
  }
  if (checksum !== entry.crc32) throw wrongChecksum(label)
}

async function memberSource(label: string, archive: Bytes, zip: ZipFile, entry: Entry): Promise<ArraySource> {
  checkReadable(label, entry, 'Save it with np.savez or np.savez_compressed.')
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const bytes = partOf(archive, fileDataStart, entry.compressedSize)
  if (entry.compressionMethod === STORED) return npySource(label, checkedBytes(label, bytes, entry.crc32))
  const source = await npyStreamSource(
    label,
    new ByteStream(label, inflated(label, bytes, entry)),
    entry.uncompressedSize,
  )
  return {
    ...source,
    async close() {
      await source.close()
      await archive.close()
    },
  }
}

/** Runs `use` on the members. */
const withMembers = <T>(
  label: string,
  archive: Bytes,
  use: (zip: ZipFile, members: ReadonlyMap<string, Entry>) => Promise<T>,
): Promise<T> => withArchive(label, archive, async (zip) => use(zip, await membersOf(label, zip)))

/** A member of an archive; without a name the only one. The archive is closed with the source. */
export const npzSource = (label: string, archive: Bytes, member: string | undefined): Promise<ArraySource> =>
  withMembers(label, archive, (zip, members) => memberSource(label, archive, zip, chosen(label, members, member)))

/** The file of an array in an archive that is to be written; a name under which it could not be read is refused. */
export function memberFile(label: string, member: string): string {
  if (member === '') throw new FileError(label, 'the name of the member is empty.')
  const file = `${member}.npy`
  if (Buffer.byteLength(file) <= LONGEST_NAME && validateFileName(file) === null) return file
  throw new FileError(
    label,
    'readers refuse an archive whose member has such a name: absolute, with .. or a backslash, or very long.',
    'Use a plain name, such as x or a/x.',
  )
}

/** Names of the arrays in an archive. */
export const npzMembers = (label: string, archive: Bytes): Promise<readonly string[]> =>
  withMembers(label, archive, async (_zip, members) => [...members.keys()])

// Reads a zip archive that lies in memory: its directory, and its files, stored or deflated. Everything that it claims is
// compared with the bytes that are there.
import { FormatError } from '../errors/index.ts'
import { crc32 } from './crc32.ts'
import {
  DIRECTORY_END,
  DIRECTORY_ENTRY,
  joined,
  LOCAL_HEADER,
  record,
  WIDE,
  WIDE_DIRECTORY_END,
  WIDE_EXTRA,
  WIDE_LOCATOR,
} from './zip.ts'

/** A file as the directory has it. */
export interface ZippedFile {
  readonly name: string
  readonly method: number
  readonly isEncrypted: boolean
  readonly checksum: number
  readonly compressedSize: number
  readonly size: number
  /** Where its local header begins. */
  readonly start: number
}

/** What platforms have and the language does not name. */
interface Platform {
  readonly TextDecoder: new (label: string) => { decode(bytes: Uint8Array): string }
  readonly DecompressionStream: new (
    format: 'gzip',
  ) => { readonly readable: ReadableStream_; readonly writable: { getWriter(): Writer } }
}
interface Writer {
  write(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}
interface ReadableStream_ {
  getReader(): { read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array }>; cancel(): Promise<void> }
}

const platform = globalThis as unknown as Platform

const damaged = (reason: string): FormatError => new FormatError(`it is no sound archive: ${reason}.`)

/** A comment of at most 65535 bytes may stand behind the end record, which has 22. */
const LONGEST_END = 22 + 0xffff

class Records {
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get size(): number {
    return this.#view.byteLength
  }

  /** Throws where the archive speaks of bytes that it does not have. */
  #check(at: number, width: number): void {
    if (at >= 0 && at + width <= this.size) return
    throw damaged(`it speaks of byte ${at + width}, and has ${this.size}`)
  }

  u16(at: number): number {
    this.#check(at, 2)
    return this.#view.getUint16(at, true)
  }

  u32(at: number): number {
    this.#check(at, 4)
    return this.#view.getUint32(at, true)
  }

  u64(at: number): number {
    this.#check(at, 8)
    return Number(this.#view.getBigUint64(at, true))
  }
}

/** Where the record lies that ends the archive; from the back, because a comment may follow it. */
function endOf(records: Records): number {
  for (let at = records.size - 22; at >= Math.max(0, records.size - LONGEST_END); at--) {
    if (records.u32(at) === DIRECTORY_END && at + 22 + records.u16(at + 20) === records.size) return at
  }
  throw damaged('its directory is missing')
}

/** How many files there are, and where the directory begins. */
function directoryOf(records: Records): { count: number; at: number } {
  const end = endOf(records)
  const [count, at] = [records.u16(end + 10), records.u32(end + 16)]
  const locator = end - 20
  if ((count !== 0xffff && at !== WIDE) || locator < 0 || records.u32(locator) !== WIDE_LOCATOR) return { count, at }
  const wide = records.u64(locator + 8)
  if (records.u32(wide) !== WIDE_DIRECTORY_END) throw damaged('its directory of 64 bits is missing')
  return { count: records.u64(wide + 32), at: records.u64(wide + 48) }
}

/** The numbers of 64 bits for those fields that are full, in their order. */
function widened(records: Records, from: number, to: number, fields: readonly number[]): readonly number[] {
  let at = from
  while (at + 4 <= to && records.u16(at) !== WIDE_EXTRA) at += 4 + records.u16(at + 2)
  let next = at + 4
  return fields.map((field) => {
    if (field !== WIDE || at + 4 > to) return field
    next += 8
    return records.u64(next - 8)
  })
}

/** The files of an archive. */
export function zippedFiles(bytes: Uint8Array): readonly ZippedFile[] {
  const records = new Records(bytes)
  const { count, at } = directoryOf(records)
  const files: ZippedFile[] = []
  let entry = at
  for (let i = 0; i < count; i++) {
    if (records.u32(entry) !== DIRECTORY_ENTRY) throw damaged(`entry ${i} of its directory is none`)
    const [name, extra, comment] = [28, 30, 32].map((field) => records.u16(entry + field)) as [number, number, number]
    const behind = entry + 46 + name
    const wide = widened(records, behind, behind + extra, [
      records.u32(entry + 24),
      records.u32(entry + 20),
      records.u32(entry + 42),
    ])
    const [size, compressedSize, start] = wide as [number, number, number]
    files.push({
      name: new platform.TextDecoder('utf-8').decode(bytes.subarray(entry + 46, behind)),
      method: records.u16(entry + 10),
      isEncrypted: (records.u16(entry + 8) & 1) === 1,
      checksum: records.u32(entry + 16),
      compressedSize,
      size,
      start,
    })
    entry = behind + extra + comment
  }
  return files
}

/** A deflated file as one of gzip, which every platform can inflate, and whose checksum it compares itself. */
function asGzip(bytes: Uint8Array, { checksum, size }: ZippedFile): Uint8Array {
  const header = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255)
  return joined([header, bytes, record([4, checksum], [4, size % 2 ** 32])])
}

async function inflated(bytes: Uint8Array, file: ZippedFile): Promise<Uint8Array> {
  const whole = new Uint8Array(file.size)
  const { readable, writable } = new platform.DecompressionStream('gzip')
  const writer = writable.getWriter()
  // What fails here fails where it is read, too.
  writer
    .write(asGzip(bytes, file))
    .then(
      () => writer.close(),
      () => {},
    )
    .catch(() => {})
  const reader = readable.getReader()
  let at = 0
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw damaged(`${file.name} cannot be inflated: ${(error as Error).message}`)
    })
    if (done) break
    // A file that inflates to more than it says is cut off here, whatever it would grow to.
    if (at + value!.length > file.size) {
      await reader.cancel().catch(() => {})
      throw damaged(`${file.name} should inflate to ${file.size} bytes, not more`)
    }
    whole.set(value!, at)
    at += value!.length
  }
  if (at !== file.size) throw damaged(`${file.name} should inflate to ${file.size} bytes, not ${at}`)
  return whole
}

/** The bytes of a file, its checksum compared. */
export async function unzipped(bytes: Uint8Array, file: ZippedFile): Promise<Uint8Array> {
  const records = new Records(bytes)
  const { name, start, method, compressedSize } = file
  if (file.isEncrypted) throw new FormatError(`${name} is encrypted.`, 'Save it without a password.')
  if (method !== 0 && method !== 8) {
    throw new FormatError(
      `${name} is compressed by method ${method}; stored (0) and deflated (8) can be read.`,
      'Save it with np.savez or np.savez_compressed.',
    )
  }
  if (records.u32(start) !== LOCAL_HEADER) throw damaged(`${name} does not lie where its directory says`)
  const begin = start + 30 + records.u16(start + 26) + records.u16(start + 28)
  if (begin + compressedSize > bytes.length) {
    throw damaged(`it speaks of byte ${begin + compressedSize}, and has ${bytes.length}`)
  }
  const part = bytes.subarray(begin, begin + compressedSize)
  const whole = method === 0 ? part : await inflated(part, file)
  if (whole.length === file.size && crc32(whole) === file.checksum) return whole
  throw new FormatError(`the checksum of ${name} differs from its bytes: the archive is damaged.`)
}

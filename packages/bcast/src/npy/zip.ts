// The records of a zip archive of stored files, as np.savez writes them: sizes of 64 bits everywhere, and the first day
// that the format knows as the date, so that the same arrays give the same bytes.

/** The numbers that records begin with. */
export const LOCAL_HEADER = 0x04034b50
export const DIRECTORY_ENTRY = 0x02014b50
export const DIRECTORY_END = 0x06054b50
export const WIDE_DIRECTORY_END = 0x06064b50
export const WIDE_LOCATOR = 0x07064b50
export const WIDE_EXTRA = 0x0001
/** What stands in a field of 32 bits when the number is in the extra field of 64. */
export const WIDE = 0xffff_ffff

/** Version 4.5 of the format brought sizes of 64 bits. */
const VERSION = 45
const UTF8_NAME = 0x0800
const DATE = 0x21

/** Where in a local header the checksum stands. */
export const CHECKSUM_AT = 14

type Field = readonly [width: 2 | 4 | 8, value: number]

/** Numbers one behind the other, each of its width, the lowest byte first. */
export function record(...fields: readonly Field[]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [width]) => sum + width, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [width, value] of fields) {
    if (width === 8) view.setBigUint64(at, BigInt(value), true)
    else if (width === 4) view.setUint32(at, value, true)
    else view.setUint16(at, value, true)
    at += width
  }
  return bytes
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** A file in an archive. */
export interface StoredFile {
  /** Its name, in UTF-8. */
  readonly name: Uint8Array
  readonly size: number
  readonly checksum: number
}

/** Sizes go into an extra field of 64 bits, where readers look when the ordinary one is full. */
const wideSizes = (size: number): Uint8Array => record([2, WIDE_EXTRA], [2, 16], [8, size], [8, size])
const widePlace = (size: number, start: number): Uint8Array =>
  start < WIDE ? wideSizes(size) : record([2, WIDE_EXTRA], [2, 24], [8, size], [8, size], [8, start])

const common = (checksum: number): readonly Field[] => [
  [2, VERSION],
  [2, UTF8_NAME],
  [2, 0],
  [2, 0],
  [2, DATE],
  [4, checksum],
  [4, WIDE],
  [4, WIDE],
]

/** What stands before the bytes of a file. */
export function localHeader({ name, size, checksum }: StoredFile): Uint8Array {
  const extra = wideSizes(size)
  return joined([record([4, LOCAL_HEADER], ...common(checksum), [2, name.length], [2, extra.length]), name, extra])
}

/** Everything behind the files, each of which begins with its local header at `start`. */
export function directory(files: readonly (StoredFile & { readonly start: number })[], begin: number): Uint8Array {
  const made: Field = [2, (3 << 8) | VERSION]
  const entries = files.map(({ name, size, checksum, start }) => {
    const extra = widePlace(size, start)
    const lengths: readonly Field[] = [
      [2, name.length],
      [2, extra.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0o644 << 16],
      [4, Math.min(start, WIDE)],
    ]
    return joined([record([4, DIRECTORY_ENTRY], made, ...common(checksum), ...lengths), name, extra])
  })
  const length = entries.reduce((sum, entry) => sum + entry.length, 0)
  const [count, few] = [files.length, Math.min(files.length, 0xffff)]
  return joined([
    ...entries,
    record(
      [4, WIDE_DIRECTORY_END],
      [8, 44],
      made,
      [2, VERSION],
      [4, 0],
      [4, 0],
      [8, count],
      [8, count],
      [8, length],
      [8, begin],
    ),
    record([4, WIDE_LOCATOR], [4, 0], [8, begin + length], [4, 1]),
    record(
      [4, DIRECTORY_END],
      [2, 0],
      [2, 0],
      [2, few],
      [2, few],
      [4, Math.min(length, WIDE)],
      [4, Math.min(begin, WIDE)],
      [2, 0],
    ),
  ])
}

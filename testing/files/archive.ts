// Zip archives made by hand, sound or not, without any code of the program but the checksum, which has a test of its own.
import zlib from 'node:zlib'
import { crc32 } from '../../packages/cli/src/files/crc32.ts'

interface Member {
  readonly name: string
  readonly data: Uint8Array
  readonly deflate?: boolean
  /** What the archive says instead of the truth. */
  readonly method?: number
  readonly checksum?: number
  readonly size?: number
  readonly compressedSize?: number
  readonly flags?: number
}

function fields(...values: readonly (readonly [width: 2 | 4, value: number])[]): Buffer {
  return Buffer.concat(
    values.map(([width, value]) => {
      const bytes = Buffer.alloc(width)
      bytes.writeUIntLE(value, 0, width)
      return bytes
    }),
  )
}

export function archive(members: readonly Member[]): Buffer {
  const [files, entries]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const member of members) {
    const name = Buffer.from(member.name)
    const stored = member.deflate === true ? zlib.deflateRawSync(member.data) : Buffer.from(member.data)
    const method = member.method ?? (member.deflate === true ? 8 : 0)
    const common = fields(
      [2, 20],
      [2, member.flags ?? 0],
      [2, method],
      [2, 0],
      [2, 0x21],
      [4, member.checksum ?? crc32(member.data)],
      [4, member.compressedSize ?? stored.length],
      [4, member.size ?? member.data.length],
      [2, name.length],
      [2, 0],
    )
    files.push(fields([4, 0x04034b50]), common, name, stored)
    entries.push(fields([4, 0x02014b50], [2, 20]), common, fields([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), name)
    offset += 30 + name.length + stored.length
  }
  const directory = Buffer.concat(entries)
  const count = members.length
  const end = fields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, directory.length],
    [4, offset],
    [2, 0],
  )
  return Buffer.concat([...files, directory, end])
}

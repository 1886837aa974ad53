// An .npz archive of one stored member, as np.savez writes it. Its size is known before its elements and its checksum
// after them, so the checksum is put in last.
import { FileError } from '../errors/file-error.ts'
import { crc32 } from './crc32.ts'
import { bytesPerElement, countOf } from './element.ts'
import { npyHeader } from './npy-header.ts'
import type { ArrayDescription } from './sink.ts'
import type { Output } from './writing/output.ts'

const LOCAL_HEADER = 0x04034b50
const DIRECTORY_ENTRY = 0x02014b50
const DIRECTORY_END = 0x06054b50
const WIDE_DIRECTORY_END = 0x06064b50
const WIDE_LOCATOR = 0x07064b50
const WIDE_EXTRA = 0x0001
/** Version 4.5 of the format brought sizes of 64 bits. */
const VERSION = 45
const UTF8_NAME = 0x0800
/** 1980-01-01, the first day that the format knows: the same array gives the same file. */
const DATE = 0x21
const CHECKSUM_AT = 14
const WIDE = 0xffff_ffff

type Field = readonly [width: 2 | 4 | 8, value: number]

function record(...fields: readonly Field[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [width]) => sum + width, 0))
  let at = 0
  for (const [width, value] of fields) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at)
    else bytes.writeUIntLE(value, at, width)
    at += width
  }
  return bytes
}

/** Sizes go into an extra field of 64 bits, where readers look when the ordinary one is full. */
const wideSizes = (size: number): Buffer => record([2, WIDE_EXTRA], [2, 16], [8, size], [8, size])

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

function localHeader(name: Buffer, size: number): Buffer {
  const extra = wideSizes(size)
  return Buffer.concat([record([4, LOCAL_HEADER], ...common(0), [2, name.length], [2, extra.length]), name, extra])
}

/** Everything behind the member, which begins at byte 0. */
function directory(name: Buffer, size: number, checksum: number, start: number): Buffer {
  const extra = wideSizes(size)
  const lengths: readonly Field[] = [
    [2, name.length],
    [2, extra.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0o644 << 16],
    [4, 0],
  ]
  const made: Field = [2, (3 << 8) | VERSION]
  const entry = Buffer.concat([record([4, DIRECTORY_ENTRY], made, ...common(checksum), ...lengths), name, extra])
  const end = start + entry.length
  return Buffer.concat([
    entry,
    record(
      [4, WIDE_DIRECTORY_END],
      [8, 44],
      made,
      [2, VERSION],
      [4, 0],
      [4, 0],
      [8, 1],
      [8, 1],
      [8, entry.length],
      [8, start],
    ),
    record([4, WIDE_LOCATOR], [4, 0], [8, end], [4, 1]),
    record([4, DIRECTORY_END], [2, 0], [2, 0], [2, 1], [2, 1], [4, entry.length], [4, Math.min(start, WIDE)], [2, 0]),
  ])
}

/** An output that puts what is written into an archive, as its only file. */
export async function npzOutput(
  label: string,
  output: Output,
  file: string,
  description: ArrayDescription,
): Promise<Output> {
  const { patch } = output
  if (patch === undefined) {
    throw new FileError(label, 'an archive cannot be written to a pipe.', 'Write .npy there, or an archive to a file.')
  }
  const name = Buffer.from(file)
  const { dtype, shape } = description
  const size = npyHeader(description).length + countOf(shape) * bytesPerElement(dtype)
  const header = localHeader(name, size)
  await output.write(header)
  let checksum = 0
  return {
    async write(bytes) {
      checksum = crc32(bytes, checksum)
      await output.write(bytes)
    },
    patch: undefined,
    async finish() {
      await output.write(directory(name, size, checksum, header.length + size))
      await patch(CHECKSUM_AT, record([4, checksum]))
      await output.finish()
    },
    abort: () => output.abort(),
  }
}

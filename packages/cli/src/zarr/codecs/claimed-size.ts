// The size that compressed bytes say they decode to. It is compared with the size of a chunk before any memory is taken.
import type { ByteCodec } from '../metadata/array-metadata.ts'

const ZSTD_MAGIC = 0xfd2fb528

/** From the header of the first frame; undefined where it leaves the size open. */
function zstdSize(bytes: Buffer): number | undefined {
  if (bytes.length < 5 || bytes.readUInt32LE(0) !== ZSTD_MAGIC) return undefined
  const flags = bytes[4]!
  const isSingle = (flags & 0x20) !== 0
  const width = [isSingle ? 1 : 0, 2, 4, 8][flags >>> 6]!
  const at = 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][flags & 3]!
  if (width === 0 || bytes.length < at + width) return undefined
  if (width === 8) return Number(bytes.readBigUInt64LE(at))
  return bytes.readUIntLE(at, width) + (width === 2 ? 256 : 0)
}

/** The bytes were found long enough for their header before. */
export function claimedSize({ name }: ByteCodec, { buffer, byteOffset, byteLength }: Uint8Array): number | undefined {
  const bytes = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
  if (name === 'zstd') return zstdSize(bytes)
  if (name === 'blosc') return bytes.readUInt32LE(4)
  return name === 'lz4' ? bytes.readUInt32LE(0) : undefined
}

// Bytes through the codecs of a chunk, there and back. Node's own code where it has the codec: it runs beside
// JavaScript and faster than WebAssembly.
import { promisify } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import zlib from 'node:zlib'
import { discard } from '../../files/bytes/discard.ts'
import type { ByteCodec } from '../metadata/array-metadata.ts'
import { bloscFault } from './blosc-frame.ts'
import { claimedSize } from './claimed-size.ts'
import { compiledCodec } from './compiled.ts'
import { crc32c } from './crc32c.ts'

/** Why bytes do not decode. */
export class DecodeError extends Error {}

type Codec = (bytes: Uint8Array, options: object) => Promise<Uint8Array>

/** Since Node 22.15. */
const native = zlib as {
  readonly zstdCompress?: unknown
  readonly zstdCompressSync?: unknown
  readonly zstdDecompress?: unknown
  readonly zstdDecompressSync?: unknown
  readonly constants: { readonly ZSTD_c_compressionLevel?: number; readonly ZSTD_c_checksumFlag?: number }
}

/**
 * One of Node's codecs. The thread that others wait for has it run beside; one that carries out tasks runs it itself, which
 * takes a quarter less than passing it on.
 */
function codec(beside: unknown, here: unknown): Codec {
  if (isMainThread) return promisify(beside as never) as never
  return async (bytes, options) => (here as (bytes: Uint8Array, options: object) => Uint8Array)(bytes, options)
}

const gunzip = codec(zlib.gunzip, zlib.gunzipSync)
const gzip = codec(zlib.gzip, zlib.gzipSync)
const inflate = codec(zlib.inflate, zlib.inflateSync)
const deflate = codec(zlib.deflate, zlib.deflateSync)
const hasZstd = native.zstdCompress !== undefined
const zstdDecompress = hasZstd ? codec(native.zstdDecompress, native.zstdDecompressSync) : undefined
const zstdCompress = hasZstd ? codec(native.zstdCompress, native.zstdCompressSync) : undefined

/** Whether a codec runs in WebAssembly here. */
export const isCompiled = ({ name }: ByteCodec): boolean =>
  name === 'blosc' || name === 'lz4' || (name === 'zstd' && zstdDecompress === undefined)

const CHECKSUM = 4

function withoutChecksum(bytes: Uint8Array): Uint8Array {
  if (bytes.length < CHECKSUM) throw new DecodeError(`it has ${bytes.length} bytes, fewer than a checksum takes`)
  const content = bytes.subarray(0, bytes.length - CHECKSUM)
  const stored = new DataView(bytes.buffer, bytes.byteOffset + content.length, CHECKSUM).getUint32(0, true)
  const computed = crc32c(content)
  if (stored === computed) return content
  const hex = (value: number): string => value.toString(16).padStart(8, '0')
  throw new DecodeError(`its checksum (crc32c) is ${hex(stored)}, and that of its bytes is ${hex(computed)}`)
}

function withChecksum(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(bytes.length + CHECKSUM)
  whole.set(bytes)
  new DataView(whole.buffer).setUint32(bytes.length, crc32c(bytes), true)
  return whole
}

/** What is wrong with the frame of compressed bytes, where their decoder would not find out. */
function faultOf({ name }: ByteCodec, bytes: Uint8Array): string | undefined {
  if (name === 'blosc') return bloscFault(bytes)
  return name === 'lz4' && bytes.length < 4 ? `it has ${bytes.length} bytes, and its header takes 4` : undefined
}

/** Deflated bytes grow by no more than this. */
const MOST_GROWTH = 1032
const LEAST_ROOM = 2 ** 14

/**
 * What Node's own functions take for the result at a time: all of it where that can be, since pieces are slow, and a
 * little more, so that they see its end.
 */
function roomFor({ name }: ByteCodec, bytes: Uint8Array, most: number, claimed: number | undefined): number {
  const largest = name === 'zstd' ? (claimed ?? 2 ** 20) : MOST_GROWTH * bytes.length
  return Math.max(LEAST_ROOM, Math.min(most, largest) + 64)
}

/** Node's own functions stop at `most` bytes; the others say their size beforehand. */
async function decompressed(codec: ByteCodec, bytes: Uint8Array, most: number): Promise<Uint8Array> {
  const fault = faultOf(codec, bytes)
  if (fault !== undefined) throw new DecodeError(`it does not decode as ${codec.name}: ${fault}`)
  const claimed = claimedSize(codec, bytes)
  if (claimed !== undefined && claimed > most) {
    throw new DecodeError(`${codec.name} would decode it to ${claimed} bytes, where ${most} belong`)
  }
  const limit = { maxOutputLength: Math.max(1, most), chunkSize: roomFor(codec, bytes, most, claimed) }
  switch (codec.name) {
    case 'gzip':
      return gunzip(bytes, limit)
    case 'zlib':
      return inflate(bytes, limit)
    case 'zstd':
      if (zstdDecompress !== undefined) return zstdDecompress(bytes, limit)
      break
    case 'crc32c':
      return withoutChecksum(bytes)
  }
  return (await compiledCodec(codec)).decode(bytes)
}

/** What a codec's own error says, which need not be an Error. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'damaged bytes'
  if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return 'it decodes to more than belongs there'
  const { message } = error
  return message.replace(/\.$/, '')
}

/** Discards what a codec has made into something else, where it was made on the way. */
function discardStep(before: Uint8Array, given: Uint8Array, after: Uint8Array): void {
  if (before.buffer !== given.buffer && before.buffer !== after.buffer) discard(before)
}

/** `size` bytes from those that codecs made of them, which stay; fails with a DecodeError. */
export async function decodeBytes(
  codecs: readonly ByteCodec[],
  encoded: Uint8Array,
  size: number,
): Promise<Uint8Array> {
  let bytes = encoded
  for (let step = codecs.length - 1; step >= 0; step--) {
    const codec = codecs[step]!
    // What is inside of another codec may be a little more than what it decodes to.
    const most = step === 0 ? size : largestEncoded(size)
    try {
      const decoded = await decompressed(codec, bytes, most + (codec.name === 'crc32c' ? CHECKSUM : 0))
      discardStep(bytes, encoded, decoded)
      bytes = decoded
    } catch (error) {
      if (error instanceof DecodeError) throw error
      throw new DecodeError(`it does not decode as ${codec.name}: ${reason(error)}`)
    }
  }
  if (bytes.length === size) return bytes
  throw new DecodeError(`it holds ${bytes.length} bytes, where ${size} belong`)
}

/** No codec makes more of `size` bytes, even of those that it cannot make fewer. */
export const largestEncoded = (size: number): number => size + Math.ceil(size / 64) + 2 ** 12

const MOST_ROOM = 2 ** 22

async function compressed(codec: ByteCodec, bytes: Uint8Array): Promise<Uint8Array> {
  const chunkSize = Math.max(LEAST_ROOM, Math.min(MOST_ROOM, bytes.length))
  switch (codec.name) {
    case 'gzip':
      return gzip(bytes, { level: codec.level, chunkSize })
    case 'zlib':
      return deflate(bytes, { level: codec.level, chunkSize })
    case 'crc32c':
      return withChecksum(bytes)
    case 'zstd': {
      const { ZSTD_c_compressionLevel: level, ZSTD_c_checksumFlag: flag } = native.constants
      if (zstdCompress === undefined || level === undefined || flag === undefined) break
      // Frames say their size, without which some decoders refuse them.
      return zstdCompress(bytes, {
        // All at once: pieces would be joined to another buffer.
        chunkSize: largestEncoded(bytes.length),
        pledgedSrcSize: bytes.length,
        params: { [level]: codec.level, [flag]: codec.checksum ? 1 : 0 },
      })
    }
  }
  return (await compiledCodec(codec)).encode(bytes)
}

/** Bytes through codecs, in their order, which stay; the bytes themselves where there are none. */
export async function encodeBytes(codecs: readonly ByteCodec[], bytes: Uint8Array): Promise<Uint8Array> {
  let encoded = bytes
  for (const codec of codecs) {
    const next = await compressed(codec, encoded)
    discardStep(encoded, bytes, next)
    encoded = next
  }
  return encoded
}

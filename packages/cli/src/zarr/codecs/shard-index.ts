// The index of a shard: for each of its chunks, in row-major order of their grid, where it begins and how many bytes it
// has. All bits set in both means that there is none.
import type { ByteCodec, Sharding } from '../metadata/array-metadata.ts'
import { DecodeError, decodeBytes, encodeBytes } from './byte-codecs.ts'

const NONE = 2n ** 64n - 1n

/** Where a chunk lies in its shard. */
export interface Extent {
  readonly offset: number
  readonly length: number
}

type IndexCodecs = Pick<Sharding, 'indexLittleEndian' | 'indexCodecs'>

/** Bytes of the index of `count` chunks as it is stored. */
export const indexSize = (codecs: readonly ByteCodec[], count: number): number => 16 * count + 4 * codecs.length

/** Undefined stands for a chunk that is not there. Fails with a DecodeError. */
export async function decodeIndex(
  { indexLittleEndian, indexCodecs }: IndexCodecs,
  bytes: Uint8Array,
  count: number,
): Promise<readonly (Extent | undefined)[]> {
  const content = await decodeBytes(indexCodecs, bytes, 16 * count)
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength)
  return Array.from({ length: count }, (_, i) => {
    const offset = view.getBigUint64(16 * i, indexLittleEndian)
    const length = view.getBigUint64(16 * i + 8, indexLittleEndian)
    if (offset === NONE && length === NONE) return undefined
    if (offset + length <= Number.MAX_SAFE_INTEGER) return { offset: Number(offset), length: Number(length) }
    throw new DecodeError(`its index says that chunk ${i} has ${length} bytes from byte ${offset} on`)
  })
}

export async function encodeIndex(
  { indexLittleEndian, indexCodecs }: IndexCodecs,
  extents: readonly (Extent | undefined)[],
): Promise<Uint8Array> {
  const content = new Uint8Array(16 * extents.length)
  const view = new DataView(content.buffer)
  for (const [i, extent] of extents.entries()) {
    view.setBigUint64(16 * i, extent === undefined ? NONE : BigInt(extent.offset), indexLittleEndian)
    view.setBigUint64(16 * i + 8, extent === undefined ? NONE : BigInt(extent.length), indexLittleEndian)
  }
  return encodeBytes(indexCodecs, content)
}

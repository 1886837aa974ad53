// Elements of a chunk from the bytes that are stored, in this machine's byte order; axes lie as they are stored.
import { settleElements } from '../../files/blocks/stored-array.ts'
import { bytesPerElement, elementsOver, type StoredDType, type TypedArray } from '../../files/element.ts'
import type { ChunkCodecs } from '../metadata/array-metadata.ts'
import { decodeBytes } from './byte-codecs.ts'

/** Bytes that are the elements' own: where no codec made them, they may belong to others, too, or lie at an odd place. */
function own(bytes: Uint8Array, encoded: Uint8Array, isChanged: boolean, width: number): Uint8Array {
  const isShared = bytes.buffer === encoded.buffer && (isChanged || bytes.buffer.byteLength > bytes.byteLength)
  return isShared || bytes.byteOffset % width !== 0 ? new Uint8Array(bytes) : bytes
}

/** `count` elements; fails with a DecodeError. */
export async function decodeElements(
  { littleEndian, compressors }: ChunkCodecs,
  dtype: StoredDType,
  encoded: Uint8Array,
  count: number,
): Promise<TypedArray> {
  const width = bytesPerElement(dtype)
  const isChanged = !littleEndian || dtype === 'bool'
  const bytes = own(await decodeBytes(compressors, encoded, count * width), encoded, isChanged, width)
  const elements = elementsOver(dtype, bytes.buffer, bytes.byteOffset, count)
  settleElements(dtype, littleEndian, elements)
  return elements
}

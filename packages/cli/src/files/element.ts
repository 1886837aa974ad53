// The element types that files hold, and the arrays that hold their elements in memory.
import { dtypeInfo, dtypes, type StorageOf } from 'bcast'
import type { StoredDType } from 'bcast/npy'

export type { StoredDType } from 'bcast/npy'

/** bool is Uint8Array, float16 and bfloat16 are their bits in Uint16Array, 64-bit integers are BigInt arrays. */
export type TypedArray = StorageOf<StoredDType>

export const storedDTypes: readonly StoredDType[] = dtypes.filter(
  (dtype): dtype is StoredDType => dtypeInfo(dtype).array !== undefined,
)

export const bytesPerElement = (dtype: StoredDType): number => dtypeInfo(dtype).bytes

/** Zeroed memory for `length` elements. */
export const newElements = (dtype: StoredDType, length: number): TypedArray => new (dtypeInfo(dtype).array)(length)

/** Elements over memory that is there, `byteOffset` being a multiple of the element's size. */
export const elementsOver = (
  dtype: StoredDType,
  buffer: ArrayBufferLike,
  byteOffset: number,
  length: number,
): TypedArray => new (dtypeInfo(dtype).array)(buffer, byteOffset, length)

/** The bytes of an array as they lie, shared memory included. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** Number of elements of a shape; Infinity or an inexact number where it exceeds 2^53. */
export const countOf = (shape: readonly number[]): number =>
  shape.includes(0) ? 0 : shape.reduce((product, size) => product * size, 1)

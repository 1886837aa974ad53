// The element types that files hold, and the arrays that hold their elements in memory.
import { type DType, dtypes, type StorageOf } from 'bcast'

/** Types with a fixed number of bytes per element: all but string and real. */
export type StoredDType = Exclude<DType, 'string' | 'real'>

/** bool is Uint8Array, float16 and bfloat16 are their bits in Uint16Array, 64-bit integers are BigInt arrays. */
export type TypedArray = StorageOf<StoredDType>

interface ArrayConstructor {
  readonly BYTES_PER_ELEMENT: number
  new (length: number): TypedArray
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): TypedArray
}

const arrays: Readonly<Record<StoredDType, ArrayConstructor>> = {
  float16: Uint16Array,
  bfloat16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  bool: Uint8Array,
}

export const storedDTypes: readonly StoredDType[] = dtypes.filter((dtype) => dtype !== 'string' && dtype !== 'real')

export const bytesPerElement = (dtype: StoredDType): number => arrays[dtype].BYTES_PER_ELEMENT

/** Zeroed memory for `length` elements. */
export const newElements = (dtype: StoredDType, length: number): TypedArray => new arrays[dtype](length)

/** Elements over memory that is there, `byteOffset` being a multiple of the element's size. */
export const elementsOver = (
  dtype: StoredDType,
  buffer: ArrayBufferLike,
  byteOffset: number,
  length: number,
): TypedArray => new arrays[dtype](buffer, byteOffset, length)

/** The bytes of an array as they lie, shared memory included. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** Number of elements of a shape; Infinity or an inexact number where it exceeds 2^53. */
export const countOf = (shape: readonly number[]): number =>
  shape.includes(0) ? 0 : shape.reduce((product, size) => product * size, 1)

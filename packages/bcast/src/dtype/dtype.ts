// The fifteen element types: what stores them, what a JavaScript program sees of an element, what they can hold.
import { DTypeError } from '../errors/index.ts'
import { show } from '../shape/show.ts'
import type { Real } from './real.ts'

/** The names of all element types. */
export const dtypes = [
  'float16',
  'bfloat16',
  'float32',
  'float64',
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'bool',
  'string',
  'real',
] as const

/** The name of an element type. */
export type DType = (typeof dtypes)[number]

/** Names that documents use for the same types. @clause sonnx2.types */
const aliases: Readonly<Record<string, DType>> = { float: 'float32', double: 'float64', boolean: 'bool' }

/** The array that `data` is, by type. 16-bit floats are their bit patterns. */
export interface StorageByDType {
  float16: Uint16Array
  bfloat16: Uint16Array
  float32: Float32Array
  float64: Float64Array
  int8: Int8Array
  int16: Int16Array
  int32: Int32Array
  int64: BigInt64Array
  uint8: Uint8Array
  uint16: Uint16Array
  uint32: Uint32Array
  uint64: BigUint64Array
  bool: Uint8Array
  string: string[]
  real: Real[]
}

/** What one element is in JavaScript. */
export type Element<D extends DType> = D extends 'int64' | 'uint64'
  ? bigint
  : D extends 'bool'
    ? boolean
    : D extends 'string'
      ? string
      : D extends 'real'
        ? Real
        : number

/** What `data` of a tensor of a type is: a typed array, or a plain one for strings and exact rationals. */
export type StorageOf<D extends DType> = StorageByDType[D]
export type TypedArray = Exclude<StorageByDType[DType], unknown[]>
export type Storage = TypedArray | string[] | Real[]

/** What elements of a type are. */
export type Kind = 'float' | 'int' | 'uint' | 'bool' | 'string' | 'real'

interface Info {
  readonly kind: Kind
  /** Bits of one element; 0 where elements are JavaScript values. */
  readonly bits: number
  readonly array: ArrayType | undefined
}

export interface ArrayType {
  readonly name: string
  new (length: number): TypedArray
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): TypedArray
}

const info: Readonly<Record<DType, Info>> = {
  float16: { kind: 'float', bits: 16, array: Uint16Array },
  bfloat16: { kind: 'float', bits: 16, array: Uint16Array },
  float32: { kind: 'float', bits: 32, array: Float32Array },
  float64: { kind: 'float', bits: 64, array: Float64Array },
  int8: { kind: 'int', bits: 8, array: Int8Array },
  int16: { kind: 'int', bits: 16, array: Int16Array },
  int32: { kind: 'int', bits: 32, array: Int32Array },
  int64: { kind: 'int', bits: 64, array: BigInt64Array },
  uint8: { kind: 'uint', bits: 8, array: Uint8Array },
  uint16: { kind: 'uint', bits: 16, array: Uint16Array },
  uint32: { kind: 'uint', bits: 32, array: Uint32Array },
  uint64: { kind: 'uint', bits: 64, array: BigUint64Array },
  bool: { kind: 'bool', bits: 8, array: Uint8Array },
  string: { kind: 'string', bits: 0, array: undefined },
  real: { kind: 'real', bits: 0, array: undefined },
}

/** What elements of a type are. */
export const kindOf = (dtype: DType): Kind => info[dtype].kind
/** Bits of an element; 0 where elements are JavaScript values. */
export const bitsOf = (dtype: DType): number => info[dtype].bits
/** Whether elements are IEEE floats. */
export const isFloat = (dtype: DType): boolean => info[dtype].kind === 'float'
/** Floats of 16 bits, which are computed with in float32. */
export const isHalf = (dtype: DType): boolean => isFloat(dtype) && info[dtype].bits === 16
export const isInteger = (dtype: DType): boolean => info[dtype].kind === 'int' || info[dtype].kind === 'uint'
export const isWide = (dtype: DType): boolean => isInteger(dtype) && info[dtype].bits === 64

/** The class of the arrays that hold elements of a type; undefined where they are plain arrays. */
export const arrayClassOf = (dtype: DType): ArrayType | undefined => info[dtype].array

/** Types that exist elsewhere and are left out on purpose, so that the error can say so. */
const leftOut = /^(complex\d*|u?int[24]|float[48]\w*)$/i

/** The type a name means; throws a DTypeError that lists the types. */
export function dtypeOf(name: unknown): DType {
  if (typeof name === 'string') {
    if (Object.hasOwn(info, name)) return name as DType
    const meant = Object.hasOwn(aliases, name) ? aliases[name] : undefined
    if (meant !== undefined) return meant
  }
  const why = typeof name === 'string' && leftOut.test(name) ? 'is not supported' : 'is not an element type'
  throw new DTypeError(
    `${show(name)} ${why}. Element types are ${dtypes.join(', ')}.`,
    typeof name === 'string' ? name : show(name),
    dtypes,
  )
}

/** Bytes of a buffer as elements of a type that has bytes. Of none the buffer may be one that was transferred. */
export function arrayOver(dtype: DType, buffer: ArrayBufferLike, byteOffset: number, bytes: number): TypedArray {
  const { array: Array_, bits } = info[dtype]
  return bytes === 0 ? new Array_!(0) : new Array_!(buffer, byteOffset, (bytes * 8) / bits)
}

/** Fresh storage for `length` elements, zero (false, empty) throughout. */
export function makeStorage<D extends DType>(dtype: D, length: number): StorageOf<D> {
  const { array: Array_ } = info[dtype]
  if (Array_ !== undefined) return new Array_(length) as StorageOf<D>
  return new Array(length).fill(dtype === 'string' ? '' : undefined) as unknown as StorageOf<D>
}

/** Storage as integers of the same width, for moving elements: a NaN read as a float may lose bits. */
export function asIntegers(storage: Storage): Storage {
  const wide = storage instanceof Float64Array
  if (!wide && !(storage instanceof Float32Array)) return storage
  return arrayOver(wide ? 'uint64' : 'uint32', storage.buffer, storage.byteOffset, storage.byteLength)
}

/** The type that a typed array is taken as when none is said: of several types in one array, the integer. */
export function dtypeOfArray(array: ArrayBufferView): DType | undefined {
  // By name, because another realm has classes of its own, and not every platform has a Float16Array.
  const name = Object.prototype.toString.call(array).slice(8, -1)
  if (name === 'Uint8ClampedArray') return 'uint8'
  if (name === 'Float16Array') return 'float16'
  return dtypes.findLast((dtype) => dtype !== 'bool' && info[dtype].array?.name === name)
}

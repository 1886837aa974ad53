// Elements by the one seed, fast enough for large arrays: random bits, small numbers, and values where something changes.
import { cast, type DType, fromData, type StorageOf, type Tensor } from 'bcast'
import { specials, storageOf } from '../../../../testing/elements.ts'
import { seedOf } from '../../../../testing/seed.ts'
import { bitsOf, isFloat, makeStorage, type TypedArray } from '../../src/dtype/dtype.ts'

/** 32 random bits, call by call. */
export function randomBits(stream: number): () => number {
  let state = seedOf(stream) | 1
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return (state ^ (state >>> 13)) >>> 0
  }
}

export interface Choice {
  /** Whether zeros are left out, for divisors. */
  readonly nonzero?: boolean
}

/** Elements as bits: loops over these run fast, for there are three kinds of them and not a dozen. */
type Bits = Uint8Array | Uint16Array | Uint32Array

/** The bits of an array; elements of 64 bits are two of them. */
function bitsIn({ buffer, byteOffset, byteLength, BYTES_PER_ELEMENT: width }: TypedArray): Bits {
  const Words = width === 1 ? Uint8Array : width === 2 ? Uint16Array : Uint32Array
  return new Words(buffer as ArrayBuffer, byteOffset, byteLength / Words.BYTES_PER_ELEMENT)
}

/** An array of a type with elements of all kinds. */
export function randomArray(
  dtype: DType,
  length: number,
  stream: number,
  { nonzero = false }: Choice = {},
): TypedArray {
  const next = randomBits(stream)
  const array = makeStorage(dtype, length) as TypedArray
  const words = new Uint32Array(array.buffer, 0, Math.floor(array.byteLength / 4))
  for (let i = 0; i < words.length; i++) words[i] = next()
  const numbers = dtype === 'bool' ? [true, false] : [1, 2, 3, 7, 10]
  const small = bitsIn(
    storageOf(
      dtype,
      numbers.map((x) => held(dtype, x)),
    ) as TypedArray,
  )
  const edges = bitsIn(storageOf(dtype, specials(dtype)) as TypedArray)
  const bits = bitsIn(array)
  const parts = bitsOf(dtype) === 64 ? 2 : 1
  const counts = { edges: edges.length / parts, small: small.length / parts }
  const isDivisor = nonzero && !isFloat(dtype)
  for (let i = 0; i < bits.length; i += parts) {
    const pick = next() % 8
    if (dtype === 'bool') bits[i] = next() & 1
    else if (pick < 4) {
      const source = pick < 2 ? edges : small
      const from = (next() % (pick < 2 ? counts.edges : counts.small)) * parts
      bits[i] = source[from]!
      if (parts === 2) bits[i + 1] = source[from + 1]!
    }
    if (isDivisor && bits[i] === 0 && (parts === 1 || bits[i + 1] === 0)) bits[i] = 1
  }
  return array
}

const held = (dtype: DType, x: number | boolean): number | bigint | boolean =>
  typeof x === 'number' && bitsOf(dtype) === 64 && !isFloat(dtype) ? BigInt(x) : x

/** A row-major tensor of random elements. */
export const randomTensor = (dtype: DType, shape: readonly number[], stream: number, choice: Choice = {}): Tensor =>
  fromData(
    dtype,
    randomArray(
      dtype,
      shape.reduce((n, size) => n * size, 1),
      stream,
      choice,
    ) as StorageOf<DType> as never,
    shape,
  ) as Tensor

const isNaNElement = (dtype: DType, element: unknown): boolean => {
  if (dtype === 'float16') return ((element as number) & 0x7fff) > 0x7c00
  if (dtype === 'bfloat16') return ((element as number) & 0x7fff) > 0x7f80
  return isFloat(dtype) && Number.isNaN(element)
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** The first position where two arrays differ in a bit, -1 when none does; NaNs are equal whatever their payload. */
export function firstDifference(dtype: DType, a: ArrayLike<unknown>, b: ArrayLike<unknown>): number {
  if (a.length !== b.length) return Math.min(a.length, b.length)
  // Most are the same in every byte, which takes no look at elements.
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b) && bytesOf(a).equals(bytesOf(b))) return -1
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i], b[i]]
    if (x === y ? x === 0 && !Object.is(x, y) : !(isNaNElement(dtype, x) && isNaNElement(dtype, y))) return i
  }
  return -1
}

/** A row-major tensor of small numbers, of which long sums are numbers too. */
export function smallTensor(dtype: DType, shape: readonly number[], stream: number): Tensor {
  const next = randomBits(stream)
  const length = shape.reduce((n, size) => n * size, 1)
  const quarters = Float64Array.from({ length }, () => ((next() % 65) - 32) / (isFloat(dtype) ? 7 : 1))
  return cast(fromData('float64', quarters, shape) as Tensor, dtype) as Tensor
}

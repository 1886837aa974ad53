// Random elements of each type, special ones among them, and whether two results are the same.
import type { DType } from 'bcast/kernels'
import { makeRandom, type Random } from '../random.ts'

type Elements =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array

const ARRAYS = {
  float16: Uint16Array,
  bfloat16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  bool: Uint8Array,
}

/** The elements at a place of memory. */
export function elementsAt(dtype: DType, bytes: Uint8Array, at: number, count: number): Elements | BigInt64Array {
  const Class = ARRAYS[dtype as 'float32']
  return new Class(bytes.buffer as ArrayBuffer, bytes.byteOffset + at, count)
}

const FLOATS = [
  0,
  -0,
  1,
  -1,
  0.5,
  3,
  -7.5,
  1e-40,
  -1e-310,
  65504,
  65520,
  1e38,
  -1e300,
  2 ** 31,
  2 ** 63,
  2 ** 64,
  -(2 ** 63),
]
const SPECIAL = [...FLOATS, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 4294967295.5, 2 ** 53 + 2]
const HALVES = [0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 1, 0x8001, 0x7bff, 0x7f80, 0xff80, 0x7fc0, 0x7f7f]

/** Elements of each pool: more than any operand reaches over. */
const POOL = 1 << 17
const pools = new Map<string, ReturnType<typeof elementsAt>>()

/** Fills elements from a pool of their type, from a random place on. */
export function fill(random: Random, dtype: DType, elements: ReturnType<typeof elementsAt>): void {
  const kind = random.below(2) * 2
  const key = `${dtype} ${kind}`
  let pool = pools.get(key)
  if (pool === undefined) {
    const bytes = new Uint8Array(POOL * elements.BYTES_PER_ELEMENT)
    pools.set(key, (pool = elementsAt(dtype, bytes, 0, POOL)))
    draw(makeRandom(kind), kind, dtype, pool)
  }
  const from = random.below(POOL - elements.length + 1)
  ;(elements as Float64Array).set((pool as Float64Array).subarray(from, from + elements.length))
}

function draw(random: Random, kind: number, dtype: DType, elements: ReturnType<typeof elementsAt>): void {
  if (dtype === 'bool') {
    for (let i = 0; i < elements.length; i++) elements[i] = random.bits() & 1
  } else if (elements instanceof Float32Array || elements instanceof Float64Array) {
    for (let i = 0; i < elements.length; i++) {
      const drawn = random.below(16)
      elements[i] =
        drawn < 2 + kind
          ? SPECIAL[random.below(SPECIAL.length)]!
          : drawn < 10
            ? random.below(2000) - 1000
            : (random.unit() - 0.5) * 10 ** (random.below(60) - 20)
    }
  } else {
    const bytes = new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength)
    for (let i = 0; i < bytes.length; i++) bytes[i] = random.bits()
    const isHalf = dtype === 'float16' || dtype === 'bfloat16'
    const wide = elements instanceof BigInt64Array || elements instanceof BigUint64Array
    for (let i = 0; i < elements.length; i++) {
      const drawn = random.below(16)
      if (isHalf && drawn < 4) elements[i] = HALVES[random.below(HALVES.length)]!
      else if (!isHalf && drawn < 2 * kind) {
        const small = random.below(9) - 4
        // The lowest and highest numbers have all bits but one alike.
        const number = drawn === 0 ? 2 ** (8 * elements.BYTES_PER_ELEMENT - 1) - random.below(2) : small
        if (wide) (elements as unknown as BigInt64Array)[i] = BigInt(number)
        else elements[i] = number
      }
    }
  }
}

/** Whether two elements are the same; NaN is, whatever its payload. */
export function isSame(dtype: DType, a: number | bigint, b: number | bigint): boolean {
  if (Object.is(a, b)) return true
  const most = dtype === 'float16' ? 0x7c00 : 0x7f80
  return dtype === 'float16' || dtype === 'bfloat16'
    ? (Number(a) & 0x7fff) > most && (Number(b) & 0x7fff) > most
    : Number.isNaN(a) && Number.isNaN(b)
}

// Elements that find mistakes: for each type the values where rounding, wrapping or ordering changes, and a generator
// that mixes them with any bit pattern. Elements are the values of the specification (rationals as n/d).
import {
  bitsToNumber,
  floatFormats,
  integerRange,
  isFloat,
  isInteger,
  largest,
  numberToBits,
  type Rational,
  rational,
  roundNumber,
  type Value,
} from '@bcast/spec'
import { type DType, fromData, type StorageOf, type Tensor } from 'bcast'
import { real } from 'bcast/real'
import fc from 'fast-check'
import { arrays } from './arrays.ts'

export type { Value } from '@bcast/spec'

const both = (x: number): number[] => [x, -x]

function floatSpecials(dtype: 'float16' | 'bfloat16' | 'float32' | 'float64'): number[] {
  const { precision, emin } = floatFormats[dtype]
  const least = 2 ** (emin - precision + 1)
  const unit = 2 ** -precision
  const candidates = [
    ...[
      0,
      1,
      0.5,
      1.5,
      2.5,
      2,
      3,
      7,
      10,
      0.1,
      1 / 3,
      100.25,
      128,
      255,
      256,
      2 ** 31,
      2 ** 53,
      2 ** 63,
      2 ** 64,
      Infinity,
    ],
    // Beside 1, 2^-p is half a unit: sums with it are ties, and 3 * 2^-p is the tie that goes up.
    ...[
      unit,
      3 * unit,
      1 + 2 * unit,
      1 - unit,
      2 ** (precision - 1) + 0.5,
      2 ** precision - 1,
      2 ** precision,
      2 ** precision + 2,
    ],
    ...[least, 3 * least, 2 ** emin, 2 ** emin - least, 2 ** emin * 1.5, largest(dtype), largest(dtype) / 2],
    ...[2 ** 53 - 1, 0.49999999999999994, 2 ** 52 - 0.5],
  ]
  return [...candidates.flatMap(both).map((x) => roundNumber(dtype, x)), Number.NaN]
}

function integerSpecials(dtype: 'int64' | 'uint8'): bigint[] {
  const { min, max } = integerRange(dtype)
  const candidates = [
    0n,
    1n,
    2n,
    3n,
    5n,
    7n,
    8n,
    10n,
    15n,
    16n,
    31n,
    32n,
    33n,
    63n,
    64n,
    100n,
    2n ** 31n,
    2n ** 53n,
    2n ** 53n + 1n,
    2n ** 53n - 1n,
  ]
  const edges = [min, min + 1n, max / 2n, max / 2n + 1n, max - 1n, max]
  return [...candidates, ...candidates.map((x) => -x), ...edges].filter((x) => x >= min && x <= max)
}

const held = (dtype: DType, x: bigint): number | bigint => (dtype.endsWith('64') ? x : Number(x))

const fraction = (n: number, d: number): Rational => rational(BigInt(n), BigInt(d))

/** What a type has, made when it is first asked for: cases by the thousand ask for the same. */
function onceFor<T>(make: (dtype: DType) => T): (dtype: DType) => T {
  const made = new Map<DType, T>()
  return (dtype) => {
    const known = made.get(dtype) ?? make(dtype)
    made.set(dtype, known)
    return known
  }
}

/** Values of a type where something changes, each once. */
export const specials: (dtype: DType) => readonly Value[] = onceFor(makeSpecials)

function makeSpecials(dtype: DType): readonly Value[] {
  if (isFloat(dtype)) return floatSpecials(dtype).filter((x, i, all) => all.findIndex((y) => Object.is(x, y)) === i)
  if (isInteger(dtype)) return [...new Set(integerSpecials(dtype as 'int64').map((x) => held(dtype, x)))]
  if (dtype === 'bool') return [false, true]
  if (dtype === 'string') return ['', 'a', 'A', 'ab', 'b', '\u0000', 'é', 'e\u0301', '🙂', ' ']
  const big = { n: 10n ** 30n + 1n, d: 10n ** 29n + 3n }
  return [
    ...[0, 1, 2, 3, 7].flatMap((n) => [fraction(n, 1), fraction(-n, 1), fraction(n, 3), fraction(-n, 2)]),
    rational(big.n, big.d),
  ].filter((x, i, all) => all.findIndex((y) => x.n === y.n && x.d === y.d) === i)
}

const wideBits = fc
  .tuple(fc.nat(0xffffffff), fc.nat(0xffffffff))
  .map(([low, high]) => (BigInt(high) << 32n) | BigInt(low))

function anyElement(dtype: DType): fc.Arbitrary<Value> {
  if (isFloat(dtype)) {
    const bits = dtype === 'float64' ? wideBits : fc.nat(dtype === 'float32' ? 0xffffffff : 0xffff)
    const anyBits = (bits as fc.Arbitrary<number | bigint>).map((pattern) => bitsToNumber(dtype, pattern))
    const plain = fc.integer({ min: -400, max: 400 }).map((x) => roundNumber(dtype, x / 16))
    return fc.oneof({ weight: 1, arbitrary: anyBits }, { weight: 2, arbitrary: plain })
  }
  if (isInteger(dtype)) {
    const { min, max } = integerRange(dtype)
    const low = min < 0n ? -9n : 0n
    return fc.oneof(fc.bigInt({ min, max }), fc.bigInt({ min: low, max: 9n })).map((x) => held(dtype, x))
  }
  if (dtype === 'bool') return fc.boolean()
  if (dtype === 'string') return fc.string({ maxLength: 3 })
  return fc.tuple(fc.integer({ min: -60, max: 60 }), fc.integer({ min: 1, max: 12 })).map(([n, d]) => fraction(n, d))
}

/** Any element of a type, special ones often. */
export const element: (dtype: DType) => fc.Arbitrary<Value> = onceFor((dtype) =>
  fc.oneof({ weight: 2, arbitrary: anyElement(dtype) }, { weight: 1, arbitrary: fc.constantFrom(...specials(dtype)) }),
)

const isRational = (value: Value): value is Rational => typeof value === 'object'

/** What storage holds for an element: bit patterns by the specification's own encoding, not the library's. */
function stored(dtype: DType, value: Value): unknown {
  if (dtype === 'float16' || dtype === 'bfloat16') return Number(numberToBits(dtype, value as number))
  if (dtype === 'bool') return value === true ? 1 : 0
  return isRational(value) ? real(value.n, value.d) : value
}

function decoded(dtype: DType, element: unknown): Value {
  if (dtype === 'float16' || dtype === 'bfloat16') return bitsToNumber(dtype, element as number)
  if (dtype === 'bool') return element !== 0
  if (dtype !== 'real') return element as Value
  const { s, n, d } = element as { s: bigint; n: bigint; d: bigint }
  return rational(s * n, d)
}

const ARRAYS = { ...arrays, string: Array, real: Array } as const

/** The array class that holds elements of a type. */
export const arrayOf = (dtype: DType): { from(values: readonly unknown[]): unknown } => ARRAYS[dtype] as never

/** Storage with the given elements. */
export const storageOf = (dtype: DType, values: readonly Value[]): StorageOf<DType> =>
  arrayOf(dtype).from(values.map((value) => stored(dtype, value))) as StorageOf<DType>

/** A row-major tensor of the given elements. */
export const make = (dtype: DType, values: readonly Value[], shape: readonly number[] = [values.length]): Tensor =>
  fromData(dtype, storageOf(dtype, values) as never, shape) as Tensor

/** A tensor's elements in row-major order, read from `data`. */
export const elementsOf = (tensor: Tensor): Value[] =>
  Array.from(tensor.data as ArrayLike<unknown>, (x) => decoded(tensor.dtype, x))

/** Equal to the bit, except that every NaN equals every NaN. */
export const sameElement = (a: Value | undefined, b: Value | undefined): boolean => {
  if (typeof a === 'object' && typeof b === 'object') return a.n === b.n && a.d === b.d
  return Object.is(a, b)
}

export const show = (value: Value | undefined): string => {
  if (typeof value === 'object') return `${value.n}/${value.d}`
  return Object.is(value, -0)
    ? '-0'
    : typeof value === 'bigint'
      ? `${value}n`
      : typeof value === 'string'
        ? JSON.stringify(value)
        : String(value)
}

// JavaScript values to elements and back, exactly: a value that the type cannot hold is an error, never a wrap.
import { cannotHold } from '../errors/index.ts'
import { bfloat16ToNumber, numberToBfloat16 } from './bfloat16.ts'
import { bitsOf, type DType, isWide, kindOf, type Storage } from './dtype.ts'
import { float16ToNumber, numberToFloat16 } from './float16.ts'
import { realArithmetic } from './real.ts'

/** The range of an integer type, both ends included. */
export function integerRange(dtype: DType): { min: bigint; max: bigint } {
  const bits = BigInt(bitsOf(dtype))
  return kindOf(dtype) === 'int'
    ? { min: -(1n << (bits - 1n)), max: (1n << (bits - 1n)) - 1n }
    : { min: 0n, max: (1n << bits) - 1n }
}

/**
 * A bigint as the float64 from which rounding to fewer bits gives what rounding the bigint itself would: bits beyond
 * the 53rd are folded into an odd last one.
 */
function foldedToOdd(value: bigint): number {
  const nearest = Number(value)
  if (!Number.isFinite(nearest) || BigInt(nearest) === value) return nearest
  const magnitude = value < 0n ? -value : value
  const beyond = BigInt(magnitude.toString(2).length - 53)
  const folded = ((magnitude >> beyond) | 1n) << beyond
  return Number(value < 0n ? -folded : folded)
}

/** The value to put into storage for a JavaScript value; floats round to nearest even, nothing else changes. */
export function toStored(
  dtype: DType,
  value: unknown,
  path: readonly number[] = [],
): number | bigint | string | object {
  switch (kindOf(dtype)) {
    case 'float': {
      const wide = typeof value === 'bigint' && dtype !== 'float64'
      const number = wide
        ? foldedToOdd(value)
        : typeof value === 'bigint' || typeof value === 'boolean'
          ? Number(value)
          : value
      if (typeof number !== 'number') throw cannotHold(dtype, value, 'it is not a number', path)
      if (dtype === 'float16') return numberToFloat16(number)
      return dtype === 'bfloat16' ? numberToBfloat16(number) : number
    }
    case 'int':
    case 'uint': {
      if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'boolean') {
        throw cannotHold(dtype, value, 'it is not a number', path)
      }
      if (typeof value === 'number' && !Number.isInteger(value))
        throw cannotHold(dtype, value, 'it is not an integer', path)
      const { min, max } = integerRange(dtype)
      const integer = BigInt(value)
      if (integer < min || integer > max) throw cannotHold(dtype, value, `it lies outside ${min} to ${max}`, path)
      return isWide(dtype) ? integer : Number(integer)
    }
    case 'bool':
      if (value === true || value === 1 || value === 1n) return 1
      if (value === false || value === 0 || value === 0n) return 0
      throw cannotHold(dtype, value, 'it is not a boolean', path)
    case 'string':
      if (typeof value !== 'string') throw cannotHold(dtype, value, 'it is not a string', path)
      return value
    case 'real': {
      const real = realArithmetic()
      if (real.is(value)) return value
      const finite =
        typeof value === 'bigint' || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
      if (!finite) throw cannotHold(dtype, value, 'it is not a finite number', path)
      try {
        return real.from(value)
      } catch {
        throw cannotHold(dtype, value, "it is not a number such as '1/3' or '0.25'", path)
      }
    }
  }
}

/** The JavaScript value of the element at `position` of a storage. */
export function fromStored(
  dtype: DType,
  storage: Storage,
  position: number,
): number | bigint | boolean | string | object {
  const stored = storage[position]!
  if (dtype === 'bool') return stored !== 0
  if (dtype === 'float16') return float16ToNumber(stored as number)
  return dtype === 'bfloat16' ? bfloat16ToNumber(stored as number) : stored
}

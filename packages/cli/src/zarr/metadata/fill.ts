// The fill value, in all its spellings: numbers, digits, true and false, NaN and infinities by name, bits in hexadecimal.
import { tensor } from 'bcast'
import { bytesPerElement, elementsOver, newElements, type StoredDType, type TypedArray } from '../../files/element.ts'

const isInteger = (dtype: StoredDType): boolean => /^u?int/.test(dtype)
const isFloat = (dtype: StoredDType): boolean => dtype.includes('float')

const NAMED: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
}

/** `0x7fc00000`: the bits of a float, the most significant first. */
function fromBits(dtype: StoredDType, digits: string): TypedArray {
  const bytes = Uint8Array.from(Buffer.from(digits, 'hex').toReversed())
  return elementsOver(dtype, bytes.buffer, 0, 1)
}

function integer(dtype: StoredDType, value: unknown): TypedArray | undefined {
  const isWhole = typeof value === 'number' ? Number.isInteger(value) : /^-?\d+$/.test(String(value))
  if (!isWhole || (typeof value !== 'number' && typeof value !== 'string')) return undefined
  const exact = BigInt(value)
  const bits = 8 * bytesPerElement(dtype)
  const fitted = dtype.startsWith('u') ? BigInt.asUintN(bits, exact) : BigInt.asIntN(bits, exact)
  if (fitted !== exact) return undefined
  const one = newElements(dtype, 1)
  one[0] = bits === 64 ? exact : Number(exact)
  return one
}

function float(dtype: StoredDType, value: unknown): TypedArray | undefined {
  const digits = typeof value === 'string' ? /^0x([0-9a-f]+)$/i.exec(value)?.[1] : undefined
  if (digits !== undefined) return digits.length === 2 * bytesPerElement(dtype) ? fromBits(dtype, digits) : undefined
  const isNamed = typeof value === 'string' && Object.hasOwn(NAMED, value)
  const isDigits = typeof value === 'string' && /^-?\d+$/.test(value)
  const number = isNamed ? NAMED[value] : isDigits ? Number(value) : value
  if (typeof number !== 'number') return undefined
  return tensor([number], { dtype }).data as TypedArray
}

/** One element of a type as metadata spell it; undefined where they spell none of that type. */
export function fillOf(dtype: StoredDType, value: unknown): TypedArray | undefined {
  if (isInteger(dtype)) return integer(dtype, value)
  if (isFloat(dtype)) return float(dtype, value)
  const bit = value === true || value === 1 ? 1 : value === false || value === 0 ? 0 : undefined
  return bit === undefined ? undefined : Uint8Array.of(bit)
}

// One element as metadata spell it, such that it is read back to the bit: a number, a boolean, NaN and infinities by
// name, bits in hexadecimal for what no number says, digits for what JSON's numbers cannot hold.
import { fromData } from 'bcast'
import { bytesOf, type StoredDType, type TypedArray } from '../../files/element.ts'
import { fillOf } from './fill.ts'

const isSame = (a: TypedArray, b: TypedArray | undefined): boolean =>
  b !== undefined && Buffer.compare(bytesOf(a), bytesOf(b)) === 0

/** The element as JavaScript has it: float16 and bfloat16 are bits in memory. */
const elementOf = (dtype: StoredDType, element: TypedArray): unknown =>
  fromData(dtype, element as never, [1]).get(0 as never)

export function spelledFill(dtype: StoredDType, element: TypedArray): number | boolean | string {
  const value = elementOf(dtype, element)
  if (typeof value === 'boolean') return value
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (!dtype.includes('float')) return Number(value)
  // Minus zero is lost in JSON.
  const spelling = Number.isFinite(value) && !Object.is(value, -0) ? (value as number) : String(value)
  if (isSame(element, fillOf(dtype, spelling))) return spelling
  return `0x${Buffer.from(bytesOf(element)).reverse().toString('hex')}`
}

// The JavaScript values that stand for elements, and how an operator takes hold of them. A value of the wrong kind is a
// mistake in the caller, so it is refused instead of converted.
import type { DType, IntegerType } from '../dtypes.ts'
import { SpecError } from '../error.ts'
import { integerRange } from '../formats.ts'
import type { Rational } from '../rational.ts'

/** float*, int8…uint32: number; int64, uint64: bigint; bool: boolean; string: string; real: Rational. */
export type Value = number | bigint | boolean | string | Rational
/** An operand that may be left out is undefined. */
export type Operator = (...args: (Value | undefined)[]) => Value

/** The attributes that element-wise operators may have. */
export interface Attributes {
  /** Pow: the type of the second argument. */
  readonly exponentType?: DType
  /** Div of integers: round down instead of toward zero. */
  readonly pythondiv?: boolean
  readonly fmod?: boolean | number
  readonly direction?: 'LEFT' | 'RIGHT'
  /** Elu, HardSigmoid, LeakyRelu. */
  readonly alpha?: number
  /** HardSigmoid. */
  readonly beta?: number
  /** Gelu: the exact one by default. */
  readonly approximate?: 'none' | 'tanh'
  /** Cast: the type of the result. */
  readonly to?: DType
}

const refuse = (value: Value | undefined, expected: string): never => {
  const shown = typeof value === 'object' ? `${value.n}/${value.d}` : String(value)
  throw new SpecError('value', `${shown} (${typeof value}) is not ${expected}`)
}

export const asNumber = (value: Value | undefined): number =>
  typeof value === 'number' ? value : refuse(value, 'a number')
export const asBoolean = (value: Value | undefined): boolean =>
  typeof value === 'boolean' ? value : refuse(value, 'a boolean')
export const asString = (value: Value | undefined): string =>
  typeof value === 'string' ? value : refuse(value, 'a string')
export const asRational = (value: Value | undefined): Rational =>
  typeof value === 'object' ? value : refuse(value, 'a rational')

/** An integer of the type, of the kind and inside the range that the type holds. */
export const asInteger = (dtype: IntegerType, value: Value | undefined): bigint => {
  const kind = dtype.endsWith('64') ? 'bigint' : 'number'
  if (typeof value !== kind || (typeof value === 'number' && !Number.isInteger(value))) return refuse(value, dtype)
  const integer = BigInt(value as number | bigint)
  const { min, max } = integerRange(dtype)
  return integer < min || integer > max ? refuse(value, dtype) : integer
}

export const divisionByZero = (): never => {
  throw new SpecError('division-by-zero', 'division by zero')
}

export const undefinedForType = (operator: string, dtype: DType): never => {
  throw new SpecError('type', `${operator} is not defined for ${dtype}`)
}

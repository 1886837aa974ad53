// Cast: to floats rounded once from the exact value, to integers truncated and saturated (integers wrap), to bool x != 0.
import { type DType, type FloatType, type IntegerType, isFloat, isInteger } from '../dtypes.ts'
import { SpecError } from '../error.ts'
import { exact, isNegative, roundTo, saturate, wrap } from '../formats.ts'
import { type Rational, ratio, reduce, truncate } from '../rational.ts'
import { asBoolean, asInteger, asNumber, asRational, asString, undefinedForType, type Value } from './value.ts'

/** What an element means: a rational with the sign its zero has, or a float that is no rational. */
type Meaning =
  | { readonly value: Rational; readonly signOfZero: 1 | -1 }
  | { readonly value: undefined; readonly float: number }

const meaning = (from: DType, element: Value): Meaning => {
  if (isFloat(from)) {
    const x = asNumber(element)
    if (!Number.isFinite(x)) return { value: undefined, float: x }
    return { value: exact(x), signOfZero: isNegative(x) ? -1 : 1 }
  }
  if (isInteger(from)) return { value: ratio(asInteger(from, element)), signOfZero: 1 }
  if (from === 'bool') return { value: ratio(asBoolean(element) ? 1n : 0n), signOfZero: 1 }
  return { value: asRational(element), signOfZero: 1 }
}

const toFloat = (to: FloatType, from: Meaning): number =>
  from.value ? roundTo(to, from.value, from.signOfZero) : from.float

const toInteger = (to: IntegerType, from: Meaning, wraps: boolean): number | bigint => {
  if (from.value) return (wraps ? wrap : saturate)(to, truncate(from.value))
  const beyond = 1n << 64n
  return saturate(to, Number.isNaN(from.float) ? 0n : from.float > 0 ? beyond : -beyond)
}

export const cast = (from: DType, to: DType, element: Value): Value => {
  if (from === 'string' && to === 'string') return asString(element)
  if (from === 'string' || to === 'string') return undefinedForType(`Cast to ${to}`, from)
  const source = meaning(from, element)
  if (isFloat(to)) return toFloat(to, source)
  if (isInteger(to)) return toInteger(to, source, isInteger(from))
  if (to === 'bool') return source.value === undefined || source.value.n !== 0n
  if (source.value === undefined) throw new SpecError('value', `${source.float} is not a real number`)
  return reduce(source.value)
}

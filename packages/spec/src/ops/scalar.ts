// Every operator by name and element type: what it does to single elements.
import { type DType, isFloat, isInteger } from '../dtypes.ts'
import { cast } from './cast.ts'
import { floatOperators } from './float.ts'
import { integerOperators } from './integer.ts'
import { realOperators } from './real.ts'
import { type Attributes, asBoolean, asString, type Operator, undefinedForType } from './value.ts'

const boolOperators = (): Readonly<Record<string, Operator>> => {
  const binary =
    (compute: (x: boolean, y: boolean) => boolean): Operator =>
    (x, y) =>
      compute(asBoolean(x), asBoolean(y))
  const not: Operator = (x) => !asBoolean(x)
  const and = binary((x, y) => x && y)
  const or = binary((x, y) => x || y)
  const xor = binary((x, y) => x !== y)
  return {
    And: and,
    Or: or,
    Xor: xor,
    Not: not,
    Equal: binary((x, y) => x === y),
    NotEqual: xor,
    BitwiseAnd: and,
    BitwiseOr: or,
    BitwiseXor: xor,
    BitwiseNot: not,
  }
}

const stringOperators = (): Readonly<Record<string, Operator>> => ({
  Equal: (x, y) => asString(x) === asString(y),
  NotEqual: (x, y) => asString(x) !== asString(y),
})

/** What works for every type because it moves elements or says itself what it makes of them. */
const commonOperators = (dtype: DType, attributes: Attributes): Readonly<Record<string, Operator>> => ({
  Identity: (x) => x!,
  Where: (condition, x, y) => (asBoolean(condition) ? x! : y!),
  Cast: (x) => cast(dtype, attributes.to ?? dtype, x!),
})

/**
 * The operator on elements of `dtype` (for Where the type of its two values, for Pow of the base). Float arguments are
 * values of the type; a type the operator is not defined for throws at once, an argument without a result when applied.
 *
 * @example
 * ```ts
 * scalar('Add', 'int8')(120, 100) // -36
 * scalar('Div', 'int32')(-7, 2) // -3
 * ```
 */
export const scalar = (operator: string, dtype: DType, attributes: Attributes = {}): Operator => {
  const own = isFloat(dtype)
    ? floatOperators(dtype, attributes)
    : isInteger(dtype)
      ? integerOperators(dtype, attributes)
      : dtype === 'real'
        ? realOperators(attributes)
        : dtype === 'bool'
          ? boolOperators()
          : stringOperators()
  return { ...own, ...commonOperators(dtype, attributes) }[operator] ?? undefinedForType(operator, dtype)
}

// The operators on exact rationals. Functions whose values are irrational are not defined here.
import { type DType, isFloat, isInteger } from '../dtypes.ts'
import { exact } from '../formats.ts'
import {
  absolute,
  ceiling,
  compare,
  floor,
  minus,
  nearestEven,
  negate,
  over,
  plus,
  type Rational,
  ratio,
  reduce,
  signOf,
  times,
} from '../rational.ts'
import {
  type Attributes,
  asInteger,
  asNumber,
  asRational,
  divisionByZero,
  type Operator,
  undefinedForType,
  type Value,
} from './value.ts'

const divide = (x: Rational, y: Rational): Rational => (signOf(y) === 0 ? divisionByZero() : over(x, y))

/** The exponent as a rational, whatever type it was given in. */
const exponentValue = (type: DType, y: Value | undefined): Rational => {
  if (isInteger(type)) return ratio(asInteger(type, y))
  if (isFloat(type)) return exact(asNumber(y))
  return type === 'real' ? asRational(y) : undefinedForType('Pow', type)
}

const power = (x: Rational, y: Rational): Rational => {
  const { n: exponent, d } = reduce(y)
  if (d !== 1n) return undefinedForType('Pow with a fractional exponent', 'real')
  const size = absolute(exponent)
  const result = ratio(x.n ** size, x.d ** size)
  return exponent < 0n ? divide(ratio(1n), result) : result
}

export const realOperators = (attributes: Attributes): Readonly<Record<string, Operator>> => {
  const binary =
    (compute: (x: Rational, y: Rational) => Rational): Operator =>
    (x, y) =>
      reduce(compute(asRational(x), asRational(y)))
  const unary =
    (compute: (x: Rational) => Rational): Operator =>
    (x) =>
      reduce(compute(asRational(x)))
  const comparison =
    (holds: (order: number) => boolean): Operator =>
    (x, y) =>
      holds(compare(asRational(x), asRational(y)))
  const fold = (xs: readonly (Value | undefined)[], step: (x: Rational, y: Rational) => Rational): Rational =>
    reduce(xs.map(asRational).reduce(step))
  return {
    Add: binary(plus),
    Sub: binary(minus),
    Mul: binary(times),
    Div: binary(divide),
    Pow: (x, y) => reduce(power(asRational(x), exponentValue(attributes.exponentType ?? 'real', y))),
    Max: (...xs) => fold(xs, (x, y) => (compare(x, y) > 0 ? x : y)),
    Min: (...xs) => fold(xs, (x, y) => (compare(x, y) < 0 ? x : y)),
    Sum: (...xs) => fold(xs, plus),
    Mean: (...xs) => reduce(over(fold(xs, plus), ratio(BigInt(xs.length)))),
    SquaredDifference: binary((x, y) => times(minus(x, y), minus(x, y))),
    PRelu: binary((x, slope) => (signOf(x) < 0 ? times(slope, x) : x)),
    Equal: comparison((order) => order === 0),
    NotEqual: comparison((order) => order !== 0),
    Greater: comparison((order) => order > 0),
    Less: comparison((order) => order < 0),
    GreaterOrEqual: comparison((order) => order >= 0),
    LessOrEqual: comparison((order) => order <= 0),
    Neg: unary(negate),
    Abs: unary((x) => ratio(absolute(x.n), x.d)),
    Relu: unary((x) => (signOf(x) > 0 ? x : ratio(0n))),
    Floor: unary((x) => ratio(floor(x))),
    Ceil: unary((x) => ratio(ceiling(x))),
    Round: unary((x) => ratio(nearestEven(x))),
    Sign: unary((x) => ratio(BigInt(signOf(x)))),
    Reciprocal: unary((x) => divide(ratio(1n), x)),
  }
}

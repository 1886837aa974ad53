// The operators on float elements. The 16-bit types compute in float32 and are rounded once at the end of the operator;
// the others compute in themselves.
import { type FloatType, isFloat, isInteger } from '../dtypes.ts'
import { exact, isNegative, roundNumber } from '../formats.ts'
import { correctlyRounded } from '../functions.ts'
import { ceiling, floor, nearestEven, type Rational } from '../rational.ts'
import {
  add,
  divide,
  floorMod,
  fmod,
  maximum,
  minimum,
  multiply,
  squareRoot,
  subtract,
  zeroOfSign,
} from './arithmetic.ts'
import { type Attributes, asInteger, asNumber, type Operator, undefinedForType, type Value } from './value.ts'

export const computeType = (dtype: FloatType): FloatType =>
  dtype === 'float16' || dtype === 'bfloat16' ? 'float32' : dtype

/** To an integral value; the sign stays, also that of a zero. */
const integral =
  (choose: (value: Rational) => bigint) =>
  (x: number): number => {
    if (!Number.isFinite(x)) return x
    const result = Number(choose(exact(x)))
    return result === 0 ? zeroOfSign(isNegative(x)) : result
  }

const pow = (dtype: FloatType, attributes: Attributes): Operator => {
  const exponentType = attributes.exponentType ?? dtype
  return (x, y) => {
    if (isFloat(exponentType)) return correctlyRounded('Pow', [asNumber(x), asNumber(y)], dtype)
    if (isInteger(exponentType)) return correctlyRounded('Pow', [asNumber(x), asInteger(exponentType, y)], dtype)
    return undefinedForType('Pow', exponentType)
  }
}

export const floatOperators = (dtype: FloatType, attributes: Attributes): Readonly<Record<string, Operator>> => {
  const inner = computeType(dtype)
  const binary =
    (compute: (format: FloatType, x: number, y: number) => number): Operator =>
    (x, y) =>
      roundNumber(dtype, compute(inner, asNumber(x), asNumber(y)))
  const unary =
    (compute: (x: number) => number): Operator =>
    (x) =>
      roundNumber(dtype, compute(asNumber(x)))
  const comparison =
    (holds: (x: number, y: number) => boolean): Operator =>
    (x, y) =>
      holds(asNumber(x), asNumber(y))
  const fold =
    (step: (x: number, y: number) => number): Operator =>
    (...xs) =>
      xs.map(asNumber).reduce(step)
  const sum = (xs: readonly Value[]): number => xs.map(asNumber).reduce((x, y) => add(inner, x, y))
  return {
    Add: binary(add),
    Sub: binary(subtract),
    Mul: binary(multiply),
    Div: binary(divide),
    // fmod=0 is for integers.
    ...(attributes.fmod ? { Mod: binary(fmod) } : {}),
    FloorMod: binary(floorMod),
    SquaredDifference: binary((format, x, y) => {
      const difference = subtract(format, x, y)
      return multiply(format, difference, difference)
    }),
    PRelu: binary((format, x, slope) => (x < 0 ? multiply(format, slope, x) : x)),
    Pow: pow(dtype, attributes),
    Max: fold(maximum),
    Min: fold(minimum),
    Sum: (...xs) => roundNumber(dtype, sum(xs)),
    Mean: (...xs) => roundNumber(dtype, divide(inner, sum(xs), xs.length)),
    Equal: comparison((x, y) => x === y),
    NotEqual: comparison((x, y) => x !== y),
    Greater: comparison((x, y) => x > y),
    Less: comparison((x, y) => x < y),
    GreaterOrEqual: comparison((x, y) => x >= y),
    LessOrEqual: comparison((x, y) => x <= y),
    Neg: unary((x) => -x),
    Abs: unary((x) => (isNegative(x) ? -x : x)),
    Sqrt: unary((x) => squareRoot(inner, x)),
    Reciprocal: unary((x) => divide(inner, 1, x)),
    Relu: unary((x) => maximum(x, 0)),
    Floor: unary(integral(floor)),
    Ceil: unary(integral(ceiling)),
    Round: unary(integral(nearestEven)),
    Sign: unary((x) => (Number.isNaN(x) ? x : x === 0 ? 0 : isNegative(x) ? -1 : 1)),
    Exp: unary((x) => correctlyRounded('Exp', [x], dtype)),
    Log: unary((x) => correctlyRounded('Log', [x], dtype)),
    Tanh: unary((x) => correctlyRounded('Tanh', [x], dtype)),
    Sigmoid: unary((x) => correctlyRounded('Sigmoid', [x], dtype)),
  }
}

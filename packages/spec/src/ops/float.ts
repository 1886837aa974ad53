// The operators on float elements. The 16-bit types compute in float32 and are rounded once at the end of the operator;
// the others compute in themselves.
import type { FloatType } from '../dtypes.ts'
import { exact, isNegative, largest, roundNumber } from '../formats.ts'
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
import { attribute, computeType, functionCall, functionOperators } from './functions.ts'
import { type Attributes, asNumber, type Operator, type Value } from './value.ts'

/** To an integral value; the sign stays, also that of a zero. */
const integral =
  (choose: (value: Rational) => bigint) =>
  (x: number): number => {
    if (!Number.isFinite(x)) return x
    const result = Number(choose(exact(x)))
    return result === 0 ? zeroOfSign(isNegative(x)) : result
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
  const sum = (xs: readonly (Value | undefined)[]): number => xs.map(asNumber).reduce((x, y) => add(inner, x, y))
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
    // ONNX LeakyRelu-16: x < 0 ? alpha * x : x, as PRelu.
    LeakyRelu: unary((x) => (x < 0 ? multiply(inner, attribute(dtype, attributes.alpha, 0.01), x) : x)),
    // ONNX HardSigmoid-6: max(0, min(1, alpha * x + beta)); the product is rounded, then the sum.
    HardSigmoid: unary((x) => {
      const product = multiply(inner, attribute(dtype, attributes.alpha, 0.2), x)
      return maximum(0, minimum(1, add(inner, product, attribute(dtype, attributes.beta, 0.5))))
    }),
    // ONNX Clip-13: min(max(x, min), max), so that max wins over a larger min. A bound that is left out is the lowest or
    // the largest finite number of the type, so that Clip makes infinities finite.
    Clip: (x, low, high) => {
      const greatest = largest(dtype)
      return minimum(maximum(asNumber(x), asNumber(low ?? -greatest)), asNumber(high ?? greatest))
    },
    ...Object.fromEntries(
      functionOperators.map((operator): [string, Operator] => [
        operator,
        (...xs) => {
          const { fn, args } = functionCall(operator, dtype, attributes, xs)!
          return correctlyRounded(fn, args, dtype)
        },
      ]),
    ),
  }
}

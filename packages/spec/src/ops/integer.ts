// The operators on integer elements: the exact integer result modulo 2^width.
import { type IntegerType, isFloat, isInteger, isSigned, widthOf } from '../dtypes.ts'
import { integerRange, saturate, wrap } from '../formats.ts'
import { correctlyRounded, truncatedPower } from '../functions.ts'
import { absolute, floorDivide } from '../rational.ts'
import { cast } from './cast.ts'
import { type Attributes, asInteger, asNumber, divisionByZero, type Operator, undefinedForType } from './value.ts'

const floorRemainder = (x: bigint, y: bigint): bigint => x - y * floorDivide(x, y)

/** base^exponent modulo 2^width by repeated squaring, for an exponent that is not negative. */
const powerModulo = (base: bigint, exponent: bigint, width: number): bigint => {
  let result = 1n
  let square = base
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = BigInt.asIntN(width, result * square)
    square = BigInt.asIntN(width, square * square)
  }
  return result
}

const integerPower = (base: bigint, exponent: bigint, width: number): bigint => {
  if (exponent >= 0n) return powerModulo(base, exponent, width)
  if (base === 0n) return divisionByZero()
  if (base === 1n) return 1n
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n
  return 0n
}

/** The base as a double, its exact power, truncated and saturated; NaN is 0. */
const floatPower = (dtype: IntegerType, base: bigint, exponent: number): number | bigint => {
  const power = truncatedPower(Number(base), exponent)
  if (typeof power === 'bigint') return saturate(dtype, power)
  const beyond = 1n << 64n
  return saturate(dtype, Number.isNaN(power) ? 0n : power > 0 ? beyond : -beyond)
}

const pow = (dtype: IntegerType, attributes: Attributes): Operator => {
  const exponentType = attributes.exponentType ?? dtype
  return (x, y) => {
    const base = asInteger(dtype, x)
    if (isInteger(exponentType)) return wrap(dtype, integerPower(base, asInteger(exponentType, y), widthOf(dtype)))
    if (isFloat(exponentType)) return floatPower(dtype, base, asNumber(y))
    return undefinedForType('Pow', exponentType)
  }
}

/** By the width or more everything is shifted out. A negative amount is read as unsigned, so it is more than that. */
const shift = (dtype: IntegerType, direction: 'LEFT' | 'RIGHT' | undefined, x: bigint, amount: bigint): bigint => {
  const width = BigInt(widthOf(dtype))
  const all = amount < 0n || amount >= width
  if (direction === 'LEFT') return all ? 0n : x << amount
  if (direction === 'RIGHT') return x >> (all ? width : amount)
  return undefinedForType('BitShift without a direction', dtype)
}

export const integerOperators = (dtype: IntegerType, attributes: Attributes): Readonly<Record<string, Operator>> => {
  const integer = (value: Parameters<Operator>[0] | undefined): bigint => asInteger(dtype, value)
  const binary =
    (compute: (x: bigint, y: bigint) => bigint): Operator =>
    (x, y) =>
      wrap(dtype, compute(integer(x), integer(y)))
  const quotient = (compute: (x: bigint, y: bigint) => bigint): Operator =>
    binary((x, y) => (y === 0n ? divisionByZero() : compute(x, y)))
  const unary =
    (compute: (x: bigint) => bigint): Operator =>
    (x) =>
      wrap(dtype, compute(integer(x)))
  const comparison =
    (holds: (x: bigint, y: bigint) => boolean): Operator =>
    (x, y) =>
      holds(integer(x), integer(y))
  const fold =
    (step: (x: bigint, y: bigint) => bigint): Operator =>
    (...xs) =>
      wrap(dtype, xs.map(integer).reduce(step))
  const same = unary((x) => x)
  return {
    Add: binary((x, y) => x + y),
    Sub: binary((x, y) => x - y),
    Mul: binary((x, y) => x * y),
    Div: quotient(attributes.pythondiv ? floorDivide : (x, y) => x / y),
    Mod: quotient(attributes.fmod ? (x, y) => x % y : floorRemainder),
    FloorMod: quotient(floorRemainder),
    Pow: pow(dtype, attributes),
    Max: fold((x, y) => (x > y ? x : y)),
    Min: fold((x, y) => (x < y ? x : y)),
    // ONNX Clip-13: min(max(x, min), max); a bound that is left out is that of the type.
    Clip: (x, low, high) => {
      const { min, max } = integerRange(dtype)
      const [least, most] = [low === undefined ? min : integer(low), high === undefined ? max : integer(high)]
      const raised = integer(x) > least ? integer(x) : least
      return wrap(dtype, raised < most ? raised : most)
    },
    // ONNX Erf-13 takes integers too: the float64 nearest to erf(x), cut to an integer; from 6 on that is 1.
    Erf: (x) => cast('float64', dtype, correctlyRounded('Erf', [Number(integer(x))], 'float64')),
    SquaredDifference: binary((x, y) => (x - y) * (x - y)),
    PRelu: binary((x, slope) => (x < 0n ? slope * x : x)),
    Equal: comparison((x, y) => x === y),
    NotEqual: comparison((x, y) => x !== y),
    Greater: comparison((x, y) => x > y),
    Less: comparison((x, y) => x < y),
    GreaterOrEqual: comparison((x, y) => x >= y),
    LessOrEqual: comparison((x, y) => x <= y),
    BitShift: binary((x, y) => shift(dtype, attributes.direction, x, y)),
    BitwiseAnd: binary((x, y) => x & y),
    BitwiseOr: binary((x, y) => x | y),
    BitwiseXor: binary((x, y) => x ^ y),
    BitwiseNot: unary((x) => ~x),
    Neg: unary((x) => -x),
    Abs: unary(absolute),
    Relu: unary((x) => (x > 0n ? x : 0n)),
    Sign: unary((x) => (x > 0n ? 1n : x < 0n && isSigned(dtype) ? -1n : 0n)),
    Floor: same,
    Ceil: same,
    Round: same,
  }
}

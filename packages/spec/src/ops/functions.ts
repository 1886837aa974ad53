// Which operators on floats are functions with a bound in units in the last place, and of which arguments.
//
// An attribute is first rounded to the type that the operator computes in (float32 for float16, bfloat16 and float32;
// float64 for float64). A model holds float32 numbers, which this keeps; a default is the decimal number of the text.
import { type FloatType, isFloat, isInteger } from '../dtypes.ts'
import type { FunctionArgument } from '../enclosure.ts'
import { roundNumber } from '../formats.ts'
import type { FunctionName } from '../special.ts'
import { type Attributes, asInteger, asNumber, undefinedForType, type Value } from './value.ts'

export const computeType = (dtype: FloatType): FloatType =>
  dtype === 'float16' || dtype === 'bfloat16' ? 'float32' : dtype

/** An attribute, or its default, in the type that the operator computes in. */
export const attribute = (dtype: FloatType, value: number | undefined, otherwise: number): number =>
  roundNumber(computeType(dtype), value ?? otherwise)

/** A function whose exact value is not representable, and its arguments. */
export interface FunctionCall {
  readonly fn: FunctionName
  readonly args: readonly FunctionArgument[]
}

type Call = (dtype: FloatType, attributes: Attributes, args: readonly (Value | undefined)[]) => FunctionCall

const unary =
  (fn: FunctionName): Call =>
  (_dtype, _attributes, [x]) => ({ fn, args: [asNumber(x)] })

const pow: Call = (dtype, attributes, [x, y]) => {
  const exponentType = attributes.exponentType ?? dtype
  if (isFloat(exponentType)) return { fn: 'Pow', args: [asNumber(x), asNumber(y)] }
  if (isInteger(exponentType)) return { fn: 'Pow', args: [asNumber(x), asInteger(exponentType, y)] }
  return undefinedForType('Pow', exponentType)
}

/** ONNX Elu-6: x < 0 ? alpha * (exp(x) - 1) : x, alpha 1 by default. */
const elu: Call = (dtype, { alpha }, [x]) => ({ fn: 'Elu', args: [asNumber(x), attribute(dtype, alpha, 1)] })

/** ONNX Gelu-20: 0.5 * x * (1 + erf(x / sqrt(2))), or 0.5 * x * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x^3))). */
const gelu: Call = (_dtype, { approximate }, [x]) => ({
  fn: approximate === 'tanh' ? 'GeluTanh' : 'Gelu',
  args: [asNumber(x)],
})

const CALLS: Readonly<Record<string, Call>> = {
  Exp: unary('Exp'),
  Log: unary('Log'),
  Tanh: unary('Tanh'),
  Sigmoid: unary('Sigmoid'),
  Sin: unary('Sin'),
  Cos: unary('Cos'),
  Atan: unary('Atan'),
  Erf: unary('Erf'),
  Softplus: unary('Softplus'),
  Pow: pow,
  Elu: elu,
  Gelu: gelu,
}

export const functionOperators: readonly string[] = Object.keys(CALLS)

/** The function that an operator on floats is at these elements; undefined for operators of IEEE arithmetic. */
export const functionCall = (
  operator: string,
  dtype: FloatType,
  attributes: Attributes,
  args: readonly (Value | undefined)[],
): FunctionCall | undefined => CALLS[operator]?.(dtype, attributes, args)

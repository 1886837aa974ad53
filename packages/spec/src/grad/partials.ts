// The derivative of every operator that has one: for each operand how the result changes with it. The gradient of an
// operand is the gradient of the result times that.
import { type DType, type FloatType, isFloat } from '../dtypes.ts'
import { exact, roundTo } from '../formats.ts'
import { attribute } from '../ops/functions.ts'
import { scalar } from '../ops/scalar.ts'
import { type Attributes, asBoolean, asNumber, asRational, undefinedForType, type Value } from '../ops/value.ts'
import { type Rational, rational, reduce } from '../rational.ts'
import { functionPartials } from './functions.ts'
import { rationalPartials } from './rational.ts'

/** The default slopes of ONNX LeakyRelu-16, HardSigmoid-6 and Elu-6. */
const ALPHA: Readonly<Record<string, number>> = { LeakyRelu: 0.01, HardSigmoid: 0.2, Elu: 1 }

/** An operand that decides and is not computed with has no derivative. */
export type PartialDerivative = number | Rational | undefined

/**
 * The partial derivatives of the operator at finite elements of `dtype` (for Where the type of its two values): exact
 * rationals for `real`, else numbers of float64. Throws for an operator or a type that has none.
 */
export const partials = (
  operator: string,
  dtype: DType,
  attributes: Attributes = {},
): ((...args: Value[]) => readonly PartialDerivative[]) => {
  if (dtype !== 'real' && !isFloat(dtype)) return undefinedForType(`the derivative of ${operator}`, dtype)
  if (operator === 'Where') {
    const [all, nothing] = dtype === 'real' ? [rational(1n), rational(0n)] : [1, 0]
    return (condition) => [undefined, ...(asBoolean(condition) ? [all, nothing] : [nothing, all])]
  }
  return dtype === 'real' ? ofRationals(operator) : ofFloats(operator, dtype, attributes)
}

function ofRationals(operator: string): (...args: Value[]) => readonly PartialDerivative[] {
  const formula = rationalPartials[operator] ?? undefinedForType(`the derivative of ${operator}`, 'real')
  return (...args) => formula(args.map(asRational), rational(0n)).map((each) => each && reduce(each))
}

function ofFloats(
  operator: string,
  dtype: FloatType,
  attributes: Attributes,
): (...args: Value[]) => readonly PartialDerivative[] {
  const { alpha, approximate = 'none' } = attributes
  const slope = attribute(dtype, alpha, ALPHA[operator] ?? 0)
  const fn = functionPartials[operator]
  if (fn !== undefined) return (...args) => fn(args.map(asNumber), { alpha: slope, approximate })
  if (operator === 'HardSigmoid') {
    // It is at an end where rounding puts it there, too.
    const value = scalar(operator, dtype, attributes)
    return (x) => [asNumber(value(x)) > 0 && asNumber(value(x)) < 1 ? slope : 0]
  }
  const formula = rationalPartials[operator] ?? undefinedForType(`the derivative of ${operator}`, dtype)
  const exactly = exact(slope)
  return (...args) =>
    formula(
      args.map((arg) => exact(asNumber(arg))),
      exactly,
    ).map((each) => each && roundTo('float64', each))
}

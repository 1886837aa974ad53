// What element-wise operators make of elements that are known: sizes as Dims, other floats as numbers. By bcast's names
// of the operators; of one that is not here no element of the result is known.
import type { OperatorName } from 'bcast'
import {
  abs as absOf,
  add as addDims,
  bounds,
  type Certainty,
  constant,
  constantOf,
  type Dim,
  floorMod,
  isAtMost,
  isEqual,
  isLess,
  max as maxOf,
  min as minOf,
  mul as mulDims,
  neg as negated,
  sub as subDims,
  truncDiv,
  truncMod,
} from '../dims/index.ts'
import type { ElementType } from '../model/element-type.ts'
import { dimOfScalar, isFloat, numberOfScalar, type Scalar } from './known.ts'

/** Gives null where the result is not known; `element` is the type that the operands share. */
export type Compute = (
  elements: readonly Scalar[],
  element: ElementType | undefined,
  attributes: Readonly<Record<string, unknown>>,
) => Scalar

/** Computed over integers, and over floats where all are numbers (each step rounds to the type once). */
const arithmetic =
  (integers: (a: Dim, b: Dim) => Dim | null, floats: (a: number, b: number) => number): Compute =>
  (elements, element) => {
    const numbers = isFloat(element) ? elements.map(numberOfScalar) : []
    if (numbers.length > 0 && numbers.every((x) => x !== undefined)) {
      const round = element === 'float32' ? Math.fround : (x: number) => x
      return numbers.reduce((a, b) => round(floats(a, b)))
    }
    return elements.map(dimOfScalar).reduce((a, b) => (a === null || b === null ? null : integers(a, b)))
  }

const truth = (certain: Certainty): Dim | null => (certain === undefined ? null : constant(certain ? 1 : 0))

/** A comparison of whole numbers that may be certain; of other floats where both are numbers. */
const comparison =
  (integers: (a: Dim, b: Dim) => Certainty, floats: (a: number, b: number) => boolean): Compute =>
  ([a, b]) => {
    if (typeof a === 'number' && typeof b === 'number') return truth(floats(a, b))
    const [x, y] = [dimOfScalar(a!), dimOfScalar(b!)]
    return x && y ? truth(integers(x, y)) : null
  }

const isTrue = (value: Scalar): Certainty => {
  const number = numberOfScalar(value)
  return number === undefined ? undefined : number !== 0
}

const logic =
  (decide: (a: Certainty, b: Certainty) => Certainty): Compute =>
  ([a, b]) =>
    truth(decide(isTrue(a!), isTrue(b!)))

const isZero = (dim: Dim): boolean => constantOf(dim) === 0n
const isNonzero = (dim: Dim): boolean => isEqual(dim, 0) === false

/** A quotient of whole numbers is one where it comes out even; integers round toward zero. */
const div: Compute = (elements, element, attributes) =>
  arithmetic(
    (a, b) => {
      if (!isNonzero(b)) return null
      const quotient = truncDiv(a, b)
      return isFloat(element) && isEqual(mulDims(quotient, b), a) !== true ? null : quotient
    },
    (a, b) => a / b,
  )(elements, element, attributes)

/** Of floats only the remainder that ONNX has always had; the other came later. */
const mod: Compute = (elements, element, attributes) => {
  const fmod = attributes['fmod'] === true
  if (isFloat(element) && !fmod) return null
  return arithmetic(
    (a, b) => (isNonzero(b) ? (fmod ? truncMod : floorMod)(a, b) : null),
    (a, b) => a % b,
  )(elements, element, attributes)
}

/** Nothing times something that is not known is still nothing. */
const mul: Compute = (elements, element, attributes) =>
  !isFloat(element) && elements.some((x) => x !== null && typeof x !== 'number' && isZero(x))
    ? constant(0)
    : arithmetic(mulDims, (a, b) => a * b)(elements, element, attributes)

const pow: Compute = ([a, b]) => {
  const [base, exponent] = [dimOfScalar(a!), numberOfScalar(b!)]
  if (base === null || exponent === undefined || !Number.isInteger(exponent)) return null
  if (exponent < 0 || exponent > 4) return null
  let result = constant(1)
  for (let i = 0; i < exponent; i++) result = mulDims(result, base)
  return result
}

/** Larger of two floats; NaN wins. */
const extreme = (dims: (...all: Dim[]) => Dim, floats: (...all: number[]) => number): Compute =>
  arithmetic((a, b) => dims(a, b), floats)

const addition = arithmetic(addDims, (a, b) => a + b)

const where: Compute = ([which, left, right]) => {
  const certain = isTrue(which!)
  if (certain !== undefined) return certain ? left! : right!
  return left && right && typeof left !== 'number' && typeof right !== 'number' && isEqual(left, right) ? left : null
}

/** Of one element: over whole numbers as Dims, and over other floats as numbers. */
const computed =
  (whole: (dim: Dim) => Dim | null, fraction: (value: number) => number): Compute =>
  ([value]) => {
    if (typeof value === 'number') return fraction(value)
    return value === null ? null : whole(value!)
  }

/** Over floats that depend on nothing. */
const ofNumbers =
  (fraction: (value: number) => number): Compute =>
  ([value]) => {
    const number = numberOfScalar(value!)
    return number === undefined ? null : fraction(number)
  }

const sign = (dim: Dim): Dim | null => {
  const { min, max } = bounds(dim)
  if (min > 0) return constant(1)
  if (max < 0) return constant(-1)
  return constantOf(dim) === 0n ? dim : null
}

/** Ties go to the even neighbour. */
function roundedEven(value: number): number {
  const rounded = Math.round(value)
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}

const not: Compute = ([value]) => {
  const dim = dimOfScalar(value!)
  const zero = dim === null ? undefined : isEqual(dim, 0)
  return zero === undefined ? null : constant(zero ? 1 : 0)
}

const same = (dim: Dim): Dim => dim

export const computations: Readonly<Partial<Record<OperatorName, Compute>>> = {
  add: addition,
  sub: arithmetic(subDims, (a, b) => a - b),
  mul,
  div,
  mod,
  pow,
  and: logic((a, b) => (a === false || b === false ? false : a && b)),
  or: logic((a, b) => (a === true || b === true ? true : a === undefined ? undefined : b)),
  xor: logic((a, b) => (a === undefined || b === undefined ? undefined : a !== b)),
  equal: comparison(isEqual, (a, b) => a === b),
  less: comparison(isLess, (a, b) => a < b),
  greater: comparison(
    (a, b) => isLess(b, a),
    (a, b) => a > b,
  ),
  lessOrEqual: comparison(isAtMost, (a, b) => a <= b),
  greaterOrEqual: comparison(
    (a, b) => isAtMost(b, a),
    (a, b) => a >= b,
  ),
  max: extreme(maxOf, Math.max),
  min: extreme(minOf, Math.min),
  sum: addition,
  where,
  abs: computed(absOf, Math.abs),
  ceil: computed(same, Math.ceil),
  floor: computed(same, Math.floor),
  neg: computed(negated, (x) => -x),
  not,
  reciprocal: ofNumbers((x) => 1 / x),
  relu: computed(
    (dim) => maxOf(dim, 0),
    (x) => Math.max(x, 0),
  ),
  round: computed(same, roundedEven),
  sign: computed(sign, Math.sign),
  sqrt: ofNumbers(Math.sqrt),
}

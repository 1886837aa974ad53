// Operators of several operands, element by element: everything that broadcasts by ONNX's general rule.
import { none, numpy, type Rule } from 'bcast'
import {
  add as addDims,
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
  sub as subDims,
  truncDiv,
  truncMod,
} from '../../dims/index.ts'
import type { ElementType } from '../../model/element-type.ts'
import { isTruncated } from '../attributes/forms.ts'
import { binaryRule, meetingOf, slopeRule, variadicRule } from '../attributes/legacy.ts'
import type { Call } from '../call.ts'
import { elementwise, held } from '../elements.ts'
import { dimOfScalar, isFloat, type Known, numberOfScalar, type Scalar, tensor } from '../known.ts'
import type { Row } from '../row.ts'

type Compute = (elements: readonly Scalar[], call: Call, element: ElementType | undefined) => Scalar

interface Operator {
  /** The result's type where it is not that of the operands. */
  readonly result?: ElementType
  /** What becomes of elements that are known; without it, none are. */
  readonly compute?: Compute | undefined
}

/** Computed over integers, and over floats where all are numbers (each step rounds to the type once). */
const arithmetic =
  (integers: (a: Dim, b: Dim) => Dim | null, floats: (a: number, b: number) => number): Compute =>
  (elements, _, element) => {
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
const divide: Compute = (elements, call, element) =>
  arithmetic(
    (a, b) => {
      if (!isNonzero(b)) return null
      const quotient = truncDiv(a, b)
      return isFloat(element) && isEqual(mulDims(quotient, b), a) !== true ? null : quotient
    },
    (a, b) => a / b,
  )(elements, call, element)

/** Of floats only the remainder that ONNX has always had; the other came later. */
const remainder: Compute = (elements, call, element) => {
  const fmod = isTruncated(call)
  if (isFloat(element) && !fmod) return null
  return arithmetic(
    (a, b) => (isNonzero(b) ? (fmod ? truncMod : floorMod)(a, b) : null),
    (a, b) => a % b,
  )(elements, call, element)
}

const power: Compute = ([a, b]) => {
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

/** From opset 7 on by the general rule; before by the attributes `broadcast` and `axis`. */
const binary: Readonly<Record<string, Operator>> = {
  Add: { compute: addition },
  Sub: { compute: arithmetic(subDims, (a, b) => a - b) },
  Mul: {
    // Nothing times something that is not known is still nothing.
    compute: (elements, call, element) =>
      !isFloat(element) && elements.some((x) => x !== null && typeof x !== 'number' && isZero(x))
        ? constant(0)
        : arithmetic(mulDims, (a, b) => a * b)(elements, call, element),
  },
  Div: { compute: divide },
  Mod: { compute: remainder },
  Pow: { compute: power },
  And: {
    compute: logic((a, b) => (a === false || b === false ? false : a && b)),
  },
  Or: {
    compute: logic((a, b) => (a === true || b === true ? true : a === undefined ? undefined : b)),
  },
  Xor: {
    compute: logic((a, b) => (a === undefined || b === undefined ? undefined : a !== b)),
  },
  Equal: { result: 'bool', compute: comparison(isEqual, (a, b) => a === b) },
  Less: { result: 'bool', compute: comparison(isLess, (a, b) => a < b) },
  Greater: {
    result: 'bool',
    compute: comparison(
      (a, b) => isLess(b, a),
      (a, b) => a > b,
    ),
  },
  LessOrEqual: { result: 'bool', compute: comparison(isAtMost, (a, b) => a <= b) },
  GreaterOrEqual: {
    result: 'bool',
    compute: comparison(
      (a, b) => isAtMost(b, a),
      (a, b) => a >= b,
    ),
  },
  BitShift: {},
  BitwiseAnd: {},
  BitwiseOr: {},
  BitwiseXor: {},
}

/** From opset 8 on by the general rule; before, shapes must be equal. */
const variadic: Readonly<Record<string, Operator>> = {
  Max: { compute: extreme(maxOf, Math.max) },
  Min: { compute: extreme(minOf, Math.min) },
  Sum: { compute: addition },
  Mean: {},
}

/** The one result of an operator whose operands meet under a rule. */
function broadcasting(call: Call, rule: Rule, { result, compute }: Operator): readonly Known[] {
  const tensors = call.inputs.map((_, i) => call.tensor(i))
  const shape = call.broadcast(
    tensors.map((_, i) => call.operand(i)),
    rule,
  )
  const element = tensors[0]!.element
  const own = result ?? element
  const values = compute && elementwise(tensors, shape, (elements) => held(compute(elements, call, element), own))
  return [tensor(own, shape, values)]
}

function ruleOf(call: Call): Rule {
  const holdsOnes = call.shape(1)?.some((dim) => constantOf(dim) === 1n) === true
  return binaryRule(call, holdsOnes, (rule) => call.canMeet([call.operand(0), call.operand(1)], rule))
}

const binaryRows = Object.entries(binary).map(
  ([name, operator]): Row => ({
    name,
    infer: (call) => {
      if (call.inputs.length !== 2)
        return call.fail(`it has ${call.inputs.length} input${call.inputs.length === 1 ? '' : 's'}, not 2.`)
      const isGeneral = meetingOf(call) === 'general'
      return broadcasting(call, ruleOf(call), isGeneral ? operator : { ...operator, compute: undefined })
    },
  }),
)

const variadicRows = Object.entries(variadic).map(
  ([name, operator]): Row => ({
    name,
    infer: (call) => {
      if (call.inputs.length === 0) return call.fail('it has no inputs.')
      return broadcasting(call, variadicRule(call), operator)
    },
  }),
)

export const where: Row = {
  name: 'Where',
  since: 9,
  infer: (call) => {
    const [condition, x, y] = [call.tensor(0), call.tensor(1), call.tensor(2)]
    const shape = call.broadcast([call.operand(0), call.operand(1), call.operand(2)], numpy)
    const choose = ([which, left, right]: readonly Scalar[]): Scalar => {
      const certain = isTrue(which!)
      if (certain !== undefined) return certain ? left! : right!
      return left && right && typeof left !== 'number' && typeof right !== 'number' && isEqual(left, right)
        ? left
        : null
    }
    return [tensor(x.element ?? y.element, shape, elementwise([condition, x, y], shape, choose))]
  },
}

export const prelu: Row = {
  name: 'PRelu',
  infer: (call) => {
    const { element, shape } = call.tensor(0)
    return [tensor(element, call.broadcast([call.operand(0), call.operand(1)], slopeRule(call, shape?.length)))]
  },
}

/** Of two tensors of one shape. */
const swiglu: Row = {
  name: 'SwiGLU',
  since: 28,
  infer: (call) => [tensor(call.element(0), call.broadcast([call.operand(0), call.operand(1)], none))],
}

export const elementwiseRows: readonly Row[] = [...binaryRows, ...variadicRows, where, prelu, swiglu]

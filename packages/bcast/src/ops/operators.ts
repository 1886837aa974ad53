// The public element-wise operators, each made from its row.
import * as instructions from '../backend/instructions.ts'
import type { ReductionRow } from '../expr/reductions.ts'
import * as reductions from '../expr/reductions.ts'
import type { Row } from '../expr/row.ts'
import * as rows from '../expr/rows/index.ts'
import { planWithPasses } from '../plan/multipass.ts'
import { isOptions } from '../shape/options.ts'
import { Tensor } from '../tensor/tensor.ts'
import { argumentsOf, plainArguments } from './arguments.ts'
import type { Binary, BinaryWith, Bounded, Choice, Comparison, OneWay, Power, Reducible, Unary } from './calls.ts'
import { COMPUTATION, type Computation, computeAsync } from './computation.ts'
import { apply, applyAsync, computationOf, type Operator } from './elementwise.ts'
import { faultAt } from './fault.ts'
import { withHeld } from './held.ts'
import { reduction } from './reduce.ts'
import { SmallCalls } from './small-calls.ts'
import { TracedOperand } from './traced.ts'

/** The public function of an operator with its asynchronous form. */
function functionOf<F>(operator: Operator): F {
  return Object.assign((...args: readonly unknown[]) => apply(operator, args), {
    async: (...args: readonly unknown[]) => applyAsync(operator, args),
    [COMPUTATION]: (args: readonly unknown[]) => computationOf(operator, args),
  }) as F
}

/** A row whose instructions are not all brought does not compile. */
const operator = <F, const L extends instructions.InstructionList>(
  row: Row<instructions.ProvidedBy<L>>,
  ...needed: L
): F => functionOf({ row, read: plainArguments, instructions: instructions.instructionsOf(...needed) })

/** Of attributes, of operands that may be left out, or of elements without a value. */
const special = <F, const L extends instructions.InstructionList>(
  row: Row<instructions.ProvidedBy<L>>,
  ...needed: L
): F => functionOf({ row, read: argumentsOf, fault: faultAt, instructions: instructions.instructionsOf(...needed) })

/** Of any number of operands, which may be more than a kernel takes; of one tensor it is a reduction over its axes. */
const reducible = <const L extends instructions.InstructionList>(
  row: Row<instructions.ProvidedBy<L>>,
  reduced: ReductionRow,
  ...needed: L
): Reducible => {
  const own = instructions.instructionsOf(...needed)
  const operator: Operator = { row, read: argumentsOf, instructions: own, planWith: planWithPasses }
  const computing = (args: readonly unknown[]): Computation =>
    isReduction(args) ? reduction({ row: reduced, instructions: own }, args) : computationOf(operator, args)
  const small = new SmallCalls()
  return Object.assign(
    (...args: readonly unknown[]) => {
      const [x] = args
      if (!isReduction(args)) return apply(operator, args)
      if (x instanceof TracedOperand) return x.recording.reduce(reduced, args)
      return small.compute(args, (...own) => computing(own))
    },
    {
      async: (...args: readonly unknown[]) =>
        isReduction(args) && args[0] instanceof Tensor
          ? withHeld(args, (own) => computeAsync(computing(own)))
          : applyAsync(operator, args),
      [COMPUTATION]: computing,
    },
  ) as unknown as Reducible
}

/** Whether a call is over the axes of one tensor, or of what stands for one. */
const isReduction = ([x, options, ...rest]: readonly unknown[]): boolean =>
  (x instanceof Tensor || x instanceof TracedOperand) &&
  rest.length === 0 &&
  (options === undefined || isOptions(options))

/**
 * The sum a + b.
 *
 * @example
 * ```ts
 * add(tensor([[1, 2, 3], [4, 5, 6]]), tensor([10, 20, 30])).toArray() // [[11, 22, 33], [14, 25, 36]]
 * ```
 */
export const add: Binary = /* @__PURE__ */ operator(rows.add, instructions.add)

/**
 * The difference a - b.
 *
 * @example
 * ```ts
 * sub(tensor([3, 5]), 1).toArray() // [2, 4]
 * ```
 */
export const sub: Binary = /* @__PURE__ */ operator(rows.sub, instructions.sub)

/**
 * The product a * b, element by element.
 *
 * @example
 * ```ts
 * mul(tensor([[1], [2]]), tensor([3, 4])).toArray() // [[3, 4], [6, 8]]
 * ```
 */
export const mul: Binary = /* @__PURE__ */ operator(rows.mul, instructions.mul)

/**
 * The rest of a division, with the divisor's sign, for floats too.
 *
 * @example
 * ```ts
 * floorMod(tensor([-7, 7]), 3).toArray() // [2, 1]
 * ```
 */
export const floorMod: Binary = /* @__PURE__ */ special(rows.floorMod, instructions.mod)

/**
 * The square of a - b.
 *
 * @example
 * ```ts
 * squaredDifference(tensor([1, 5]), 2).toArray() // [1, 9]
 * ```
 */
export const squaredDifference: Binary = /* @__PURE__ */ operator(
  rows.squaredDifference,
  instructions.sub,
  instructions.mul,
)

/**
 * Floats divide; integers truncate toward zero.
 *
 * @example
 * ```ts
 * div(tensor([6, 9]), tensor([2, 3])).toArray() // [3, 3]
 * div(tensor([7, -7], { dtype: 'int32' }), 2).toArray() // [3, -3]
 * ```
 */
export const div: Binary<rows.DivAttributes> = /* @__PURE__ */ special(
  rows.div,
  instructions.div,
  instructions.floorDiv,
)

/**
 * The rest of a division; follows the divisor's sign unless `fmod`.
 *
 * @example
 * ```ts
 * mod(tensor([-7, 7], { dtype: 'int32' }), 3).toArray() // [2, 1]
 * mod(tensor([-7.5]), 2, { fmod: true }).toArray() // [-1.5]
 * ```
 */
export const mod: Binary<rows.ModAttributes> = /* @__PURE__ */ special(rows.mod, instructions.rem, instructions.mod)

/**
 * a to the power b; the result has a's type, whatever b's.
 *
 * @example
 * ```ts
 * pow(tensor([2, 3]), 2).toArray() // [4, 9]
 * ```
 */
export const pow: Power = /* @__PURE__ */ special(rows.pow, instructions.power, instructions.float64Functions)

/**
 * The largest of any number of operands, element by element; NaN if one is NaN.
 *
 * @example
 * ```ts
 * max(tensor([1, 5]), tensor([3, 2]), 2).toArray() // [3, 5]
 * ```
 */
export const max: Reducible = /* @__PURE__ */ reducible(rows.max, reductions.max, instructions.max)

/**
 * The smallest of any number of operands, element by element; NaN if one is NaN.
 *
 * @example
 * ```ts
 * min(tensor([1, 5]), tensor([3, 2])).toArray() // [1, 2]
 * ```
 */
export const min: Reducible = /* @__PURE__ */ reducible(rows.min, reductions.min, instructions.min)

/**
 * The mean of any number of operands, element by element.
 *
 * @example
 * ```ts
 * mean(tensor([1, 5]), tensor([3, 2])).toArray() // [2, 3.5]
 * ```
 */
export const mean: Reducible = /* @__PURE__ */ reducible(rows.mean, reductions.mean, instructions.add, instructions.div)

/**
 * The sum of any number of operands, element by element.
 *
 * @example
 * ```ts
 * sum(tensor([1, 5]), tensor([3, 2]), 10).toArray() // [14, 17]
 * ```
 */
export const sum: Reducible = /* @__PURE__ */ reducible(rows.sum, reductions.sum, instructions.add)

/**
 * Whether both hold.
 *
 * @example
 * ```ts
 * and(tensor([true, true]), tensor([true, false])).toArray() // [true, false]
 * ```
 */
export const and: Binary = /* @__PURE__ */ operator(rows.and, instructions.and)

/**
 * Whether one holds, or both.
 *
 * @example
 * ```ts
 * or(tensor([false, true]), tensor([false, false])).toArray() // [false, true]
 * ```
 */
export const or: Binary = /* @__PURE__ */ operator(rows.or, instructions.or)

/**
 * Whether one holds and the other does not.
 *
 * @example
 * ```ts
 * xor(tensor([true, true]), tensor([true, false])).toArray() // [false, true]
 * ```
 */
export const xor: Binary = /* @__PURE__ */ operator(rows.xor, instructions.xor)

/**
 * Whether it does not hold.
 *
 * @example
 * ```ts
 * not(tensor([true, false])).toArray() // [false, true]
 * ```
 */
export const not: Unary = /* @__PURE__ */ operator(rows.not, instructions.not)

/**
 * Whether a and b are equal; NaN equals nothing.
 *
 * @example
 * ```ts
 * equal(tensor([1, 2]), 2).toArray() // [false, true]
 * ```
 */
export const equal: Comparison = /* @__PURE__ */ operator(rows.equal, instructions.equal)

/**
 * Whether a and b differ; NaN differs from everything.
 *
 * @example
 * ```ts
 * notEqual(tensor([1, 2]), 2).toArray() // [true, false]
 * ```
 */
export const notEqual: Comparison = /* @__PURE__ */ operator(rows.notEqual, instructions.equal, instructions.not)

/**
 * Whether a > b.
 *
 * @example
 * ```ts
 * greater(tensor([1, 3]), 2).toArray() // [false, true]
 * ```
 */
export const greater: Comparison = /* @__PURE__ */ operator(rows.greater, instructions.less)

/**
 * Whether a < b.
 *
 * @example
 * ```ts
 * less(tensor([1, 3]), 2).toArray() // [true, false]
 * ```
 */
export const less: Comparison = /* @__PURE__ */ operator(rows.less, instructions.less)

/**
 * Whether a >= b.
 *
 * @example
 * ```ts
 * greaterOrEqual(tensor([1, 2]), 2).toArray() // [false, true]
 * ```
 */
export const greaterOrEqual: Comparison = /* @__PURE__ */ operator(rows.greaterOrEqual, instructions.lessEqual)

/**
 * Whether a <= b.
 *
 * @example
 * ```ts
 * lessOrEqual(tensor([1, 2]), 1).toArray() // [true, false]
 * ```
 */
export const lessOrEqual: Comparison = /* @__PURE__ */ operator(rows.lessOrEqual, instructions.lessEqual)

/**
 * The bits that both integers have.
 *
 * @example
 * ```ts
 * bitwiseAnd(tensor([6], { dtype: 'int32' }), 3).toArray() // [2]
 * ```
 */
export const bitwiseAnd: Binary = /* @__PURE__ */ operator(rows.bitwiseAnd, instructions.and)

/**
 * The bits that one integer has, or both.
 *
 * @example
 * ```ts
 * bitwiseOr(tensor([6], { dtype: 'int32' }), 3).toArray() // [7]
 * ```
 */
export const bitwiseOr: Binary = /* @__PURE__ */ operator(rows.bitwiseOr, instructions.or)

/**
 * The bits that one integer has and the other has not.
 *
 * @example
 * ```ts
 * bitwiseXor(tensor([6], { dtype: 'int32' }), 3).toArray() // [5]
 * ```
 */
export const bitwiseXor: Binary = /* @__PURE__ */ operator(rows.bitwiseXor, instructions.xor)

/**
 * Every bit turned.
 *
 * @example
 * ```ts
 * bitwiseNot(tensor([6], { dtype: 'int32' })).toArray() // [-7]
 * ```
 */
export const bitwiseNot: Unary = /* @__PURE__ */ operator(rows.bitwiseNot, instructions.not)
const SHIFTS = {
  shl: instructions.shl,
  shr: instructions.shr,
  and: instructions.and,
  not: instructions.not,
  less: instructions.less,
  lessEqual: instructions.lessEqual,
  select: instructions.select,
}

/**
 * x shifted to the left by y bits; by the type's width or more gives 0.
 *
 * @example
 * ```ts
 * leftShift(tensor([3], { dtype: 'int32' }), 2).toArray() // [12]
 * ```
 */
export const leftShift: Binary = /* @__PURE__ */ operator(rows.leftShift, SHIFTS)

/**
 * x shifted to the right by y bits; a signed type keeps its sign.
 *
 * @example
 * ```ts
 * rightShift(tensor([-8], { dtype: 'int32' }), 2).toArray() // [-2]
 * ```
 */
export const rightShift: Binary = /* @__PURE__ */ operator(rows.rightShift, SHIFTS)

/**
 * x shifted by y bits; by the type's width or more gives 0, or all sign bits to the right.
 *
 * @example
 * ```ts
 * bitShift(tensor([8, 16], { dtype: 'uint8' }), 2, { direction: 'RIGHT' }).toArray() // [2, 4]
 * ```
 */
export const bitShift: BinaryWith<rows.BitShiftAttributes> = /* @__PURE__ */ special(rows.bitShift, SHIFTS)

/**
 * x where the condition holds, else y; all three broadcast at once.
 *
 * @example
 * ```ts
 * where(tensor([true, false]), tensor([1, 2]), 0).toArray() // [1, 0]
 * ```
 */
export const where: Choice = /* @__PURE__ */ operator(rows.where, instructions.select)

/**
 * x with the other sign.
 *
 * @example
 * ```ts
 * neg(tensor([1, -2])).toArray() // [-1, 2]
 * ```
 */
export const neg: Unary = /* @__PURE__ */ operator(rows.neg, instructions.neg)

/**
 * x without its sign.
 *
 * @example
 * ```ts
 * abs(tensor([1, -2])).toArray() // [1, 2]
 * ```
 */
export const abs: Unary = /* @__PURE__ */ operator(rows.abs, instructions.abs)

/**
 * -1, 0 or 1, as x is below, at or above zero.
 *
 * @example
 * ```ts
 * sign(tensor([-3, 0, 5])).toArray() // [-1, 0, 1]
 * ```
 */
export const sign: Unary = /* @__PURE__ */ operator(rows.sign, instructions.sign)

/**
 * The square root.
 *
 * @example
 * ```ts
 * sqrt(tensor([4, 9])).toArray() // [2, 3]
 * ```
 */
export const sqrt: Unary = /* @__PURE__ */ operator(rows.sqrt, instructions.sqrt)

/**
 * e to the power x.
 *
 * @example
 * ```ts
 * exp(tensor([0])).toArray() // [1]
 * ```
 */
export const exp: Unary = /* @__PURE__ */ operator(rows.exp, instructions.float64Functions)

/**
 * The natural logarithm.
 *
 * @example
 * ```ts
 * log(tensor([1])).toArray() // [0]
 * ```
 */
export const log: Unary = /* @__PURE__ */ operator(rows.log, instructions.float64Functions)

/**
 * The hyperbolic tangent.
 *
 * @example
 * ```ts
 * tanh(tensor([0])).toArray() // [0]
 * ```
 */
export const tanh: Unary = /* @__PURE__ */ operator(rows.tanh, instructions.float64Functions)

/**
 * 1 / (1 + exp(-x)).
 *
 * @example
 * ```ts
 * sigmoid(tensor([0])).toArray() // [0.5]
 * ```
 */
export const sigmoid: Unary = /* @__PURE__ */ operator(rows.sigmoid, instructions.float64Functions)

/**
 * The sine of x in radians.
 *
 * @example
 * ```ts
 * sin(tensor([0])).toArray() // [0]
 * ```
 */
export const sin: Unary = /* @__PURE__ */ operator(rows.sin, instructions.float64Functions)

/**
 * The cosine of x in radians.
 *
 * @example
 * ```ts
 * cos(tensor([0])).toArray() // [1]
 * ```
 */
export const cos: Unary = /* @__PURE__ */ operator(rows.cos, instructions.float64Functions)

/**
 * The arc tangent, in radians.
 *
 * @example
 * ```ts
 * atan(tensor([0])).toArray() // [0]
 * ```
 */
export const atan: Unary = /* @__PURE__ */ operator(rows.atan, instructions.float64Functions)
/**
 * The error function; of integers computed in float64 and cut.
 *
 * @example
 * ```ts
 * erf(tensor([0])).toArray() // [0]
 * ```
 */
export const erf: Unary = /* @__PURE__ */ operator(rows.erf, instructions.float64Functions)

/**
 * log(exp(x) + 1), a smooth `relu`.
 *
 * @example
 * ```ts
 * softplus(tensor([100])).toArray() // [100]
 * ```
 */
export const softplus: Unary = /* @__PURE__ */ operator(rows.softplus, instructions.float64Functions)
/**
 * x, or `alpha` times exp(x) - 1 where it is below zero.
 *
 * @example
 * ```ts
 * elu(tensor([0, 2])).toArray() // [0, 2]
 * ```
 */
export const elu: Unary<rows.EluAttributes> = /* @__PURE__ */ special(rows.elu, instructions.float64Functions)
/**
 * x times the share of the normal distribution below x, or its approximation.
 *
 * @example
 * ```ts
 * gelu(tensor([0])).toArray() // [0]
 * ```
 */
export const gelu: Unary<rows.GeluAttributes> = /* @__PURE__ */ special(rows.gelu, instructions.float64Functions)

/**
 * x, or 0 where it is below zero.
 *
 * @example
 * ```ts
 * relu(tensor([-1, 2])).toArray() // [0, 2]
 * ```
 */
export const relu: Unary = /* @__PURE__ */ operator(rows.relu, instructions.max)

/**
 * The largest integer that is not above x.
 *
 * @example
 * ```ts
 * floor(tensor([1.5, -1.5])).toArray() // [1, -2]
 * ```
 */
export const floor: Unary = /* @__PURE__ */ operator(rows.floor, instructions.floor)

/**
 * The smallest integer that is not below x.
 *
 * @example
 * ```ts
 * ceil(tensor([1.2, 2.5])).toArray() // [2, 3]
 * ```
 */
export const ceil: Unary = /* @__PURE__ */ operator(rows.ceil, instructions.ceil)

/**
 * The nearest integer; of two as near, the even one.
 *
 * @example
 * ```ts
 * round(tensor([0.5, 1.5, 2.6])).toArray() // [0, 2, 3]
 * ```
 */
export const round: Unary = /* @__PURE__ */ operator(rows.round, instructions.round)

/**
 * 1 / x.
 *
 * @example
 * ```ts
 * reciprocal(tensor([2, 4])).toArray() // [0.5, 0.25]
 * ```
 */
export const reciprocal: Unary = /* @__PURE__ */ special(rows.reciprocal, instructions.div)

/**
 * x itself, as a new tensor.
 *
 * @example
 * ```ts
 * identity(tensor([1, 2])).toArray() // [1, 2]
 * ```
 */
export const identity: Unary = /* @__PURE__ */ operator(rows.identity)

/**
 * x, scaled by `alpha` where it is below zero.
 *
 * @example
 * ```ts
 * leakyRelu(tensor([-4, 4]), { alpha: 0.25 }).toArray() // [-1, 4]
 * ```
 */
export const leakyRelu: Unary<rows.LeakyReluAttributes> = /* @__PURE__ */ special(
  rows.leakyRelu,
  instructions.less,
  instructions.mul,
  instructions.select,
)

/**
 * A straight line between 0 and 1.
 *
 * @example
 * ```ts
 * hardSigmoid(tensor([-10, 0, 10])).toArray() // [0, 0.5, 1]
 * ```
 */
export const hardSigmoid: Unary<rows.HardSigmoidAttributes> = /* @__PURE__ */ special(
  rows.hardSigmoid,
  instructions.mul,
  instructions.add,
  instructions.min,
  instructions.max,
)

/**
 * x within bounds, which go onto x; one that is left out is the end of the type's finite numbers.
 *
 * @example
 * ```ts
 * clip(tensor([-5, 0.5, 5]), -1, 1).toArray() // [-1, 0.5, 1]
 * ```
 */
export const clip: Bounded = /* @__PURE__ */ special(rows.clip, instructions.max, instructions.min)

/**
 * x, scaled by the slope where it is below zero. The slope goes onto x (unidirectional) and never enlarges it.
 *
 * @example
 * ```ts
 * prelu(tensor([[-4, 4], [-8, 8]]), tensor([0.5, 0.25])).toArray() // [[-2, 4], [-4, 8]]
 * ```
 */
export const prelu: OneWay = /* @__PURE__ */ operator(
  rows.prelu,
  instructions.less,
  instructions.mul,
  instructions.select,
)

export { where as select }

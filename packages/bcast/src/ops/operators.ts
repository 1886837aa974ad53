// The public element-wise operators, each made from its row.
import * as instructions from '../backend/instructions.ts'
import type { Row } from '../expr/row.ts'
import * as rows from '../expr/rows/index.ts'
import { planWithPasses } from '../plan/multipass.ts'
import { argumentsOf, plainArguments } from './arguments.ts'
import type { Binary, BinaryWith, Bounded, Choice, Comparison, OneWay, Power, Unary, Variadic } from './calls.ts'
import { COMPUTATION } from './computation.ts'
import { apply, applyAsync, computationOf, type Operator } from './elementwise.ts'
import { faultAt } from './fault.ts'

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

/** Of any number of operands, which may be more than a kernel takes. */
const variadic = <const L extends instructions.InstructionList>(
  row: Row<instructions.ProvidedBy<L>>,
  ...needed: L
): Variadic =>
  functionOf({
    row,
    read: argumentsOf,
    instructions: instructions.instructionsOf(...needed),
    planWith: planWithPasses,
  })

export const add: Binary = /* @__PURE__ */ operator(rows.add, instructions.add)
export const sub: Binary = /* @__PURE__ */ operator(rows.sub, instructions.sub)
export const mul: Binary = /* @__PURE__ */ operator(rows.mul, instructions.mul)
export const floorMod: Binary = /* @__PURE__ */ special(rows.floorMod, instructions.mod)
export const squaredDifference: Binary = /* @__PURE__ */ operator(
  rows.squaredDifference,
  instructions.sub,
  instructions.mul,
)

/** Floats divide; integers truncate toward zero. */
export const div: Binary<rows.DivAttributes> = /* @__PURE__ */ special(
  rows.div,
  instructions.div,
  instructions.floorDiv,
)

/** The rest of a division; follows the divisor's sign unless `fmod`. */
export const mod: Binary<rows.ModAttributes> = /* @__PURE__ */ special(rows.mod, instructions.rem, instructions.mod)

/** a to the power b; the result has a's type, whatever b's. */
export const pow: Power = /* @__PURE__ */ special(rows.pow, instructions.power, instructions.float64Functions)

export const max: Variadic = /* @__PURE__ */ variadic(rows.max, instructions.max)
export const min: Variadic = /* @__PURE__ */ variadic(rows.min, instructions.min)
export const mean: Variadic = /* @__PURE__ */ variadic(rows.mean, instructions.add, instructions.div)
export const sum: Variadic = /* @__PURE__ */ variadic(rows.sum, instructions.add)

export const and: Binary = /* @__PURE__ */ operator(rows.and, instructions.and)
export const or: Binary = /* @__PURE__ */ operator(rows.or, instructions.or)
export const xor: Binary = /* @__PURE__ */ operator(rows.xor, instructions.xor)
export const not: Unary = /* @__PURE__ */ operator(rows.not, instructions.not)

export const equal: Comparison = /* @__PURE__ */ operator(rows.equal, instructions.equal)
export const notEqual: Comparison = /* @__PURE__ */ operator(rows.notEqual, instructions.equal, instructions.not)
export const greater: Comparison = /* @__PURE__ */ operator(rows.greater, instructions.less)
export const less: Comparison = /* @__PURE__ */ operator(rows.less, instructions.less)
export const greaterOrEqual: Comparison = /* @__PURE__ */ operator(rows.greaterOrEqual, instructions.lessEqual)
export const lessOrEqual: Comparison = /* @__PURE__ */ operator(rows.lessOrEqual, instructions.lessEqual)

export const bitwiseAnd: Binary = /* @__PURE__ */ operator(rows.bitwiseAnd, instructions.and)
export const bitwiseOr: Binary = /* @__PURE__ */ operator(rows.bitwiseOr, instructions.or)
export const bitwiseXor: Binary = /* @__PURE__ */ operator(rows.bitwiseXor, instructions.xor)
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
export const leftShift: Binary = /* @__PURE__ */ operator(rows.leftShift, SHIFTS)
export const rightShift: Binary = /* @__PURE__ */ operator(rows.rightShift, SHIFTS)

/** x shifted by y bits; by the type's width or more gives 0, or all sign bits to the right. */
export const bitShift: BinaryWith<rows.BitShiftAttributes> = /* @__PURE__ */ special(rows.bitShift, SHIFTS)

/** x where the condition holds, else y; all three broadcast at once. */
export const where: Choice = /* @__PURE__ */ operator(rows.where, instructions.select)

export const neg: Unary = /* @__PURE__ */ operator(rows.neg, instructions.neg)
export const abs: Unary = /* @__PURE__ */ operator(rows.abs, instructions.abs)
export const sign: Unary = /* @__PURE__ */ operator(rows.sign, instructions.sign)
export const sqrt: Unary = /* @__PURE__ */ operator(rows.sqrt, instructions.sqrt)
export const exp: Unary = /* @__PURE__ */ operator(rows.exp, instructions.float64Functions)
export const log: Unary = /* @__PURE__ */ operator(rows.log, instructions.float64Functions)
export const tanh: Unary = /* @__PURE__ */ operator(rows.tanh, instructions.float64Functions)
export const sigmoid: Unary = /* @__PURE__ */ operator(rows.sigmoid, instructions.float64Functions)
export const sin: Unary = /* @__PURE__ */ operator(rows.sin, instructions.float64Functions)
export const cos: Unary = /* @__PURE__ */ operator(rows.cos, instructions.float64Functions)
export const atan: Unary = /* @__PURE__ */ operator(rows.atan, instructions.float64Functions)
/** The error function; of integers computed in float64 and cut. */
export const erf: Unary = /* @__PURE__ */ operator(rows.erf, instructions.float64Functions)
export const softplus: Unary = /* @__PURE__ */ operator(rows.softplus, instructions.float64Functions)
/** x, or `alpha` times exp(x) - 1 where it is below zero. */
export const elu: Unary<rows.EluAttributes> = /* @__PURE__ */ special(rows.elu, instructions.float64Functions)
/** x times the share of the normal distribution below x, or its approximation. */
export const gelu: Unary<rows.GeluAttributes> = /* @__PURE__ */ special(rows.gelu, instructions.float64Functions)
export const relu: Unary = /* @__PURE__ */ operator(rows.relu, instructions.max)
export const floor: Unary = /* @__PURE__ */ operator(rows.floor, instructions.floor)
export const ceil: Unary = /* @__PURE__ */ operator(rows.ceil, instructions.ceil)
export const round: Unary = /* @__PURE__ */ operator(rows.round, instructions.round)
export const reciprocal: Unary = /* @__PURE__ */ special(rows.reciprocal, instructions.div)
export const identity: Unary = /* @__PURE__ */ operator(rows.identity)

/** x, scaled by `alpha` where it is below zero. */
export const leakyRelu: Unary<rows.LeakyReluAttributes> = /* @__PURE__ */ special(
  rows.leakyRelu,
  instructions.less,
  instructions.mul,
  instructions.select,
)

/** A straight line between 0 and 1. */
export const hardSigmoid: Unary<rows.HardSigmoidAttributes> = /* @__PURE__ */ special(
  rows.hardSigmoid,
  instructions.mul,
  instructions.add,
  instructions.min,
  instructions.max,
)

/** x within bounds, which go onto x; one that is left out is the end of the type's finite numbers. */
export const clip: Bounded = /* @__PURE__ */ special(rows.clip, instructions.max, instructions.min)

/** x, scaled by the slope where it is below zero. The slope goes onto x (unidirectional) and never enlarges it. */
export const prelu: OneWay = /* @__PURE__ */ operator(
  rows.prelu,
  instructions.less,
  instructions.mul,
  instructions.select,
)

export { where as select }

// The public element-wise operators, each made from its row.

import type { Row } from '../expr/row.ts'
import * as rows from '../expr/rows/index.ts'
import * as operations from '../runtime/operations.ts'
import type { Binary, BinaryWith, Bounded, Choice, Comparison, OneWay, Power, Unary, Variadic } from './calls.ts'
import { apply, applyLater } from './elementwise.ts'
import { inPasses } from './passes.ts'
import { splitWith } from './work.ts'

/** An operator and its asynchronous form. A row whose instructions are not all brought does not compile. */
function operator<F, const O extends operations.Operations>(row: Row<operations.ProvidedBy<O>>, ...needed: O): F {
  operations.provide(needed)
  return Object.assign((...args: readonly unknown[]) => apply(row, args), {
    async: (...args: readonly unknown[]) => applyLater(row, args),
  }) as F
}

/** Of any number of operands, which may be more than a kernel takes. */
function variadic<const O extends operations.Operations>(row: Row<operations.ProvidedBy<O>>, ...needed: O): Variadic {
  splitWith(inPasses)
  return operator(row, ...needed)
}

export const add: Binary = /* @__PURE__ */ operator(rows.add, operations.add)
export const sub: Binary = /* @__PURE__ */ operator(rows.sub, operations.sub)
export const mul: Binary = /* @__PURE__ */ operator(rows.mul, operations.mul)
export const floorMod: Binary = /* @__PURE__ */ operator(rows.floorMod, operations.mod)
export const squaredDifference: Binary = /* @__PURE__ */ operator(
  rows.squaredDifference,
  operations.sub,
  operations.mul,
)

/** Floats divide; integers truncate toward zero. */
export const div: Binary<rows.DivAttributes> = /* @__PURE__ */ operator(rows.div, operations.div, operations.floorDiv)

/** The rest of a division; follows the divisor's sign unless `fmod`. */
export const mod: Binary<rows.ModAttributes> = /* @__PURE__ */ operator(rows.mod, operations.rem, operations.mod)

/** a to the power b; the result has a's type, whatever b's. */
export const pow: Power = /* @__PURE__ */ operator(rows.pow, operations.power, operations.float64Functions)

export const max: Variadic = /* @__PURE__ */ variadic(rows.max, operations.max)
export const min: Variadic = /* @__PURE__ */ variadic(rows.min, operations.min)
export const mean: Variadic = /* @__PURE__ */ variadic(rows.mean, operations.add, operations.div)
export const sum: Variadic = /* @__PURE__ */ variadic(rows.sum, operations.add)

export const and: Binary = /* @__PURE__ */ operator(rows.and, operations.and)
export const or: Binary = /* @__PURE__ */ operator(rows.or, operations.or)
export const xor: Binary = /* @__PURE__ */ operator(rows.xor, operations.xor)
export const not: Unary = /* @__PURE__ */ operator(rows.not, operations.not)

export const equal: Comparison = /* @__PURE__ */ operator(rows.equal, operations.equal)
export const notEqual: Comparison = /* @__PURE__ */ operator(rows.notEqual, operations.equal, operations.not)
export const greater: Comparison = /* @__PURE__ */ operator(rows.greater, operations.less)
export const less: Comparison = /* @__PURE__ */ operator(rows.less, operations.less)
export const greaterOrEqual: Comparison = /* @__PURE__ */ operator(rows.greaterOrEqual, operations.lessEqual)
export const lessOrEqual: Comparison = /* @__PURE__ */ operator(rows.lessOrEqual, operations.lessEqual)

export const bitwiseAnd: Binary = /* @__PURE__ */ operator(rows.bitwiseAnd, operations.and)
export const bitwiseOr: Binary = /* @__PURE__ */ operator(rows.bitwiseOr, operations.or)
export const bitwiseXor: Binary = /* @__PURE__ */ operator(rows.bitwiseXor, operations.xor)
export const bitwiseNot: Unary = /* @__PURE__ */ operator(rows.bitwiseNot, operations.not)
const SHIFTS = {
  shl: operations.shl,
  shr: operations.shr,
  and: operations.and,
  not: operations.not,
  less: operations.less,
  lessEqual: operations.lessEqual,
  select: operations.select,
}
export const leftShift: Binary = /* @__PURE__ */ operator(rows.leftShift, SHIFTS)
export const rightShift: Binary = /* @__PURE__ */ operator(rows.rightShift, SHIFTS)

/** x shifted by y bits; by the type's width or more gives 0, or all sign bits to the right. */
export const bitShift: BinaryWith<rows.BitShiftAttributes> = /* @__PURE__ */ operator(rows.bitShift, SHIFTS)

/** x where the condition holds, else y; all three broadcast at once. */
export const where: Choice = /* @__PURE__ */ operator(rows.where, operations.select)

export const neg: Unary = /* @__PURE__ */ operator(rows.neg, operations.neg)
export const abs: Unary = /* @__PURE__ */ operator(rows.abs, operations.abs)
export const sign: Unary = /* @__PURE__ */ operator(rows.sign, operations.sign)
export const sqrt: Unary = /* @__PURE__ */ operator(rows.sqrt, operations.sqrt)
export const exp: Unary = /* @__PURE__ */ operator(rows.exp, operations.float64Functions)
export const log: Unary = /* @__PURE__ */ operator(rows.log, operations.float64Functions)
export const tanh: Unary = /* @__PURE__ */ operator(rows.tanh, operations.float64Functions)
export const sigmoid: Unary = /* @__PURE__ */ operator(rows.sigmoid, operations.float64Functions)
export const sin: Unary = /* @__PURE__ */ operator(rows.sin, operations.float64Functions)
export const cos: Unary = /* @__PURE__ */ operator(rows.cos, operations.float64Functions)
export const atan: Unary = /* @__PURE__ */ operator(rows.atan, operations.float64Functions)
/** The error function; of integers computed in float64 and cut. */
export const erf: Unary = /* @__PURE__ */ operator(rows.erf, operations.float64Functions)
export const softplus: Unary = /* @__PURE__ */ operator(rows.softplus, operations.float64Functions)
/** x, or `alpha` times exp(x) - 1 where it is below zero. */
export const elu: Unary<rows.EluAttributes> = /* @__PURE__ */ operator(rows.elu, operations.float64Functions)
/** x times the share of the normal distribution below x, or its approximation. */
export const gelu: Unary<rows.GeluAttributes> = /* @__PURE__ */ operator(rows.gelu, operations.float64Functions)
export const relu: Unary = /* @__PURE__ */ operator(rows.relu, operations.max)
export const floor: Unary = /* @__PURE__ */ operator(rows.floor, operations.floor)
export const ceil: Unary = /* @__PURE__ */ operator(rows.ceil, operations.ceil)
export const round: Unary = /* @__PURE__ */ operator(rows.round, operations.round)
export const reciprocal: Unary = /* @__PURE__ */ operator(rows.reciprocal, operations.div)
export const identity: Unary = /* @__PURE__ */ operator(rows.identity)

/** x, scaled by `alpha` where it is below zero. */
export const leakyRelu: Unary<rows.LeakyReluAttributes> = /* @__PURE__ */ operator(
  rows.leakyRelu,
  operations.less,
  operations.mul,
  operations.select,
)

/** A straight line between 0 and 1. */
export const hardSigmoid: Unary<rows.HardSigmoidAttributes> = /* @__PURE__ */ operator(
  rows.hardSigmoid,
  operations.mul,
  operations.add,
  operations.min,
  operations.max,
)

/** x within bounds, which go onto x; one that is left out is the end of the type's finite numbers. */
export const clip: Bounded = /* @__PURE__ */ operator(rows.clip, operations.max, operations.min)

/** x, scaled by the slope where it is below zero. The slope goes onto x (unidirectional) and never enlarges it. */
export const prelu: OneWay = /* @__PURE__ */ operator(rows.prelu, operations.less, operations.mul, operations.select)

export { where as select }

// The public element-wise operators, each made from its row.

import { OperandError } from '../errors/index.ts'
import type { Row } from '../expr/row.ts'
import * as rows from '../expr/rows/index.ts'
import * as operations from '../runtime/operations.ts'
import { unidirectional } from '../shape/rules/index.ts'
import { Tensor } from '../tensor/tensor.ts'
import type { Binary, BitShift, Comparison, Div, Mod, Pow, Prelu, Unary, Variadic, Where } from './calls.ts'
import { apply, applyLater } from './elementwise.ts'
import type { BitShiftOptions, ElementwiseOptions } from './options.ts'
import type { Operand } from './types.ts'

/** An operator and its asynchronous form, from what it does with its arguments and with either way to apply a row. */
function operator<F>(
  needed: operations.Operations,
  call: (by: typeof apply | typeof applyLater) => (...args: never[]) => unknown,
): F {
  operations.provide(needed)
  const later = call(applyLater)
  return Object.assign(call(apply), { async: async (...args: never[]) => later(...args) }) as F
}

const unary = (row: Row, ...needed: operations.Operations): Unary =>
  operator(needed, (by) => (x: Operand, options?: ElementwiseOptions) => by(row, [x], options))

/** Of two operands; also those whose types say more than Binary. */
const binary = <F = Binary>(row: Row, ...needed: operations.Operations): F =>
  operator(needed, (by) => (a: Operand, b: Operand, options?: ElementwiseOptions) => by(row, [a, b], options))

/** Whether the last argument is options: a plain object that is no operand. */
const isOptions = (value: unknown): value is ElementwiseOptions =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Tensor) &&
  !Array.isArray(value) &&
  Object.getPrototypeOf(value) === Object.prototype

/** Operands given one by one or in one array, and the options behind them. */
export function collect<T>(args: readonly unknown[]): {
  operands: readonly T[]
  options: ElementwiseOptions | undefined
} {
  const last = args.at(-1)
  const options = isOptions(last) ? last : undefined
  const rest = options === undefined ? args : args.slice(0, -1)
  return { operands: (rest.length === 1 && Array.isArray(rest[0]) ? rest[0] : rest) as readonly T[], options }
}

const variadic = (row: Row, ...needed: operations.Operations): Variadic =>
  operator(needed, (by) => (...args: readonly unknown[]) => {
    const { operands, options } = collect<Operand>(args)
    return by(row, operands, options)
  })

export const add: Binary = /* @__PURE__ */ binary(rows.add, operations.add)
export const sub: Binary = /* @__PURE__ */ binary(rows.sub, operations.sub)
export const mul: Binary = /* @__PURE__ */ binary(rows.mul, operations.mul)
export const floorMod: Binary = /* @__PURE__ */ binary(rows.floorMod, operations.mod)
export const squaredDifference: Binary = /* @__PURE__ */ binary(rows.squaredDifference, operations.sub, operations.mul)

/** Floats divide; integers truncate toward zero. */
export const div: Div = /* @__PURE__ */ binary(rows.div, operations.div, operations.floorDiv)

/** The rest of a division; follows the divisor's sign unless `fmod`. */
export const mod: Mod = /* @__PURE__ */ binary(rows.mod, operations.rem, operations.mod)

/** a to the power b; the result has a's type, whatever b's. */
export const pow: Pow = /* @__PURE__ */ binary(rows.pow, operations.power, operations.float64Functions)

export const max: Variadic = /* @__PURE__ */ variadic(rows.max, operations.max)
export const min: Variadic = /* @__PURE__ */ variadic(rows.min, operations.min)
export const mean: Variadic = /* @__PURE__ */ variadic(rows.mean, operations.add, operations.div)
export const sum: Variadic = /* @__PURE__ */ variadic(rows.sum, operations.add)

export const and: Binary = /* @__PURE__ */ binary(rows.and, operations.and)
export const or: Binary = /* @__PURE__ */ binary(rows.or, operations.or)
export const xor: Binary = /* @__PURE__ */ binary(rows.xor, operations.xor)
export const not: Unary = /* @__PURE__ */ unary(rows.not, operations.not)

export const equal: Comparison = /* @__PURE__ */ binary(rows.equal, operations.equal)
export const notEqual: Comparison = /* @__PURE__ */ binary(rows.notEqual, operations.equal, operations.not)
export const greater: Comparison = /* @__PURE__ */ binary(rows.greater, operations.less)
export const less: Comparison = /* @__PURE__ */ binary(rows.less, operations.less)
export const greaterOrEqual: Comparison = /* @__PURE__ */ binary(rows.greaterOrEqual, operations.lessEqual)
export const lessOrEqual: Comparison = /* @__PURE__ */ binary(rows.lessOrEqual, operations.lessEqual)

export const bitwiseAnd: Binary = /* @__PURE__ */ binary(rows.bitwiseAnd, operations.and)
export const bitwiseOr: Binary = /* @__PURE__ */ binary(rows.bitwiseOr, operations.or)
export const bitwiseXor: Binary = /* @__PURE__ */ binary(rows.bitwiseXor, operations.xor)
export const bitwiseNot: Unary = /* @__PURE__ */ unary(rows.bitwiseNot, operations.not)
const SHIFTS: operations.Operations = [
  operations.shl,
  operations.shr,
  [operations.and, operations.not, operations.less, operations.lessEqual, operations.select],
]
export const leftShift: Binary = /* @__PURE__ */ binary(rows.leftShift, SHIFTS)
export const rightShift: Binary = /* @__PURE__ */ binary(rows.rightShift, SHIFTS)

/** x shifted by y bits; by the type's width or more gives 0, or all sign bits to the right. */
export const bitShift: BitShift = /* @__PURE__ */ operator(
  SHIFTS,
  (by) => (x: Operand, y: Operand, options: BitShiftOptions) => {
    const direction: unknown = options?.direction
    if (direction !== 'LEFT' && direction !== 'RIGHT') {
      throw new OperandError(`BitShift: direction is ${String(direction)}; it is 'LEFT' or 'RIGHT'.`)
    }
    return by(rows.bitShift, [x, y], options)
  },
)

/** x where the condition holds, else y; all three broadcast at once. */
export const where: Where = /* @__PURE__ */ operator(
  [operations.select],
  (by) => (condition: Operand, x: Operand, y: Operand, options?: ElementwiseOptions) =>
    by(rows.where, [condition, x, y], options),
)

export const neg: Unary = /* @__PURE__ */ unary(rows.neg, operations.neg)
export const abs: Unary = /* @__PURE__ */ unary(rows.abs, operations.abs)
export const sign: Unary = /* @__PURE__ */ unary(rows.sign, operations.sign)
export const sqrt: Unary = /* @__PURE__ */ unary(rows.sqrt, operations.sqrt)
export const exp: Unary = /* @__PURE__ */ unary(rows.exp, operations.float64Functions)
export const log: Unary = /* @__PURE__ */ unary(rows.log, operations.float64Functions)
export const tanh: Unary = /* @__PURE__ */ unary(rows.tanh, operations.float64Functions)
export const sigmoid: Unary = /* @__PURE__ */ unary(rows.sigmoid, operations.float64Functions)
export const relu: Unary = /* @__PURE__ */ unary(rows.relu, operations.max)
export const floor: Unary = /* @__PURE__ */ unary(rows.floor, operations.floor)
export const ceil: Unary = /* @__PURE__ */ unary(rows.ceil, operations.ceil)
export const round: Unary = /* @__PURE__ */ unary(rows.round, operations.round)
export const reciprocal: Unary = /* @__PURE__ */ unary(rows.reciprocal, operations.div)
export const identity: Unary = /* @__PURE__ */ unary(rows.identity)

/** x, scaled by the slope where it is below zero. The slope goes onto x (unidirectional) and never enlarges it. */
export const prelu: Prelu = /* @__PURE__ */ operator(
  [operations.less, operations.mul, operations.select],
  (by) => (x: Operand, slope: Operand, options?: ElementwiseOptions) =>
    by(rows.prelu, [x, slope], options, unidirectional),
)

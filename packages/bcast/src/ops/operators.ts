// The public element-wise operators, each made from its row.

import { OperandError } from '../errors/index.ts'
import type { Row } from '../expr/row.ts'
import * as rows from '../expr/rows/index.ts'
import { unidirectional } from '../shape/rules/index.ts'
import { Tensor } from '../tensor/tensor.ts'
import type { Binary, BitShift, Comparison, Div, Mod, Pow, Prelu, Unary, Variadic, Where } from './calls.ts'
import { apply, applyLater } from './elementwise.ts'
import type { BitShiftOptions, ElementwiseOptions } from './options.ts'
import type { Operand } from './types.ts'

/** An operator and its asynchronous form, from what it does with its arguments and with either way to apply a row. */
function operator<F>(call: (by: typeof apply | typeof applyLater) => (...args: never[]) => unknown): F {
  const later = call(applyLater)
  return Object.assign(call(apply), { async: async (...args: never[]) => later(...args) }) as F
}

const unary = (row: Row): Unary => operator((by) => (x: Operand, options?: ElementwiseOptions) => by(row, [x], options))

/** Of two operands; also those whose types say more than Binary. */
const binary = <F = Binary>(row: Row): F =>
  operator((by) => (a: Operand, b: Operand, options?: ElementwiseOptions) => by(row, [a, b], options))

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

const variadic = (row: Row): Variadic =>
  operator((by) => (...args: readonly unknown[]) => {
    const { operands, options } = collect<Operand>(args)
    return by(row, operands, options)
  })

export const add: Binary = /* @__PURE__ */ binary(rows.add)
export const sub: Binary = /* @__PURE__ */ binary(rows.sub)
export const mul: Binary = /* @__PURE__ */ binary(rows.mul)
export const floorMod: Binary = /* @__PURE__ */ binary(rows.floorMod)
export const squaredDifference: Binary = /* @__PURE__ */ binary(rows.squaredDifference)

/** Floats divide; integers truncate toward zero. */
export const div: Div = /* @__PURE__ */ binary(rows.div)

/** The rest of a division; follows the divisor's sign unless `fmod`. */
export const mod: Mod = /* @__PURE__ */ binary(rows.mod)

/** a to the power b; the result has a's type, whatever b's. */
export const pow: Pow = /* @__PURE__ */ binary(rows.pow)

export const max: Variadic = /* @__PURE__ */ variadic(rows.max)
export const min: Variadic = /* @__PURE__ */ variadic(rows.min)
export const mean: Variadic = /* @__PURE__ */ variadic(rows.mean)
export const sum: Variadic = /* @__PURE__ */ variadic(rows.sum)

export const and: Binary = /* @__PURE__ */ binary(rows.and)
export const or: Binary = /* @__PURE__ */ binary(rows.or)
export const xor: Binary = /* @__PURE__ */ binary(rows.xor)
export const not: Unary = /* @__PURE__ */ unary(rows.not)

export const equal: Comparison = /* @__PURE__ */ binary(rows.equal)
export const notEqual: Comparison = /* @__PURE__ */ binary(rows.notEqual)
export const greater: Comparison = /* @__PURE__ */ binary(rows.greater)
export const less: Comparison = /* @__PURE__ */ binary(rows.less)
export const greaterOrEqual: Comparison = /* @__PURE__ */ binary(rows.greaterOrEqual)
export const lessOrEqual: Comparison = /* @__PURE__ */ binary(rows.lessOrEqual)

export const bitwiseAnd: Binary = /* @__PURE__ */ binary(rows.bitwiseAnd)
export const bitwiseOr: Binary = /* @__PURE__ */ binary(rows.bitwiseOr)
export const bitwiseXor: Binary = /* @__PURE__ */ binary(rows.bitwiseXor)
export const bitwiseNot: Unary = /* @__PURE__ */ unary(rows.bitwiseNot)
export const leftShift: Binary = /* @__PURE__ */ binary(rows.leftShift)
export const rightShift: Binary = /* @__PURE__ */ binary(rows.rightShift)

/** x shifted by y bits; by the type's width or more gives 0, or all sign bits to the right. */
export const bitShift: BitShift = /* @__PURE__ */ operator(
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
  (by) => (condition: Operand, x: Operand, y: Operand, options?: ElementwiseOptions) =>
    by(rows.where, [condition, x, y], options),
)

export const neg: Unary = /* @__PURE__ */ unary(rows.neg)
export const abs: Unary = /* @__PURE__ */ unary(rows.abs)
export const sign: Unary = /* @__PURE__ */ unary(rows.sign)
export const sqrt: Unary = /* @__PURE__ */ unary(rows.sqrt)
export const exp: Unary = /* @__PURE__ */ unary(rows.exp)
export const log: Unary = /* @__PURE__ */ unary(rows.log)
export const tanh: Unary = /* @__PURE__ */ unary(rows.tanh)
export const sigmoid: Unary = /* @__PURE__ */ unary(rows.sigmoid)
export const relu: Unary = /* @__PURE__ */ unary(rows.relu)
export const floor: Unary = /* @__PURE__ */ unary(rows.floor)
export const ceil: Unary = /* @__PURE__ */ unary(rows.ceil)
export const round: Unary = /* @__PURE__ */ unary(rows.round)
export const reciprocal: Unary = /* @__PURE__ */ unary(rows.reciprocal)
export const identity: Unary = /* @__PURE__ */ unary(rows.identity)

/** x, scaled by the slope where it is below zero. The slope goes onto x (unidirectional) and never enlarges it. */
export const prelu: Prelu = /* @__PURE__ */ operator(
  (by) => (x: Operand, slope: Operand, options?: ElementwiseOptions) =>
    by(rows.prelu, [x, slope], options, unidirectional),
)

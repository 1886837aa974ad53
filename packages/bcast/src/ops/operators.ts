// The public element-wise operators, each made from its row.

import { OperandError } from '../errors/index.ts'
import type { Row } from '../expr/row.ts'
import * as rows from '../expr/rows/index.ts'
import type { NamedRules } from '../shape/rule-option.ts'
import { unidirectional } from '../shape/rules/index.ts'
import { Tensor } from '../tensor/tensor.ts'
import { apply } from './elementwise.ts'
import type { ElementwiseOptions, RuleIn } from './options.ts'
import type {
  Binary,
  Comparison,
  Fits,
  FitsShape,
  Operand,
  Outcome,
  Shaped,
  ShapeOf,
  SharedType,
  Unary,
  Variadic,
} from './types.ts'

const unary = (row: Row): Unary =>
  ((x: Operand, options?: ElementwiseOptions) => apply(row, [x], options)) as unknown as Unary

const binary = (row: Row): Binary =>
  ((a: Operand, b: Operand, options?: ElementwiseOptions) => apply(row, [a, b], options)) as unknown as Binary

const comparison = (row: Row): Comparison => binary(row) as unknown as Comparison

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
  ((...args: unknown[]) => {
    const { operands, options } = collect<Operand>(args)
    return apply(row, operands, options)
  }) as unknown as Variadic

export const add: Binary = /* @__PURE__ */ binary(rows.add)
export const sub: Binary = /* @__PURE__ */ binary(rows.sub)
export const mul: Binary = /* @__PURE__ */ binary(rows.mul)
export const floorMod: Binary = /* @__PURE__ */ binary(rows.floorMod)
export const squaredDifference: Binary = /* @__PURE__ */ binary(rows.squaredDifference)

export interface DivOptions extends ElementwiseOptions {
  /** Integers round down instead of toward zero, as OpenVINO's Divide does by default. */
  readonly pythondiv?: boolean
}

/** Floats divide; integers truncate toward zero. */
export function div<A extends Operand, B extends Operand, const O extends DivOptions = Record<never, never>>(
  a: A,
  b: Fits<A, B, RuleIn<O>, B>,
  options?: O,
): Outcome<'same', [A, B], RuleIn<O>, Tensor<SharedType<[A, B]>, Shaped<[A, B], RuleIn<O>>>> {
  return apply(rows.div, [a, b as Operand], options) as never
}

export interface ModOptions extends ElementwiseOptions {
  /** The result follows the dividend's sign; needed for floats. */
  readonly fmod?: boolean
}

/** The rest of a division; follows the divisor's sign unless `fmod`. */
export function mod<A extends Operand, B extends Operand, const O extends ModOptions = Record<never, never>>(
  a: A,
  b: Fits<A, B, RuleIn<O>, B>,
  options?: O,
): Outcome<'same', [A, B], RuleIn<O>, Tensor<SharedType<[A, B]>, Shaped<[A, B], RuleIn<O>>>> {
  return apply(rows.mod, [a, b as Operand], options) as never
}

/** a to the power b; the result has a's type, whatever b's. */
export function pow<A extends Operand, B extends Operand, const O extends ElementwiseOptions = Record<never, never>>(
  a: A,
  b: FitsShape<[A, B], RuleIn<O>, B>,
  options?: O,
): Outcome<'first', [A, B], RuleIn<O>, Tensor<SharedType<[A]>, Shaped<[A, B], RuleIn<O>>>> {
  return apply(rows.pow, [a, b as Operand], options) as never
}

export const max: Variadic = /* @__PURE__ */ variadic(rows.max)
export const min: Variadic = /* @__PURE__ */ variadic(rows.min)
export const mean: Variadic = /* @__PURE__ */ variadic(rows.mean)
export const sum: Variadic = /* @__PURE__ */ variadic(rows.sum)

export const and: Binary = /* @__PURE__ */ binary(rows.and)
export const or: Binary = /* @__PURE__ */ binary(rows.or)
export const xor: Binary = /* @__PURE__ */ binary(rows.xor)
export const not: Unary = /* @__PURE__ */ unary(rows.not)

export const equal: Comparison = /* @__PURE__ */ comparison(rows.equal)
export const notEqual: Comparison = /* @__PURE__ */ comparison(rows.notEqual)
export const greater: Comparison = /* @__PURE__ */ comparison(rows.greater)
export const less: Comparison = /* @__PURE__ */ comparison(rows.less)
export const greaterOrEqual: Comparison = /* @__PURE__ */ comparison(rows.greaterOrEqual)
export const lessOrEqual: Comparison = /* @__PURE__ */ comparison(rows.lessOrEqual)

export const bitwiseAnd: Binary = /* @__PURE__ */ binary(rows.bitwiseAnd)
export const bitwiseOr: Binary = /* @__PURE__ */ binary(rows.bitwiseOr)
export const bitwiseXor: Binary = /* @__PURE__ */ binary(rows.bitwiseXor)
export const bitwiseNot: Unary = /* @__PURE__ */ unary(rows.bitwiseNot)
export const leftShift: Binary = /* @__PURE__ */ binary(rows.leftShift)
export const rightShift: Binary = /* @__PURE__ */ binary(rows.rightShift)

export interface BitShiftOptions extends ElementwiseOptions {
  readonly direction: 'LEFT' | 'RIGHT'
}

/** x shifted by y bits; by the type's width or more gives 0, or all sign bits to the right. */
export function bitShift<A extends Operand, B extends Operand, const O extends BitShiftOptions>(
  x: A,
  y: Fits<A, B, RuleIn<O>, B>,
  options: O,
): Outcome<'same', [A, B], RuleIn<O>, Tensor<SharedType<[A, B]>, Shaped<[A, B], RuleIn<O>>>> {
  const direction: unknown = options?.direction
  if (direction !== 'LEFT' && direction !== 'RIGHT') {
    throw new OperandError(`BitShift: direction is ${String(direction)}; it is 'LEFT' or 'RIGHT'.`)
  }
  return apply(rows.bitShift, [x, y as Operand], options) as never
}

/** x where the condition holds, else y; all three broadcast at once. */
export function where<
  C extends Operand,
  A extends Operand,
  B extends Operand,
  const O extends ElementwiseOptions = Record<never, never>,
>(
  condition: C,
  x: FitsShape<[C, A], RuleIn<O>, A>,
  y: [Fits<A, B, RuleIn<O>, B>] extends [string] ? Fits<A, B, RuleIn<O>, B> : FitsShape<[C, A, B], RuleIn<O>, B>,
  options?: O,
): Outcome<'rest', [C, A, B], RuleIn<O>, Tensor<SharedType<[A, B]>, Shaped<[C, A, B], RuleIn<O>>>> {
  return apply(rows.where, [condition, x as Operand, y as Operand], options) as never
}

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
export function prelu<A extends Operand, B extends Operand, const O extends ElementwiseOptions = Record<never, never>>(
  x: A,
  slope: Fits<A, B, O extends { readonly broadcast: infer R } ? R : NamedRules['unidirectional'], B>,
  options?: O,
): Outcome<'first', [A, B], NamedRules['unidirectional'], Tensor<SharedType<[A, B]>, ShapeOf<A>>> {
  return apply(rows.prelu, [x, slope as Operand], options, unidirectional) as never
}

// The public element-wise operators, each made from its row.

import { OperandError } from '../errors/index.ts'
import type { Row } from '../expr/row.ts'
import * as rows from '../expr/rows/index.ts'
import * as operations from '../runtime/operations.ts'
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

/** A row whose programs hold these operations. */
function computed(row: Row, needed: operations.Operations): Row {
  operations.provide(needed)
  return row
}

function unary(row: Row, ...needed: operations.Operations): Unary {
  operations.provide(needed)
  return ((x: Operand, options?: ElementwiseOptions) => apply(row, [x], options)) as unknown as Unary
}

function binary(row: Row, ...needed: operations.Operations): Binary {
  operations.provide(needed)
  return ((a: Operand, b: Operand, options?: ElementwiseOptions) => apply(row, [a, b], options)) as unknown as Binary
}

const comparison = binary as unknown as (row: Row, ...needed: operations.Operations) => Comparison

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

function variadic(row: Row, ...needed: operations.Operations): Variadic {
  operations.provide(needed)
  return ((...args: unknown[]) => {
    const { operands, options } = collect<Operand>(args)
    return apply(row, operands, options)
  }) as unknown as Variadic
}

export const add: Binary = /* @__PURE__ */ binary(rows.add, operations.add)
export const sub: Binary = /* @__PURE__ */ binary(rows.sub, operations.sub)
export const mul: Binary = /* @__PURE__ */ binary(rows.mul, operations.mul)
export const floorMod: Binary = /* @__PURE__ */ binary(rows.floorMod, operations.mod)
export const squaredDifference: Binary = /* @__PURE__ */ binary(rows.squaredDifference, operations.sub, operations.mul)

const divRow: Row = /* @__PURE__ */ computed(rows.div, [operations.div, operations.floorDiv])

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
  return apply(divRow, [a, b as Operand], options) as never
}

const modRow: Row = /* @__PURE__ */ computed(rows.mod, [operations.rem, operations.mod])

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
  return apply(modRow, [a, b as Operand], options) as never
}

const powRow: Row = /* @__PURE__ */ computed(rows.pow, [operations.power, operations.float64Functions])

/** a to the power b; the result has a's type, whatever b's. */
export function pow<A extends Operand, B extends Operand, const O extends ElementwiseOptions = Record<never, never>>(
  a: A,
  b: FitsShape<[A, B], RuleIn<O>, B>,
  options?: O,
): Outcome<'first', [A, B], RuleIn<O>, Tensor<SharedType<[A]>, Shaped<[A, B], RuleIn<O>>>> {
  return apply(powRow, [a, b as Operand], options) as never
}

export const max: Variadic = /* @__PURE__ */ variadic(rows.max, operations.max)
export const min: Variadic = /* @__PURE__ */ variadic(rows.min, operations.min)
export const mean: Variadic = /* @__PURE__ */ variadic(rows.mean, operations.add, operations.div)
export const sum: Variadic = /* @__PURE__ */ variadic(rows.sum, operations.add)

export const and: Binary = /* @__PURE__ */ binary(rows.and, operations.and)
export const or: Binary = /* @__PURE__ */ binary(rows.or, operations.or)
export const xor: Binary = /* @__PURE__ */ binary(rows.xor, operations.xor)
export const not: Unary = /* @__PURE__ */ unary(rows.not, operations.not)

export const equal: Comparison = /* @__PURE__ */ comparison(rows.equal, operations.equal)
export const notEqual: Comparison = /* @__PURE__ */ comparison(rows.notEqual, operations.equal, operations.not)
export const greater: Comparison = /* @__PURE__ */ comparison(rows.greater, operations.less)
export const less: Comparison = /* @__PURE__ */ comparison(rows.less, operations.less)
export const greaterOrEqual: Comparison = /* @__PURE__ */ comparison(rows.greaterOrEqual, operations.lessEqual)
export const lessOrEqual: Comparison = /* @__PURE__ */ comparison(rows.lessOrEqual, operations.lessEqual)

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

const bitShiftRow: Row = /* @__PURE__ */ computed(rows.bitShift, SHIFTS)

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
  return apply(bitShiftRow, [x, y as Operand], options) as never
}

const whereRow: Row = /* @__PURE__ */ computed(rows.where, [operations.select])

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
  return apply(whereRow, [condition, x as Operand, y as Operand], options) as never
}

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

const preluRow: Row = /* @__PURE__ */ computed(rows.prelu, [operations.less, operations.mul, operations.select])

/** x, scaled by the slope where it is below zero. The slope goes onto x (unidirectional) and never enlarges it. */
export function prelu<A extends Operand, B extends Operand, const O extends ElementwiseOptions = Record<never, never>>(
  x: A,
  slope: Fits<A, B, O extends { readonly broadcast: infer R } ? R : NamedRules['unidirectional'], B>,
  options?: O,
): Outcome<'first', [A, B], NamedRules['unidirectional'], Tensor<SharedType<[A, B]>, ShapeOf<A>>> {
  return apply(preluRow, [x, slope as Operand], options, unidirectional) as never
}

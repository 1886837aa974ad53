// The operators that an expression may use: bcast's own, by their names, each with its number of operands and the way
// its element types go together. Signs such as `+` and `<=` are other spellings of the same rows.

import type { DType, Rule } from 'bcast'
import * as bcast from 'bcast'

/** A tensor, or an operand inside `fuse`. */
export interface Value {
  readonly dtype: DType
}

/** A bare number takes the type of the values beside it. */
export type Operand = Value | number | bigint

export interface Operator {
  readonly name: string
  readonly least: number
  readonly most: number
  /** The operand whose type is its own: the condition of where, the exponent of pow. */
  readonly own?: number
  /** Whether the result is bool, not of the operands' type. */
  readonly compares: boolean
  /** Whether it is about bits, which only integers and bools have. */
  readonly bitwise: boolean
  /** At least one operand is a value. */
  apply(operands: readonly Operand[], rule: Rule): Value
}

type Call = (...args: unknown[]) => Value

interface Traits {
  readonly own?: number
  readonly compares?: true
  readonly bitwise?: true
}

const operator = (name: string, least: number, most: number, call: unknown, traits: Traits = {}): Operator => ({
  name,
  least,
  most,
  compares: false,
  bitwise: false,
  ...traits,
  apply: (operands, rule) => (call as Call)(...operands, ...(operands.length > 1 ? [{ broadcast: rule }] : [])),
})

const unary = (name: string, call: unknown, traits?: Traits): Operator => operator(name, 1, 1, call, traits)
const binary = (name: string, call: unknown, traits?: Traits): Operator => operator(name, 2, 2, call, traits)
const variadic = (name: string, call: unknown): Operator => operator(name, 1, Number.POSITIVE_INFINITY, call)

const COMPARES = { compares: true } as const
const BITWISE = { bitwise: true } as const

const isFloat = (operands: readonly Operand[]): boolean =>
  operands.some((operand) => typeof operand === 'object' && operand.dtype.includes('float'))

/** Division rounded down: OpenVINO's for integers; floats divide, then round down. */
const floorDiv: Operator = {
  ...binary('floorDiv', bcast.div),
  apply: (operands, broadcast) => {
    const divide = bcast.div as unknown as Call
    return isFloat(operands)
      ? (bcast.floor as unknown as Call)(divide(...operands, { broadcast }))
      : divide(...operands, { broadcast, pythondiv: true })
  },
}

/** The rest of integers; of floats whoever writes has to say whose sign it has. */
const mod: Operator = {
  ...binary('mod', bcast.mod),
  apply: (operands, broadcast) => {
    if (isFloat(operands)) {
      throw new bcast.DTypeError(
        "mod is for integers; of floats, fmod(x, y) has the dividend's sign and x % y, or floorMod, the divisor's.",
        'float',
      )
    }
    return (bcast.mod as unknown as Call)(...operands, { broadcast })
  },
}

/** The rest that follows the dividend, floats included. */
const fmod: Operator = {
  ...binary('fmod', bcast.mod),
  apply: (operands, broadcast) => (bcast.mod as unknown as Call)(...operands, { broadcast, fmod: true }),
}

const rows: readonly Operator[] = [
  binary('add', bcast.add),
  binary('sub', bcast.sub),
  binary('mul', bcast.mul),
  binary('div', bcast.div),
  floorDiv,
  mod,
  fmod,
  binary('floorMod', bcast.floorMod),
  binary('pow', bcast.pow, { own: 1 }),
  binary('squaredDifference', bcast.squaredDifference),
  variadic('max', bcast.max),
  variadic('min', bcast.min),
  variadic('mean', bcast.mean),
  variadic('sum', bcast.sum),
  binary('and', bcast.and),
  binary('or', bcast.or),
  binary('xor', bcast.xor),
  unary('not', bcast.not),
  binary('equal', bcast.equal, COMPARES),
  binary('notEqual', bcast.notEqual, COMPARES),
  binary('less', bcast.less, COMPARES),
  binary('lessOrEqual', bcast.lessOrEqual, COMPARES),
  binary('greater', bcast.greater, COMPARES),
  binary('greaterOrEqual', bcast.greaterOrEqual, COMPARES),
  binary('bitwiseAnd', bcast.bitwiseAnd, BITWISE),
  binary('bitwiseOr', bcast.bitwiseOr, BITWISE),
  binary('bitwiseXor', bcast.bitwiseXor, BITWISE),
  unary('bitwiseNot', bcast.bitwiseNot, BITWISE),
  binary('leftShift', bcast.leftShift, BITWISE),
  binary('rightShift', bcast.rightShift, BITWISE),
  operator('where', 3, 3, bcast.where, { own: 0 }),
  binary('prelu', bcast.prelu),
  unary('neg', bcast.neg),
  unary('abs', bcast.abs),
  unary('sign', bcast.sign),
  unary('sqrt', bcast.sqrt),
  unary('exp', bcast.exp),
  unary('log', bcast.log),
  unary('tanh', bcast.tanh),
  unary('sigmoid', bcast.sigmoid),
  unary('relu', bcast.relu),
  unary('floor', bcast.floor),
  unary('ceil', bcast.ceil),
  unary('round', bcast.round),
  unary('reciprocal', bcast.reciprocal),
  unary('identity', bcast.identity),
]

/** By name; OpenVINO's name of where besides. */
export const operators: ReadonlyMap<string, Operator> = new Map([
  ...rows.map((row) => [row.name, row] as const),
  ['select', rows.find(({ name }) => name === 'where')!],
])

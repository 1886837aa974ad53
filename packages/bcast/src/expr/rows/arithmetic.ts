// Add Sub Mul Div Pow Mod, and OpenVINO's FloorMod and SquaredDifference.
// @clause onnx.multi.op.add, onnx.multi.op.sub, onnx.multi.op.mul, onnx.multi.op.div, onnx.multi.op.pow
import { isFloat, isInteger, isWide, kindOf } from '../../dtype/dtype.ts'
import type { Term } from '../derivative.ts'
import { type Float64Primitive, irAlgebra } from '../functions/algebra-ir.ts'
import { isOddInteger, pow as powFunction } from '../functions/pow.ts'
import type { Appending, Value } from '../ir.ts'
import type { Row, Types } from '../row.ts'
import { F3, F4, I4, I8, NUMERIC, REAL, union } from '../type-sets.ts'

const ARITHMETIC: Types = {
  onnx: [
    [1, F3],
    [6, /* @__PURE__ */ union(I4, F3)],
    [13, /* @__PURE__ */ union(I4, F4)],
    [14, /* @__PURE__ */ union(I8, F4)],
  ],
  openvino: NUMERIC,
  other: REAL,
}

export const add: Row<'add'> = {
  name: 'Add',
  call: 'add',
  openvino: 'Add',
  help: 'a + b',
  operands: ['a', 'b'],
  result: 'same',
  types: ARITHMETIC,
  build: (b, [x, y]) => b.op('add', x!, y!),
  derivative: ({ delta }) => [delta, delta],
}

export const sub: Row<'sub'> = {
  name: 'Sub',
  call: 'sub',
  openvino: 'Subtract',
  help: 'a - b',
  operands: ['a', 'b'],
  result: 'same',
  types: ARITHMETIC,
  build: (b, [x, y]) => b.op('sub', x!, y!),
  derivative: ({ delta }) => [delta, delta.neg()],
}

export const mul: Row<'mul'> = {
  name: 'Mul',
  call: 'mul',
  openvino: 'Multiply',
  help: 'a * b',
  operands: ['a', 'b'],
  result: 'same',
  types: ARITHMETIC,
  build: (b, [x, y]) => b.op('mul', x!, y!),
  derivative: ({ operands: [x, y], delta }) => [delta.mul(y!), delta.mul(x!)],
}

export interface DivAttributes {
  /** Integers round down instead of toward zero, as OpenVINO's Divide does by default. */
  readonly pythondiv?: boolean
}

/** Integers truncate toward zero; with `pythondiv` (OpenVINO) they round down. */
export const div: Row<'div' | 'floorDiv', DivAttributes> = {
  name: 'Div',
  call: 'div',
  openvino: 'Divide',
  help: 'a / b; integers round toward zero',
  operands: ['a', 'b'],
  result: 'same',
  types: ARITHMETIC,
  attributes: { pythondiv: { kind: 'flag', default: false, onnx: false, openvino: true } },
  fault: { operand: 1 },
  build: (b, [x, y], { pythondiv }) => b.op(pythondiv && isInteger(b.dtype(x!)) ? 'floorDiv' : 'div', x!, y!),
  // Divisions take longest: where both gradients are wanted, they share one.
  derivative: ({ operands: [, y], result, delta }) => {
    const gradient = delta.div(y!)
    return [gradient, gradient.neg().mul(result)]
  },
}

export interface ModAttributes {
  /** The result follows the dividend's sign; needed for floats. */
  readonly fmod?: boolean
}

/** The whole number of times that y was taken from x to leave the rest: x / y alone may round up to the next one. */
const quotient = (x: Term, y: Term, rest: Term): Term => x.sub(rest).div(y).round()

/** Integers follow the divisor's sign; with `fmod` everything follows the dividend's. */
export const mod: Row<'rem' | 'mod', ModAttributes> = {
  name: 'Mod',
  call: 'mod',
  openvino: 'Mod',
  help: "the rest of a / b; of integers with the divisor's sign",
  operands: ['a', 'b'],
  result: 'same',
  types: {
    onnx: [
      [10, /* @__PURE__ */ union(I8, F3)],
      [13, /* @__PURE__ */ union(I8, F4)],
    ],
    openvino: NUMERIC,
  },
  attributes: { fmod: { kind: 'flag', default: false, openvino: true } },
  fault: { operand: 1 },
  refuse: (dtype, _, { fmod }) =>
    isFloat(dtype) && fmod !== true
      ? {
          why: ' of floats follows the dividend and has to be asked for: pass { fmod: true }, or use floorMod for the sign of the divisor',
          dtype,
          allowed: I8,
        }
      : undefined,
  build: (b, [x, y], { fmod }) => b.op(fmod || isFloat(b.dtype(x!)) ? 'rem' : 'mod', x!, y!),
  derivative: ({ operands: [x, y], result, delta }) => [delta, delta.neg().mul(quotient(x!, y!, result))],
}

/** Follows the divisor's sign, floats included. */
export const floorMod: Row<'mod'> = {
  name: 'FloorMod',
  call: 'floorMod',
  openvino: 'FloorMod',
  help: "the rest of a / b with the divisor's sign",
  operands: ['a', 'b'],
  result: 'same',
  types: { openvino: NUMERIC },
  fault: { operand: 1 },
  build: (b, [x, y]) => b.op('mod', x!, y!),
  // A rest as large as the divisor was rounded to it, or the divisor is infinite: the quotient is -1.
  derivative: ({ operands: [x, y], result, delta }) => [
    delta,
    delta.neg().mul(result.equal(y!).where(-1, quotient(x!, y!, result))),
  ],
}

export const squaredDifference: Row<'sub' | 'mul'> = {
  name: 'SquaredDifference',
  call: 'squaredDifference',
  openvino: 'SquaredDifference',
  help: '(a - b) squared',
  operands: ['a', 'b'],
  result: 'same',
  types: { openvino: NUMERIC, other: REAL },
  build: (b, [x, y]) => {
    const difference = b.op('sub', x!, y!)
    return b.op('mul', difference, difference)
  },
  derivative: ({ operands: [x, y], delta }) => {
    const gradient = delta.mul(x!.sub(y!).mul(2))
    return [gradient, gradient.neg()]
  },
}

/** The base decides the result's type; the exponent may have another. */
export const pow: Row<'power' | Float64Primitive> = {
  name: 'Pow',
  call: 'pow',
  openvino: 'Power',
  help: "base to the power of exponent, in the base's type",
  operands: ['base', 'exponent'],
  result: 'same',
  types: {
    onnx: [
      [1, F3],
      [12, /* @__PURE__ */ union(['int32', 'int64'], F3)],
      [13, /* @__PURE__ */ union(['int32', 'int64'], F4)],
    ],
    openvino: NUMERIC,
    other: REAL,
  },
  own: {
    operand: 1,
    lends: true,
    // The base's type where it can hold the exponent; a negative one beside unsigned bases, a fraction beside integers.
    literal: (base, value) => {
      if (!isInteger(base)) return base
      if (typeof value === 'number' && !Number.isInteger(value)) return 'float64'
      return kindOf(base) === 'uint' && Number(value) < 0 ? 'int64' : base
    },
    types: {
      onnx: [
        [1, F3],
        [12, /* @__PURE__ */ union(I8, F3)],
        [15, /* @__PURE__ */ union(I8, F4)],
      ],
      openvino: NUMERIC,
      other: REAL,
    },
  },
  fault: { operand: 1 },
  approximate: true,
  // Rationals stay among themselves: an exact base has no inexact exponent.
  refuse: (base, exponent) =>
    (base === 'real') === (exponent === 'real')
      ? undefined
      : { why: ': a real operand goes with real operands only', dtype: exponent, allowed: REAL },
  build: (b, [x, y]) => {
    const [base, exponent] = [b.dtype(x!), b.dtype(y!)]
    if (base === 'real') return b.op('power', x!, y!)
    if (isInteger(base) && isInteger(exponent)) return integerPower(b, x!, y!)
    return b.cast(floatPower(b, b.cast(x!, 'float64'), y!), base)
  },
  derivative: ({ operands: [x, y], result, delta }) => [
    powerByBase(x!, y!, delta),
    isFloat(y!.dtype) ? powerByExponent(x!, y!, result, delta) : undefined,
  ],
}

/** y x^(y-1), and 0 where y is 0, though x may have no power of -1 there. */
function powerByBase(x: Term, y: Term, delta: Term): Term {
  const constant = y.equal(0)
  const above = constant.where(1, y)
  // One less than an exponent of another type is exact in float64, but for 64-bit integers, which have it themselves.
  const exact = y.dtype === x.dtype || isWide(y.dtype) ? above : above.cast('float64')
  return constant.where(0, delta.mul(y.cast(x.dtype).mul(x.pow(exact.sub(1)))))
}

/** x^y log x; 0 where x is 0 and y is not negative, though the logarithm is infinite there. */
function powerByExponent(x: Term, y: Term, result: Term, delta: Term): Term {
  const constant = x.equal(0).and(y.greaterOrEqual(0))
  return constant.where(0, delta.mul(result.mul(constant.where(1, x).log()))).cast(y.dtype)
}

/** Both operands in words of one width: powers modulo 2^64 are powers modulo any smaller width. */
function integerPower(b: Appending<'power' | 'cast'>, x: Value, y: Value): Value {
  const [base, exponent] = [b.dtype(x), b.dtype(y)]
  if (isWide(base) === isWide(exponent)) return b.op('power', x, y)
  if (isWide(base)) return b.op('power', x, b.cast(y, 'int64'))
  return b.cast(b.op('power', b.cast(x, kindOf(base) === 'int' ? 'int64' : 'uint64'), y), base)
}

/** A 64-bit exponent is taken exactly: as the float64 nearest to it and what is left, with its own parity. */
function floatPower(b: Appending<Float64Primitive>, x: Value, y: Value): Value {
  const m = irAlgebra(b)
  const exponent = b.dtype(y)
  const high = b.cast(y, 'float64')
  if (!isWide(exponent)) return powFunction(m, x, high, m.constant(0), isOddInteger(m, high))
  // Cutting the low bits first keeps both parts exact: no rounding can carry beyond the type's range.
  const lowBits = b.op('and', y, b.constant(exponent, 0xfffn))
  const upper = b.cast(b.op('sub', y, lowBits), 'float64')
  const odd = b.compare('equal', b.op('and', y, b.constant(exponent, 1n)), b.constant(exponent, 1n))
  const sum = m.add(upper, b.cast(lowBits, 'float64'))
  const rest = m.sub(b.cast(lowBits, 'float64'), m.sub(sum, upper))
  return powFunction(m, x, sum, rest, odd)
}

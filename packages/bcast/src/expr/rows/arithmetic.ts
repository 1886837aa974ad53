// Add Sub Mul Div Pow Mod, and OpenVINO's FloorMod and SquaredDifference.
// @clause onnx.multi.op.add, onnx.multi.op.sub, onnx.multi.op.mul, onnx.multi.op.div, onnx.multi.op.pow
import { isFloat, isInteger, isWide, kindOf } from '../../dtype/dtype.ts'
import { faultOf } from '../fault.ts'
import { irAlgebra } from '../functions/algebra-ir.ts'
import { isOddInteger, pow as powFunction } from '../functions/pow.ts'
import type { Builder, Value } from '../ir.ts'
import { FLAG, type Row, type Types } from '../row.ts'
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

export const add: Row<'Add'> = {
  operands: 2,
  result: 'same',
  name: 'Add',
  openvino: 'Add',
  types: ARITHMETIC,
  build: (b, [x, y]) => b.op('add', x!, y!),
}

export const sub: Row<'Sub'> = {
  operands: 2,
  result: 'same',
  name: 'Sub',
  openvino: 'Subtract',
  types: ARITHMETIC,
  build: (b, [x, y]) => b.op('sub', x!, y!),
}

export const mul: Row<'Mul'> = {
  operands: 2,
  result: 'same',
  name: 'Mul',
  openvino: 'Multiply',
  types: ARITHMETIC,
  build: (b, [x, y]) => b.op('mul', x!, y!),
}

/** Integers truncate toward zero; with `pythondiv` (OpenVINO) they round down. */
export const div: Row<'Div'> = {
  operands: 2,
  result: 'same',
  name: 'Div',
  openvino: 'Divide',
  types: ARITHMETIC,
  attributes: { pythondiv: FLAG },
  fault: faultOf,
  build: (b, [x, y], { pythondiv }) => b.op(pythondiv === true && isInteger(b.dtype(x!)) ? 'floorDiv' : 'div', x!, y!),
}

/** Integers follow the divisor's sign; with `fmod` everything follows the dividend's. */
export const mod: Row<'Mod'> = {
  operands: 2,
  result: 'same',
  name: 'Mod',
  openvino: 'Mod',
  types: {
    onnx: [
      [10, /* @__PURE__ */ union(I8, F3)],
      [13, /* @__PURE__ */ union(I8, F4)],
    ],
    openvino: NUMERIC,
  },
  attributes: { fmod: FLAG },
  fault: faultOf,
  refuse: (dtype, _, { fmod }) =>
    isFloat(dtype) && fmod !== true
      ? {
          why: ' of floats follows the dividend and has to be asked for: pass { fmod: true }, or use floorMod for the sign of the divisor',
          dtype,
          allowed: I8,
        }
      : undefined,
  build: (b, [x, y], { fmod }) => b.op(fmod === true || isFloat(b.dtype(x!)) ? 'rem' : 'mod', x!, y!),
}

/** Follows the divisor's sign, floats included. */
export const floorMod: Row<'FloorMod'> = {
  operands: 2,
  result: 'same',
  name: 'FloorMod',
  openvino: 'FloorMod',
  types: { openvino: NUMERIC },
  fault: faultOf,
  build: (b, [x, y]) => b.op('mod', x!, y!),
}

export const squaredDifference: Row<'SquaredDifference'> = {
  operands: 2,
  result: 'same',
  name: 'SquaredDifference',
  openvino: 'SquaredDifference',
  types: { openvino: NUMERIC, other: REAL },
  build: (b, [x, y]) => {
    const difference = b.op('sub', x!, y!)
    return b.op('mul', difference, difference)
  },
}

/** The base decides the result's type; the exponent may have another. */
export const pow: Row<'Pow'> = {
  operands: 2,
  result: 'same',
  name: 'Pow',
  openvino: 'Power',
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
  fault: faultOf,
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
}

/** Both operands in words of one width: powers modulo 2^64 are powers modulo any smaller width. */
function integerPower(b: Builder, x: Value, y: Value): Value {
  const [base, exponent] = [b.dtype(x), b.dtype(y)]
  if (isWide(base) === isWide(exponent)) return b.op('power', x, y)
  if (isWide(base)) return b.op('power', x, b.cast(y, 'int64'))
  return b.cast(b.op('power', b.cast(x, kindOf(base) === 'int' ? 'int64' : 'uint64'), y), base)
}

/** A 64-bit exponent is taken exactly: as the float64 nearest to it and what is left, with its own parity. */
function floatPower(b: Builder, x: Value, y: Value): Value {
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

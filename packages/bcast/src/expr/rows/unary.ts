// Functions of one operand that expressions need.

import { isWide } from '../../dtype/dtype.ts'
import { faultOf } from '../fault.ts'
import type { Float64Algebra } from '../functions/algebra.ts'
import { irAlgebra } from '../functions/algebra-ir.ts'
import { exp as expFunction } from '../functions/exp.ts'
import { log as logFunction } from '../functions/log.ts'
import { sigmoid as sigmoidFunction } from '../functions/sigmoid.ts'
import { tanh as tanhFunction } from '../functions/tanh.ts'
import type { Builder, Primitive, Value } from '../ir.ts'
import type { Row, Types } from '../row.ts'
import { F3, F4, I8, NUMERIC, REAL, SIGNED, union } from '../type-sets.ts'

const FLOATS: Types = {
  onnx: [
    [1, F3],
    [13, F4],
  ],
  openvino: F4,
}
const EXACT: Types = { ...FLOATS, other: REAL }

const direct = <N extends string>(name: N, op: Primitive, types: Types): Row<N> => ({
  operands: 1,
  result: 'same',
  name,
  types,
  build: (b, [x]) => b.op(op, x!),
})

/** A function computed in float64 and rounded to the operand's type. */
const shared = <N extends string>(name: N, compute: (m: Float64Algebra<Value, Value>, x: Value) => Value): Row<N> => ({
  operands: 1,
  result: 'same',
  name,
  types: FLOATS,
  build: (b, [x]) => b.cast(compute(irAlgebra(b), b.cast(x!, 'float64')), b.dtype(x!)),
})

const zero = (b: Builder, x: Value): Value => b.constant(b.dtype(x), isWide(b.dtype(x)) ? 0n : 0)

export const neg: Row<'Neg'> = /* @__PURE__ */ direct('Neg', 'neg', {
  onnx: [
    [1, F3],
    [6, /* @__PURE__ */ union(F3, SIGNED)],
    [13, /* @__PURE__ */ union(F4, SIGNED)],
  ],
  openvino: NUMERIC,
  other: REAL,
})
export const abs: Row<'Abs'> = /* @__PURE__ */ direct('Abs', 'abs', {
  onnx: [
    [1, F3],
    [6, /* @__PURE__ */ union(F3, I8)],
    [13, NUMERIC],
  ],
  openvino: NUMERIC,
  other: REAL,
})
export const sign: Row<'Sign'> = /* @__PURE__ */ direct('Sign', 'sign', {
  onnx: [
    [9, /* @__PURE__ */ union(F3, I8)],
    [13, NUMERIC],
  ],
  openvino: NUMERIC,
  other: REAL,
})
export const sqrt: Row<'Sqrt'> = /* @__PURE__ */ direct('Sqrt', 'sqrt', FLOATS)
export const floor: Row<'Floor'> = /* @__PURE__ */ direct('Floor', 'floor', EXACT)
export const ceil: Row<'Ceil'> = /* @__PURE__ */ direct('Ceil', 'ceil', EXACT)
/** Halves go to the even neighbour. */
export const round: Row<'Round'> = /* @__PURE__ */ direct('Round', 'round', {
  onnx: [
    [11, F3],
    [22, F4],
  ],
  openvino: F4,
  other: REAL,
})
export const exp: Row<'Exp'> = /* @__PURE__ */ shared('Exp', expFunction)
export const log: Row<'Log'> = /* @__PURE__ */ shared('Log', logFunction)
export const tanh: Row<'Tanh'> = /* @__PURE__ */ shared('Tanh', tanhFunction)
export const sigmoid: Row<'Sigmoid'> = /* @__PURE__ */ shared('Sigmoid', sigmoidFunction)

export const relu: Row<'Relu'> = {
  operands: 1,
  result: 'same',
  name: 'Relu',
  types: {
    onnx: [
      [1, F3],
      [13, F4],
      [14, /* @__PURE__ */ union(F4, SIGNED)],
    ],
    openvino: NUMERIC,
    other: REAL,
  },
  build: (b, [x]) => b.op('max', x!, zero(b, x!)),
}

export const reciprocal: Row<'Reciprocal'> = {
  operands: 1,
  result: 'same',
  name: 'Reciprocal',
  types: EXACT,
  fault: faultOf,
  build: (b, [x]) => b.op('div', b.constant(b.dtype(x!), 1), x!),
}

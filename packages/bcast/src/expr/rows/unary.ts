// Functions of one operand that expressions need.

import { isWide } from '../../dtype/dtype.ts'
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

const unary = { operands: 1, result: 'same' } as const

const direct = <N extends string>(name: N, op: Primitive, types: Types): Row<N> => ({
  ...unary,
  name,
  types,
  build: (b, [x]) => b.op(op, x!),
})

/** A function computed in float64 and rounded to the operand's type. */
const shared = <N extends string>(name: N, compute: (m: Float64Algebra<Value, Value>, x: Value) => Value): Row<N> => ({
  ...unary,
  name,
  types: FLOATS,
  build: (b, [x]) => b.cast(compute(irAlgebra(b), b.cast(x!, 'float64')), b.dtype(x!)),
})

const zero = (b: Builder, x: Value): Value => b.constant(b.dtype(x), isWide(b.dtype(x)) ? 0n : 0)

export const neg: Row<'Neg'> = direct('Neg', 'neg', {
  onnx: [
    [1, F3],
    [6, union(F3, SIGNED)],
    [13, union(F4, SIGNED)],
  ],
  openvino: NUMERIC,
  other: REAL,
})
export const abs: Row<'Abs'> = direct('Abs', 'abs', {
  onnx: [
    [1, F3],
    [6, union(F3, I8)],
    [13, NUMERIC],
  ],
  openvino: NUMERIC,
  other: REAL,
})
export const sign: Row<'Sign'> = direct('Sign', 'sign', {
  onnx: [
    [9, union(F3, I8)],
    [13, NUMERIC],
  ],
  openvino: NUMERIC,
  other: REAL,
})
export const sqrt: Row<'Sqrt'> = direct('Sqrt', 'sqrt', FLOATS)
export const floor: Row<'Floor'> = direct('Floor', 'floor', EXACT)
export const ceil: Row<'Ceil'> = direct('Ceil', 'ceil', EXACT)
/** Halves go to the even neighbour. */
export const round: Row<'Round'> = direct('Round', 'round', {
  onnx: [
    [11, F3],
    [22, F4],
  ],
  openvino: F4,
  other: REAL,
})
export const exp: Row<'Exp'> = shared('Exp', expFunction)
export const log: Row<'Log'> = shared('Log', logFunction)
export const tanh: Row<'Tanh'> = shared('Tanh', tanhFunction)
export const sigmoid: Row<'Sigmoid'> = shared('Sigmoid', sigmoidFunction)

export const relu: Row<'Relu'> = {
  ...unary,
  name: 'Relu',
  types: {
    onnx: [
      [1, F3],
      [13, F4],
      [14, union(F4, SIGNED)],
    ],
    openvino: NUMERIC,
    other: REAL,
  },
  build: (b, [x]) => b.op('max', x!, zero(b, x!)),
}

export const reciprocal: Row<'Reciprocal'> = {
  ...unary,
  name: 'Reciprocal',
  types: EXACT,
  build: (b, [x]) => b.op('div', b.constant(b.dtype(x!), 1), x!),
}

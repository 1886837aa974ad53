// Functions of one operand that expressions need.

import { isWide } from '../../dtype/dtype.ts'
import { type Differential, type Gradients, slope, zeros } from '../derivative.ts'
import { type Float64Function, type Float64Primitive, inFloat32, inFloat64 } from '../functions/algebra-ir.ts'
import { atan as atanFunction } from '../functions/atan.ts'
import { cos as cosFunction, narrowCos } from '../functions/cos.ts'
import { erf as erfFunction } from '../functions/erf.ts'
import { exp as expFunction } from '../functions/exp.ts'
import { log as logFunction } from '../functions/log.ts'
import { narrowExp } from '../functions/narrow-exp.ts'
import { narrowSigmoid, sigmoid as sigmoidFunction } from '../functions/sigmoid.ts'
import { narrowSin, sin as sinFunction } from '../functions/sin.ts'
import { narrowTanh, tanh as tanhFunction } from '../functions/tanh.ts'
import type { Primitive } from '../ir.ts'
import type { Row, Types } from '../row.ts'
import { F3, F4, I8, NUMERIC, REAL, SIGNED, union } from '../type-sets.ts'

const FLOATS: Types = {
  onnx: [
    [1, F3],
    [13, F4],
  ],
  openvino: F4,
}
const ANGLES: Types = {
  onnx: [
    [7, F3],
    [22, F4],
  ],
  openvino: F4,
}
const EXACT: Types = { ...FLOATS, other: REAL }

type Names = Pick<Row, 'name' | 'call' | 'openvino' | 'help'>
type Derivative = (of: Differential<unknown>) => Gradients

/** Of what is constant but for its steps. */
const steps: Derivative = /* @__PURE__ */ slope((_, delta) => zeros(delta))

/** One instruction. */
const direct = <P extends Primitive>(names: Names, op: P, types: Types, derivative: Derivative): Row<P> => ({
  ...names,
  operands: ['x'],
  result: 'same',
  types,
  build: (b, [x]) => b.op(op, x!),
  derivative,
})

/** A function computed in float64 and rounded to the operand's type; narrower ones may have a shorter sequence. */
const shared = (
  names: Names,
  derivative: Derivative,
  compute: Float64Function,
  types: Types = FLOATS,
  narrow: Float64Function = compute,
): Row<Float64Primitive> => ({
  ...names,
  operands: ['x'],
  result: 'same',
  types,
  approximate: true,
  build: (b, [x]) => inFloat64(b, x!, b.dtype(x!) === 'float32' ? narrow : compute),
  derivative,
})

export const neg: Row<'neg'> = /* @__PURE__ */ direct(
  { name: 'Neg', call: 'neg', openvino: 'Negative', help: '-x' },
  'neg',
  {
    onnx: [
      [1, F3],
      [6, /* @__PURE__ */ union(F3, SIGNED)],
      [13, /* @__PURE__ */ union(F4, SIGNED)],
    ],
    openvino: NUMERIC,
    other: REAL,
  },
  /* @__PURE__ */ slope((_, delta) => delta.neg()),
)
export const abs: Row<'abs'> = /* @__PURE__ */ direct(
  { name: 'Abs', call: 'abs', openvino: 'Abs', help: 'x without its sign' },
  'abs',
  {
    onnx: [
      [1, F3],
      [6, /* @__PURE__ */ union(F3, I8)],
      [13, NUMERIC],
    ],
    openvino: NUMERIC,
    other: REAL,
  },
  /* @__PURE__ */ slope((x, delta) => x.less(0).where(delta.neg(), x.greater(0).where(delta, 0))),
)
export const sign: Row<'sign'> = /* @__PURE__ */ direct(
  { name: 'Sign', call: 'sign', openvino: 'Sign', help: '-1, 0 or 1, by the sign of x' },
  'sign',
  {
    onnx: [
      [9, /* @__PURE__ */ union(F3, I8)],
      [13, NUMERIC],
    ],
    openvino: NUMERIC,
    other: REAL,
  },
  steps,
)
export const sqrt: Row<'sqrt'> = /* @__PURE__ */ direct(
  { name: 'Sqrt', call: 'sqrt', openvino: 'Sqrt', help: 'the square root of x' },
  'sqrt',
  FLOATS,
  /* @__PURE__ */ slope((_, delta, result) => delta.div(result.mul(2))),
)
export const floor: Row<'floor'> = /* @__PURE__ */ direct(
  { name: 'Floor', call: 'floor', openvino: 'Floor', help: 'x rounded down' },
  'floor',
  EXACT,
  steps,
)
export const ceil: Row<'ceil'> = /* @__PURE__ */ direct(
  { name: 'Ceil', call: 'ceil', openvino: 'Ceiling', help: 'x rounded up' },
  'ceil',
  EXACT,
  steps,
)
/** Halves go to the even neighbour. */
export const round: Row<'round'> = /* @__PURE__ */ direct(
  { name: 'Round', call: 'round', openvino: 'Round', help: 'the nearest integer; halves go to the even one' },
  'round',
  {
    onnx: [
      [11, F3],
      [22, F4],
    ],
    openvino: F4,
    other: REAL,
  },
  steps,
)
export const exp: Row<Float64Primitive> = {
  name: 'Exp',
  call: 'exp',
  openvino: 'Exp',
  help: 'e to the power of x',
  operands: ['x'],
  result: 'same',
  types: FLOATS,
  approximate: true,
  build: (b, [x]) => (b.dtype(x!) === 'float32' ? inFloat32(b, x!, narrowExp) : inFloat64(b, x!, expFunction)),
  derivative: /* @__PURE__ */ slope((_, delta, result) => delta.mul(result)),
}
export const log: Row<Float64Primitive> = /* @__PURE__ */ shared(
  { name: 'Log', call: 'log', openvino: 'Log', help: 'the natural logarithm of x' },
  /* @__PURE__ */ slope((x, delta) => delta.div(x)),
  logFunction,
)
export const tanh: Row<Float64Primitive> = /* @__PURE__ */ shared(
  { name: 'Tanh', call: 'tanh', openvino: 'Tanh', help: 'the hyperbolic tangent of x' },
  /* @__PURE__ */ slope((_, delta, result) => delta.mul(result.mul(result).neg().add(1))),
  tanhFunction,
  FLOATS,
  narrowTanh,
)
export const sigmoid: Row<Float64Primitive> = /* @__PURE__ */ shared(
  { name: 'Sigmoid', call: 'sigmoid', openvino: 'Sigmoid', help: '1 / (1 + exp(-x))' },
  /* @__PURE__ */ slope((_, delta, result) => delta.mul(result.neg().add(1)).mul(result)),
  sigmoidFunction,
  FLOATS,
  narrowSigmoid,
)
export const sin: Row<Float64Primitive> = /* @__PURE__ */ shared(
  { name: 'Sin', call: 'sin', openvino: 'Sin', help: 'the sine of x, in radians' },
  /* @__PURE__ */ slope((x, delta) => delta.mul(x.cos())),
  sinFunction,
  ANGLES,
  narrowSin,
)
export const cos: Row<Float64Primitive> = /* @__PURE__ */ shared(
  { name: 'Cos', call: 'cos', openvino: 'Cos', help: 'the cosine of x, in radians' },
  /* @__PURE__ */ slope((x, delta) => delta.mul(x.sin().neg())),
  cosFunction,
  ANGLES,
  narrowCos,
)
export const atan: Row<Float64Primitive> = /* @__PURE__ */ shared(
  { name: 'Atan', call: 'atan', openvino: 'Atan', help: 'the angle whose tangent is x, in radians' },
  /* @__PURE__ */ slope((x, delta) => delta.div(x.mul(x).add(1))),
  atanFunction,
  ANGLES,
)
/** Of integers too: it is computed in float64 and cut. */
export const erf: Row<Float64Primitive> = /* @__PURE__ */ shared(
  { name: 'Erf', call: 'erf', openvino: 'Erf', help: 'the error function of x' },
  /* @__PURE__ */ slope((x, delta) =>
    delta.mul(
      x
        .mul(x)
        .neg()
        .exp()
        .mul(2 / Math.sqrt(Math.PI)),
    ),
  ),
  erfFunction,
  {
    onnx: [
      [9, /* @__PURE__ */ union(I8, F3)],
      [13, NUMERIC],
    ],
    openvino: NUMERIC,
  },
)

export const relu: Row<'max'> = {
  name: 'Relu',
  call: 'relu',
  openvino: 'ReLU',
  help: 'x, or 0 where x is below it',
  operands: ['x'],
  result: 'same',
  types: {
    onnx: [
      [1, F3],
      [13, F4],
      [14, /* @__PURE__ */ union(F4, SIGNED)],
    ],
    openvino: NUMERIC,
    other: REAL,
  },
  build: (b, [x]) => b.op('max', x!, b.constant(b.dtype(x!), isWide(b.dtype(x!)) ? 0n : 0)),
  derivative: /* @__PURE__ */ slope((_, delta, result) => result.lessOrEqual(0).where(0, delta)),
}

export const reciprocal: Row<'div'> = {
  name: 'Reciprocal',
  call: 'reciprocal',
  help: '1 / x',
  operands: ['x'],
  result: 'same',
  types: EXACT,
  fault: { operand: 0 },
  build: (b, [x]) => b.op('div', b.constant(b.dtype(x!), 1), x!),
  derivative: /* @__PURE__ */ slope((_, delta, result) => delta.neg().mul(result.mul(result))),
}

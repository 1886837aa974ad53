// Activations of networks: functions of one operand, some told more by numbers. An attribute is rounded to the type that
// is computed in first, so that what follows is the same on every backend and in the specification.
import type { DType } from '../../dtype/dtype.ts'
import { dtypeInfo } from '../../dtype/info.ts'
import { unidirectional } from '../../shape/rules/unidirectional.ts'
import { type Float64Primitive, inFloat64 } from '../functions/algebra-ir.ts'
import { elu as eluFunction } from '../functions/elu.ts'
import { gelu as geluFunction } from '../functions/gelu.ts'
import { geluTanh } from '../functions/gelu-tanh.ts'
import { softplus as softplusFunction } from '../functions/softplus.ts'
import type { Appending, Value } from '../ir.ts'
import type { Row, Types } from '../row.ts'
import { F3, F4, I8, NUMERIC, union } from '../type-sets.ts'

/** Floats, and bfloat16 from an opset on. */
const floatsSince = (bfloat16: number): Types => ({
  onnx: [
    [1, F3],
    [bfloat16, F4],
  ],
  openvino: F4,
})

/** A number in the type that x is computed in. */
const rounded = (b: Appending<never>, x: Value, value: number): number =>
  b.dtype(x) === 'float32' ? Math.fround(value) : value

/** The same as a constant. */
const number = (b: Appending<never>, x: Value, value: number): Value => b.constant(b.dtype(x), rounded(b, x, value))

export interface LeakyReluAttributes {
  /** What x is multiplied by below zero; 0.01 unless said. */
  readonly alpha?: number
}

export const leakyRelu: Row<'less' | 'mul' | 'select', LeakyReluAttributes> = {
  name: 'LeakyRelu',
  call: 'leakyRelu',
  help: 'x, times alpha where x is below zero',
  operands: ['x'],
  result: 'same',
  types: /* @__PURE__ */ floatsSince(16),
  attributes: { alpha: { kind: 'number', default: 0.01 } },
  build: (b, [x], { alpha }) =>
    b.select(b.compare('less', x!, number(b, x!, 0)), b.op('mul', number(b, x!, alpha), x!), x!),
}

export interface HardSigmoidAttributes {
  /** The slope; 0.2 unless said. */
  readonly alpha?: number
  /** The value at zero; 0.5 unless said. */
  readonly beta?: number
}

/** The product is rounded, then the sum. */
export const hardSigmoid: Row<'mul' | 'add' | 'min' | 'max', HardSigmoidAttributes> = {
  name: 'HardSigmoid',
  call: 'hardSigmoid',
  openvino: 'HardSigmoid',
  help: 'alpha * x + beta, between 0 and 1',
  operands: ['x'],
  result: 'same',
  types: /* @__PURE__ */ floatsSince(22),
  attributes: { alpha: { kind: 'number', default: 0.2 }, beta: { kind: 'number', default: 0.5 } },
  build: (b, [x], { alpha, beta }) => {
    const line = b.op('add', b.op('mul', number(b, x!, alpha), x!), number(b, x!, beta))
    return b.op('max', b.op('min', line, number(b, x!, 1)), number(b, x!, 0))
  },
}

/** An end of a type's range; types that have none are refused before it is asked for. */
const end =
  (which: 'min' | 'max') =>
  (dtype: DType): number | bigint => {
    const value = dtypeInfo(dtype)[which]
    return typeof value === 'bigint' ? value : Number(value ?? 0)
  }

/** The bounds go onto x and never enlarge it; where they cross, the upper one wins. */
export const clip: Row<'max' | 'min'> = {
  name: 'Clip',
  call: 'clip',
  openvino: 'Clamp',
  help: 'x, at least min and at most max',
  operands: ['x', 'min', 'max'],
  otherwise: [/* @__PURE__ */ end('min'), /* @__PURE__ */ end('max')],
  result: 'same',
  types: {
    onnx: [
      [1, F3],
      [12, /* @__PURE__ */ union(I8, F3)],
      [13, NUMERIC],
    ],
    openvino: NUMERIC,
  },
  rule: unidirectional,
  build: (b, [x, min, max]) => b.op('min', b.op('max', x!, min!), max!),
}

export const softplus: Row<Float64Primitive> = {
  name: 'Softplus',
  call: 'softplus',
  openvino: 'SoftPlus',
  help: 'log(1 + exp(x))',
  operands: ['x'],
  result: 'same',
  types: /* @__PURE__ */ floatsSince(22),
  approximate: true,
  build: (b, [x]) => inFloat64(b, x!, softplusFunction),
}

export interface EluAttributes {
  /** What exp(x) - 1 is multiplied by; 1 unless said. */
  readonly alpha?: number
}

export const elu: Row<Float64Primitive, EluAttributes> = {
  name: 'Elu',
  call: 'elu',
  openvino: 'Elu',
  help: 'x, or alpha * (exp(x) - 1) where x is below zero',
  operands: ['x'],
  result: 'same',
  types: /* @__PURE__ */ floatsSince(22),
  attributes: { alpha: { kind: 'number', default: 1 } },
  approximate: true,
  build: (b, [x], { alpha }) => inFloat64(b, x!, (m, y) => eluFunction(m, y, rounded(b, x!, alpha))),
}

export interface GeluAttributes {
  /** `tanh` for the approximation by a hyperbolic tangent; `none`, the exact one, unless said. */
  readonly approximate?: 'none' | 'tanh'
}

export const gelu: Row<Float64Primitive, GeluAttributes> = {
  name: 'Gelu',
  call: 'gelu',
  openvino: 'Gelu',
  help: 'x times the share of the normal distribution below x',
  operands: ['x'],
  result: 'same',
  types: { onnx: [[20, F4]], openvino: F4 },
  attributes: { approximate: { kind: 'choice', values: ['none', 'tanh'], default: 'none' } },
  approximate: true,
  build: (b, [x], { approximate }) => inFloat64(b, x!, approximate === 'tanh' ? geluTanh : geluFunction),
}

// Activations of networks: functions of one operand, some told more by numbers. An attribute is rounded to the type that
// is computed in first, so that what follows is the same on every backend and in the specification.
import type { DType } from '../../dtype/dtype.ts'
import { dtypeInfo } from '../../dtype/info.ts'
import { unidirectional } from '../../shape/rules/unidirectional.ts'
import { slope, type Term } from '../derivative.ts'
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
  // At zero as below it.
  derivative: /* @__PURE__ */ slope((x, delta, _, { alpha }) => x.greater(0).where(delta, delta.mul(alpha))),
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
  // Zero at both ends.
  derivative: /* @__PURE__ */ slope((_, delta, result, { alpha }) =>
    result.greater(0).and(result.less(1)).where(delta.mul(alpha), 0),
  ),
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
  // x has it at a bound, too; where bounds are equal, neither has it, and where they cross, the upper one.
  derivative: ({ operands: [x, min, max], delta }) => [
    x!.greaterOrEqual(min!).and(x!.lessOrEqual(max!)).where(delta, 0),
    x!.less(min!).and(min!.less(max!)).where(delta, 0),
    x!.greater(max!).or(max!.less(min!)).where(delta, 0),
  ],
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
  derivative: /* @__PURE__ */ slope((x, delta) => delta.mul(x.sigmoid())),
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
  // At zero as below it. The exponential is that of zero above it, where it may be infinite.
  derivative: /* @__PURE__ */ slope((x, delta, _, { alpha }) => {
    const below = x.lessOrEqual(0)
    return below.where(delta.mul(alpha).mul(below.where(x, 0).exp()), delta)
  }),
}

export interface GeluAttributes {
  /** `tanh` for the approximation by a hyperbolic tangent; `none`, the exact one, unless said. */
  readonly approximate?: 'none' | 'tanh'
}

/** The share of the normal distribution below x, and x times its density there. */
const geluSlope = (x: Term): Term => {
  const share = x.mul(Math.SQRT1_2).erf().add(1).mul(0.5)
  const density = x
    .mul(x)
    .mul(-0.5)
    .exp()
    .mul(1 / Math.sqrt(2 * Math.PI))
  return share.add(x.mul(density))
}

/** The same of x / 2 * (1 + tanh(u)), where u is sqrt(2 / pi) * (x + 0.044715 x^3). */
const geluTanhSlope = (x: Term): Term => {
  const scale = Math.sqrt(2 / Math.PI)
  const square = x.mul(x)
  const tanh = square.mul(0.044715).add(1).mul(x).mul(scale).tanh()
  const inner = square
    .mul(3 * 0.044715)
    .add(1)
    .mul(scale)
  const outer = tanh.mul(tanh).neg().add(1)
  return tanh.add(1).mul(0.5).add(x.mul(0.5).mul(outer).mul(inner))
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
  derivative: /* @__PURE__ */ slope((x, delta, _, { approximate }) =>
    delta.mul(approximate === 'tanh' ? geluTanhSlope(x) : geluSlope(x)),
  ),
}

// Operators that choose or move elements: Where (OpenVINO: Select), PRelu, Identity. Moves keep every bit.
// @clause onnx.multi.op.where, onnx.uni.op.prelu
import { isWide } from '../../dtype/dtype.ts'
import { unidirectional } from '../../shape/rules/unidirectional.ts'
import type { Row } from '../row.ts'
import { ALL, BOOL, F3, F4, I4, NUMERIC, REAL, union } from '../type-sets.ts'

const MOVED = {
  onnx: [
    [9, ALL],
    [16, /* @__PURE__ */ union(ALL, F4)],
  ],
  openvino: /* @__PURE__ */ union(NUMERIC, BOOL),
  other: REAL,
} as const

export const where: Row<'select'> = {
  name: 'Where',
  call: 'where',
  openvino: 'Select',
  help: 'x where the condition holds, else y',
  operands: ['condition', 'x', 'y'],
  result: 'same',
  types: MOVED,
  own: { operand: 0, types: { onnx: [[9, BOOL]], openvino: BOOL }, literal: () => 'bool' },
  moves: true,
  onto: { pdpd: 1 },
  build: (b, [condition, x, y]) => b.select(condition!, x!, y!),
  derivative: ({ operands: [condition], delta }) => [undefined, condition!.where(delta, 0), condition!.where(0, delta)],
}

export const identity: Row<never> = {
  name: 'Identity',
  call: 'identity',
  help: 'x itself, copied',
  operands: ['x'],
  result: 'same',
  types: {
    onnx: [
      [1, ALL],
      [13, /* @__PURE__ */ union(ALL, F4)],
    ],
    openvino: /* @__PURE__ */ union(NUMERIC, BOOL),
    other: REAL,
  },
  moves: true,
  build: (_, [x]) => x!,
  derivative: ({ delta }) => [delta],
}

/** x below zero is scaled by the slope, which goes onto x and never enlarges it. */
export const prelu: Row<'less' | 'mul' | 'select'> = {
  name: 'PRelu',
  call: 'prelu',
  openvino: 'PReLU',
  help: 'x, times slope where x is below zero',
  operands: ['x', 'slope'],
  result: 'same',
  types: {
    onnx: [
      [1, F3],
      [9, /* @__PURE__ */ union(F3, I4)],
      [16, /* @__PURE__ */ union(F4, I4)],
    ],
    openvino: NUMERIC,
    other: REAL,
  },
  rule: unidirectional,
  build: (b, [x, slope]) => {
    const zero = b.constant(b.dtype(x!), isWide(b.dtype(x!)) ? 0n : 0)
    return b.select(b.compare('less', x!, zero), b.op('mul', slope!, x!), x!)
  },
  // At zero as below it.
  derivative: ({ operands: [x, slope], delta }) => {
    const above = x!.greater(0)
    return [above.where(delta, slope!.mul(delta)), above.where(0, x!.mul(delta))]
  },
}

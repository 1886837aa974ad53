// Max Min Mean Sum over one or more operands, all broadcast at once, taken left to right.
// @clause onnx.multi.op.max, onnx.multi.op.min, onnx.multi.op.mean, onnx.multi.op.sum
import type { Builder, Primitive, Value } from '../ir.ts'
import type { Row, Types } from '../row.ts'
import { F3, F4, I8, NUMERIC, REAL, union } from '../type-sets.ts'

const EXTREME: Types = {
  onnx: [
    [1, F3],
    [12, /* @__PURE__ */ union(I8, F3)],
    [13, /* @__PURE__ */ union(I8, F4)],
  ],
  openvino: NUMERIC,
  other: REAL,
}

const SUM: Types = {
  onnx: [
    [1, F3],
    [13, F4],
  ],
  other: REAL,
}

const fold = (b: Builder, op: Primitive, args: readonly Value[]): Value =>
  args.slice(1).reduce((sum, arg) => b.op(op, sum, arg), args[0]!)

export const max: Row<'Max'> = {
  operands: 'variadic',
  result: 'same',
  name: 'Max',
  openvino: 'Maximum',
  types: EXTREME,
  build: (b, args) => fold(b, 'max', args),
}
export const min: Row<'Min'> = {
  operands: 'variadic',
  result: 'same',
  name: 'Min',
  openvino: 'Minimum',
  types: EXTREME,
  build: (b, args) => fold(b, 'min', args),
}
export const sum: Row<'Sum'> = {
  operands: 'variadic',
  result: 'same',
  name: 'Sum',
  types: SUM,
  build: (b, args) => fold(b, 'add', args),
}

export const mean: Row<'Mean'> = {
  operands: 'variadic',
  result: 'same',
  name: 'Mean',
  types: SUM,
  build: (b, args) => b.op('div', fold(b, 'add', args), b.constant(b.dtype(args[0]!), args.length)),
}

// Equal NotEqual Greater Less GreaterOrEqual LessOrEqual. With NaN all are false but NotEqual.
// @clause onnx.multi.op.equal, onnx.multi.op.greater, onnx.multi.op.less
import type { Row, Types } from '../row.ts'
import { BOOL, F3, F4, I8, NUMERIC, REAL, STRING, union } from '../type-sets.ts'

const EQUALITY: Types = {
  onnx: [
    [1, union(BOOL, ['int32', 'int64'])],
    [11, union(BOOL, I8, F3)],
    [13, union(BOOL, I8, F4)],
    [19, union(BOOL, I8, F4, STRING)],
  ],
  openvino: union(NUMERIC, BOOL),
  other: REAL,
}

const ORDER: Types = {
  onnx: [
    [1, F3],
    [9, union(I8, F3)],
    [13, union(I8, F4)],
  ],
  openvino: union(NUMERIC, BOOL),
  other: REAL,
}

const ORDER_OR_EQUAL: Types = {
  onnx: [
    [12, union(I8, F3)],
    [16, union(I8, F4)],
  ],
  openvino: union(NUMERIC, BOOL),
  other: REAL,
}

const comparison = { operands: 2, result: 'bool' } as const

export const equal: Row<'Equal'> = {
  ...comparison,
  name: 'Equal',
  openvino: 'Equal',
  types: EQUALITY,
  build: (b, [x, y]) => b.compare('equal', x!, y!),
}

export const notEqual: Row<'NotEqual'> = {
  ...comparison,
  name: 'NotEqual',
  openvino: 'NotEqual',
  types: { openvino: union(NUMERIC, BOOL), other: union(REAL, STRING) },
  build: (b, [x, y]) => b.op('not', b.compare('equal', x!, y!)),
}

export const less: Row<'Less'> = {
  ...comparison,
  name: 'Less',
  openvino: 'Less',
  types: ORDER,
  build: (b, [x, y]) => b.compare('less', x!, y!),
}

export const greater: Row<'Greater'> = {
  ...comparison,
  name: 'Greater',
  openvino: 'Greater',
  types: ORDER,
  build: (b, [x, y]) => b.compare('less', y!, x!),
}

export const lessOrEqual: Row<'LessOrEqual'> = {
  ...comparison,
  name: 'LessOrEqual',
  openvino: 'LessEqual',
  types: ORDER_OR_EQUAL,
  build: (b, [x, y]) => b.compare('lessEqual', x!, y!),
}

export const greaterOrEqual: Row<'GreaterOrEqual'> = {
  ...comparison,
  name: 'GreaterOrEqual',
  openvino: 'GreaterEqual',
  types: ORDER_OR_EQUAL,
  build: (b, [x, y]) => b.compare('lessEqual', y!, x!),
}

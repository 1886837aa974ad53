// Equal NotEqual Greater Less GreaterOrEqual LessOrEqual. With NaN all are false but NotEqual.
// @clause onnx.multi.op.equal, onnx.multi.op.greater, onnx.multi.op.less
import type { Row, Types } from '../row.ts'
import { BOOL, F3, F4, I8, NUMERIC, REAL, STRING, union } from '../type-sets.ts'

const EQUALITY: Types = {
  onnx: [
    [1, /* @__PURE__ */ union(BOOL, ['int32', 'int64'])],
    [11, /* @__PURE__ */ union(BOOL, I8, F3)],
    [13, /* @__PURE__ */ union(BOOL, I8, F4)],
    [19, /* @__PURE__ */ union(BOOL, I8, F4, STRING)],
  ],
  openvino: /* @__PURE__ */ union(NUMERIC, BOOL),
  other: REAL,
}

const ORDER: Types = {
  onnx: [
    [1, F3],
    [9, /* @__PURE__ */ union(I8, F3)],
    [13, /* @__PURE__ */ union(I8, F4)],
  ],
  openvino: /* @__PURE__ */ union(NUMERIC, BOOL),
  other: REAL,
}

const ORDER_OR_EQUAL: Types = {
  onnx: [
    [12, /* @__PURE__ */ union(I8, F3)],
    [16, /* @__PURE__ */ union(I8, F4)],
  ],
  openvino: /* @__PURE__ */ union(NUMERIC, BOOL),
  other: REAL,
}

export const equal: Row<'Equal'> = {
  operands: 2,
  result: 'bool',
  name: 'Equal',
  openvino: 'Equal',
  types: EQUALITY,
  build: (b, [x, y]) => b.compare('equal', x!, y!),
}

export const notEqual: Row<'NotEqual'> = {
  operands: 2,
  result: 'bool',
  name: 'NotEqual',
  openvino: 'NotEqual',
  types: { openvino: /* @__PURE__ */ union(NUMERIC, BOOL), other: /* @__PURE__ */ union(REAL, STRING) },
  build: (b, [x, y]) => b.op('not', b.compare('equal', x!, y!)),
}

export const less: Row<'Less'> = {
  operands: 2,
  result: 'bool',
  name: 'Less',
  openvino: 'Less',
  types: ORDER,
  build: (b, [x, y]) => b.compare('less', x!, y!),
}

export const greater: Row<'Greater'> = {
  operands: 2,
  result: 'bool',
  name: 'Greater',
  openvino: 'Greater',
  types: ORDER,
  build: (b, [x, y]) => b.compare('less', y!, x!),
}

export const lessOrEqual: Row<'LessOrEqual'> = {
  operands: 2,
  result: 'bool',
  name: 'LessOrEqual',
  openvino: 'LessEqual',
  types: ORDER_OR_EQUAL,
  build: (b, [x, y]) => b.compare('lessEqual', x!, y!),
}

export const greaterOrEqual: Row<'GreaterOrEqual'> = {
  operands: 2,
  result: 'bool',
  name: 'GreaterOrEqual',
  openvino: 'GreaterEqual',
  types: ORDER_OR_EQUAL,
  build: (b, [x, y]) => b.compare('lessEqual', y!, x!),
}

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

export const equal: Row<'equal'> = {
  name: 'Equal',
  call: 'equal',
  openvino: 'Equal',
  help: 'whether a = b',
  operands: ['a', 'b'],
  result: 'bool',
  types: EQUALITY,
  build: (b, [x, y]) => b.compare('equal', x!, y!),
}

export const notEqual: Row<'equal' | 'not'> = {
  name: 'NotEqual',
  call: 'notEqual',
  openvino: 'NotEqual',
  help: 'whether a and b differ',
  operands: ['a', 'b'],
  result: 'bool',
  types: { openvino: /* @__PURE__ */ union(NUMERIC, BOOL), other: /* @__PURE__ */ union(REAL, STRING) },
  build: (b, [x, y]) => b.op('not', b.compare('equal', x!, y!)),
}

export const less: Row<'less'> = {
  name: 'Less',
  call: 'less',
  openvino: 'Less',
  help: 'whether a < b',
  operands: ['a', 'b'],
  result: 'bool',
  types: ORDER,
  build: (b, [x, y]) => b.compare('less', x!, y!),
}

export const greater: Row<'less'> = {
  name: 'Greater',
  call: 'greater',
  openvino: 'Greater',
  help: 'whether a > b',
  operands: ['a', 'b'],
  result: 'bool',
  types: ORDER,
  build: (b, [x, y]) => b.compare('less', y!, x!),
}

export const lessOrEqual: Row<'lessEqual'> = {
  name: 'LessOrEqual',
  call: 'lessOrEqual',
  openvino: 'LessEqual',
  help: 'whether a <= b',
  operands: ['a', 'b'],
  result: 'bool',
  types: ORDER_OR_EQUAL,
  build: (b, [x, y]) => b.compare('lessEqual', x!, y!),
}

export const greaterOrEqual: Row<'lessEqual'> = {
  name: 'GreaterOrEqual',
  call: 'greaterOrEqual',
  openvino: 'GreaterEqual',
  help: 'whether a >= b',
  operands: ['a', 'b'],
  result: 'bool',
  types: ORDER_OR_EQUAL,
  build: (b, [x, y]) => b.compare('lessEqual', y!, x!),
}

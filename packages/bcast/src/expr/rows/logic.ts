// And Or Xor Not on bool, and their bitwise counterparts with the shifts on integers.
// @clause onnx.multi.op.and, onnx.multi.op.or, onnx.multi.op.xor
import { bitsOf, isWide } from '../../dtype/dtype.ts'
import type { Builder, Value } from '../ir.ts'
import type { Row, Types } from '../row.ts'
import { BOOL, I8, UNSIGNED, union } from '../type-sets.ts'

const LOGICAL: Types = { onnx: [[1, BOOL]], openvino: BOOL }
const BITWISE: Types = { onnx: [[18, I8]], openvino: /* @__PURE__ */ union(I8, BOOL) }

export const and: Row<'And'> = {
  operands: 2,
  result: 'same',
  name: 'And',
  openvino: 'LogicalAnd',
  types: LOGICAL,
  build: (b, [x, y]) => b.op('and', x!, y!),
}
export const or: Row<'Or'> = {
  operands: 2,
  result: 'same',
  name: 'Or',
  openvino: 'LogicalOr',
  types: LOGICAL,
  build: (b, [x, y]) => b.op('or', x!, y!),
}
export const xor: Row<'Xor'> = {
  operands: 2,
  result: 'same',
  name: 'Xor',
  openvino: 'LogicalXor',
  types: LOGICAL,
  build: (b, [x, y]) => b.op('xor', x!, y!),
}
export const not: Row<'Not'> = {
  operands: 1,
  result: 'same',
  name: 'Not',
  openvino: 'LogicalNot',
  types: LOGICAL,
  build: (b, [x]) => b.op('not', x!),
}

export const bitwiseAnd: Row<'BitwiseAnd'> = {
  operands: 2,
  result: 'same',
  name: 'BitwiseAnd',
  openvino: 'BitwiseAnd',
  types: BITWISE,
  build: (b, [x, y]) => b.op('and', x!, y!),
}
export const bitwiseOr: Row<'BitwiseOr'> = {
  operands: 2,
  result: 'same',
  name: 'BitwiseOr',
  openvino: 'BitwiseOr',
  types: BITWISE,
  build: (b, [x, y]) => b.op('or', x!, y!),
}
export const bitwiseXor: Row<'BitwiseXor'> = {
  operands: 2,
  result: 'same',
  name: 'BitwiseXor',
  openvino: 'BitwiseXor',
  types: BITWISE,
  build: (b, [x, y]) => b.op('xor', x!, y!),
}
export const bitwiseNot: Row<'BitwiseNot'> = {
  operands: 1,
  result: 'same',
  name: 'BitwiseNot',
  openvino: 'BitwiseNot',
  types: BITWISE,
  build: (b, [x]) => b.op('not', x!),
}

/** A shift by the width or more (a negative amount counts as that) gives 0, or all sign bits to the right. */
function shift(b: Builder, direction: 'shl' | 'shr', x: Value, amount: Value): Value {
  const dtype = b.dtype(x)
  const number = (value: number): Value => b.constant(dtype, isWide(dtype) ? BigInt(value) : value)
  const inside = b.op(
    'and',
    b.compare('lessEqual', number(0), amount),
    b.compare('less', amount, number(bitsOf(dtype))),
  )
  const shifted = b.op(direction, x, b.select(inside, amount, number(0)))
  const signBits = b.select(b.compare('less', x, number(0)), b.op('not', number(0)), number(0))
  return b.select(inside, shifted, direction === 'shl' ? number(0) : signBits)
}

/** `direction` is LEFT or RIGHT; a right shift of a signed type keeps the sign. */
export const bitShift: Row<'BitShift'> = {
  operands: 2,
  result: 'same',
  name: 'BitShift',
  types: { onnx: [[11, UNSIGNED]], openvino: I8 },
  attributes: { direction: { values: ['LEFT', 'RIGHT'], required: true } },
  build: (b, [x, y], { direction }) => shift(b, direction === 'LEFT' ? 'shl' : 'shr', x!, y!),
}

export const leftShift: Row<'BitwiseLeftShift'> = {
  operands: 2,
  result: 'same',
  name: 'BitwiseLeftShift',
  openvino: 'BitwiseLeftShift',
  types: { openvino: I8 },
  build: (b, [x, y]) => shift(b, 'shl', x!, y!),
}

export const rightShift: Row<'BitwiseRightShift'> = {
  operands: 2,
  result: 'same',
  name: 'BitwiseRightShift',
  openvino: 'BitwiseRightShift',
  types: { openvino: I8 },
  build: (b, [x, y]) => shift(b, 'shr', x!, y!),
}

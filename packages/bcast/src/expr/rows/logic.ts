// And Or Xor Not on bool, and their bitwise counterparts with the shifts on integers.
// @clause onnx.multi.op.and, onnx.multi.op.or, onnx.multi.op.xor
import { bitsOf, isWide } from '../../dtype/dtype.ts'
import type { Appending, Value } from '../ir.ts'
import type { Row, Types } from '../row.ts'
import { BOOL, I8, UNSIGNED, union } from '../type-sets.ts'

const LOGICAL: Types = { onnx: [[1, BOOL]], openvino: BOOL }
const BITWISE: Types = { onnx: [[18, I8]], openvino: /* @__PURE__ */ union(I8, BOOL) }

export const and: Row<'and'> = {
  name: 'And',
  call: 'and',
  openvino: 'LogicalAnd',
  help: 'whether both hold',
  operands: ['a', 'b'],
  result: 'same',
  types: LOGICAL,
  build: (b, [x, y]) => b.op('and', x!, y!),
}
export const or: Row<'or'> = {
  name: 'Or',
  call: 'or',
  openvino: 'LogicalOr',
  help: 'whether one holds at least',
  operands: ['a', 'b'],
  result: 'same',
  types: LOGICAL,
  build: (b, [x, y]) => b.op('or', x!, y!),
}
export const xor: Row<'xor'> = {
  name: 'Xor',
  call: 'xor',
  openvino: 'LogicalXor',
  help: 'whether one alone holds',
  operands: ['a', 'b'],
  result: 'same',
  types: LOGICAL,
  build: (b, [x, y]) => b.op('xor', x!, y!),
}
export const not: Row<'not'> = {
  name: 'Not',
  call: 'not',
  openvino: 'LogicalNot',
  help: 'whether x does not hold',
  operands: ['x'],
  result: 'same',
  types: LOGICAL,
  build: (b, [x]) => b.op('not', x!),
}

export const bitwiseAnd: Row<'and'> = {
  name: 'BitwiseAnd',
  call: 'bitwiseAnd',
  openvino: 'BitwiseAnd',
  help: 'the bits that both have',
  operands: ['a', 'b'],
  result: 'same',
  types: BITWISE,
  build: (b, [x, y]) => b.op('and', x!, y!),
}
export const bitwiseOr: Row<'or'> = {
  name: 'BitwiseOr',
  call: 'bitwiseOr',
  openvino: 'BitwiseOr',
  help: 'the bits that one has at least',
  operands: ['a', 'b'],
  result: 'same',
  types: BITWISE,
  build: (b, [x, y]) => b.op('or', x!, y!),
}
export const bitwiseXor: Row<'xor'> = {
  name: 'BitwiseXor',
  call: 'bitwiseXor',
  openvino: 'BitwiseXor',
  help: 'the bits that one alone has',
  operands: ['a', 'b'],
  result: 'same',
  types: BITWISE,
  build: (b, [x, y]) => b.op('xor', x!, y!),
}
export const bitwiseNot: Row<'not'> = {
  name: 'BitwiseNot',
  call: 'bitwiseNot',
  openvino: 'BitwiseNot',
  help: 'the bits that x does not have',
  operands: ['x'],
  result: 'same',
  types: BITWISE,
  build: (b, [x]) => b.op('not', x!),
}

/** What a shift is made of. */
type Shifting = 'shl' | 'shr' | 'and' | 'not' | 'less' | 'lessEqual' | 'select'

/** A shift by the width or more (a negative amount counts as that) gives 0, or all sign bits to the right. */
function shift(b: Appending<Shifting>, direction: 'shl' | 'shr', x: Value, amount: Value): Value {
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

export interface BitShiftAttributes {
  readonly direction: 'LEFT' | 'RIGHT'
}

/** `direction` is LEFT or RIGHT; a right shift of a signed type keeps the sign. */
export const bitShift: Row<Shifting, BitShiftAttributes> = {
  name: 'BitShift',
  call: 'bitShift',
  help: 'x shifted to the left or to the right',
  operands: ['x', 'amount'],
  result: 'same',
  types: { onnx: [[11, UNSIGNED]], openvino: I8 },
  attributes: { direction: { kind: 'choice', values: ['LEFT', 'RIGHT'] } },
  build: (b, [x, y], { direction }) => shift(b, direction === 'LEFT' ? 'shl' : 'shr', x!, y!),
}

export const leftShift: Row<Shifting> = {
  name: 'BitwiseLeftShift',
  call: 'leftShift',
  openvino: 'BitwiseLeftShift',
  help: 'x shifted to the left',
  operands: ['x', 'amount'],
  result: 'same',
  types: { openvino: I8 },
  build: (b, [x, y]) => shift(b, 'shl', x!, y!),
}

export const rightShift: Row<Shifting> = {
  name: 'BitwiseRightShift',
  call: 'rightShift',
  openvino: 'BitwiseRightShift',
  help: 'x shifted to the right; the sign stays',
  operands: ['x', 'amount'],
  result: 'same',
  types: { openvino: I8 },
  build: (b, [x, y]) => shift(b, 'shr', x!, y!),
}

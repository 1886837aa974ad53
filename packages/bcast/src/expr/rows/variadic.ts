// Max Min Mean Sum over one or more operands, all broadcast at once, taken left to right.
// @clause onnx.multi.op.max, onnx.multi.op.min, onnx.multi.op.mean, onnx.multi.op.sum
import type { Differential, Gradients } from '../derivative.ts'
import type { Appending, Primitive, Value } from '../ir.ts'
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

const fold = <P extends Primitive>(b: Appending<P>, op: P, args: readonly Value[]): Value =>
  args.slice(1).reduce((sum, arg) => b.op(op, sum, arg), args[0]!)

/** One operand by itself is a reduction of a tensor, which a bare value is not. */
const alone = (call: string): string =>
  `${call}(x) of one operand reduces a tensor over its axes; wrap a value with tensor(…). ONNX's ${call} of one operand is ${call}([x]).`

/** A number beside one operand is what somebody writes who means an axis. */
const beside = (call: string, other: string): string =>
  `${call}(x, n): is n an axis or an operand? Over axis n it is ${call}(x, { axes: n }); ${other}.`

/** Operands that equal the result share its gradient evenly; where the result is NaN, each has it whole. */
function amongTies({ operands, result, delta }: Differential<unknown>): Gradients {
  if (operands.length === 1) return [delta]
  const chosen = operands.map((operand) => operand.equal(result))
  const count = chosen.map((each) => each.cast(delta.dtype)).reduce((sum, each) => sum.add(each))
  const share = delta.div(count)
  const unknown = result.notEqual(result)
  return chosen.map((each) => unknown.where(delta, each.where(share, 0)))
}

export const max: Row<'max'> = {
  name: 'Max',
  call: 'max',
  openvino: 'Maximum',
  help: 'the largest of its operands',
  operands: ['x'],
  variadic: true,
  alone: alone('max'),
  result: 'same',
  types: EXTREME,
  build: (b, args) => fold(b, 'max', args),
  derivative: amongTies,
}
export const min: Row<'min'> = {
  name: 'Min',
  call: 'min',
  openvino: 'Minimum',
  help: 'the smallest of its operands',
  operands: ['x'],
  variadic: true,
  alone: alone('min'),
  result: 'same',
  types: EXTREME,
  build: (b, args) => fold(b, 'min', args),
  derivative: amongTies,
}
export const sum: Row<'add'> = {
  name: 'Sum',
  call: 'sum',
  help: 'the sum of its operands',
  operands: ['x'],
  variadic: true,
  alone: alone('sum'),
  beside: beside('sum', 'x plus n is add(x, n)'),
  result: 'same',
  types: SUM,
  build: (b, args) => fold(b, 'add', args),
  derivative: ({ operands, delta }) => operands.map(() => delta),
}

export const mean: Row<'add' | 'div'> = {
  name: 'Mean',
  call: 'mean',
  help: 'the mean of its operands',
  operands: ['x'],
  variadic: true,
  alone: alone('mean'),
  beside: beside('mean', 'the mean of x and n is mean([x, n])'),
  result: 'same',
  types: SUM,
  build: (b, args) => b.op('div', fold(b, 'add', args), b.constant(b.dtype(args[0]!), args.length)),
  derivative: ({ operands, delta }) => operands.map(() => delta.div(operands.length)),
}

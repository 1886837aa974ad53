// ONNX models of the operators, written byte by byte: the format is protobuf, and these need five of its messages.
import type { BenchDType, Op, OperandSpec } from './task.ts'

type Bytes = readonly number[]

const varint = (value: number): Bytes => {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  bytes.push(Number(rest))
  return bytes
}
const integer = (field: number, value: number): Bytes => [...varint(field * 8), ...varint(value)]
const message = (field: number, ...parts: readonly Bytes[]): Bytes => {
  const body = parts.flat()
  return [...varint(field * 8 + 2), ...varint(body.length), ...body]
}
const text = (field: number, value: string): Bytes => message(field, [...Buffer.from(value)])

/** Numbers of ONNX's element types. */
const TYPES: Readonly<Record<BenchDType, number>> = {
  float32: 1,
  int8: 3,
  int64: 7,
  bool: 9,
  float16: 10,
  float64: 11,
  bfloat16: 16,
}

const valueInfo = (field: number, name: string, { dtype, shape }: OperandSpec): Bytes => {
  const dims = shape.flatMap((size) => message(1, integer(1, size)))
  return message(field, text(1, name), message(2, message(1, integer(1, TYPES[dtype]), message(2, dims))))
}

const node = (type: string, inputs: readonly string[], output: string): Bytes =>
  message(1, ...inputs.map((name) => text(1, name)), text(2, output), text(4, type))

/** A constant list of integers in the graph. */
const integers = (name: string, values: readonly number[]): Bytes =>
  message(
    5,
    integer(1, values.length),
    integer(2, TYPES.int64),
    ...values.map((value) => integer(7, value)),
    text(8, name),
  )

function graphOf(op: Op, rows: number): readonly Bytes[] {
  switch (op) {
    case 'add':
      return [node('Add', ['x0', 'x1'], 'y')]
    case 'mul':
      return [node('Mul', ['x0', 'x1'], 'y')]
    case 'greater':
      return [node('Greater', ['x0', 'x1'], 'y')]
    case 'where':
      return [node('Where', ['x0', 'x1', 'x2'], 'y')]
    case 'max':
      return [node('Max', ['x0', 'x1', 'x2', 'x3', 'x4'], 'y')]
    case 'gemm':
      return [node('Gemm', ['x0', 'x1', 'x2'], 'y')]
    case 'normalise':
      return [
        node('Sub', ['x0', 'x1'], 'a'),
        node('Div', ['a', 'x2'], 'b'),
        node('Mul', ['b', 'x3'], 'c'),
        node('Add', ['c', 'x4'], 'y'),
      ]
    case 'addTransposed':
      return [node('Transpose', ['x1'], 'a'), node('Add', ['x0', 'a'], 'y')]
    case 'addStrided':
      return [
        node('Slice', ['x1', 'starts', 'ends', 'axes', 'steps'], 'a'),
        node('Add', ['x0', 'a'], 'y'),
        integers('starts', [rows - 1, 0]),
        integers('ends', [-rows - 1, 2 ** 31]),
        integers('axes', [0, 1]),
        integers('steps', [-1, 2]),
      ]
  }
}

/** A model of opset 17 with inputs x0, x1, … and the output y. */
export function onnxModel(op: Op, operands: readonly OperandSpec[], result: OperandSpec): Uint8Array {
  const graph = message(
    7,
    ...graphOf(op, result.shape[0] ?? 1),
    text(2, op),
    ...operands.map((operand, i) => valueInfo(11, `x${i}`, operand)),
    valueInfo(12, 'y', result),
  )
  return Uint8Array.from([...integer(1, 8), ...graph, ...message(8, integer(2, 17))])
}

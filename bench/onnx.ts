// ONNX models of the operators, written byte by byte: the format is protobuf, and these need six of its messages.
import { type BenchDType, elementCount, type OperandSpec, type Task } from './task.ts'

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

const float = (field: number, value: number): Bytes => [
  ...varint(field * 8 + 5),
  ...new Uint8Array(new Float32Array([value]).buffer),
]

/** An attribute of a node: a whole number, or a float where it is named so. */
const attribute = (name: string, value: number): Bytes =>
  name === 'alpha'
    ? message(5, text(1, name), float(2, value), integer(20, 1))
    : message(5, text(1, name), integer(3, value), integer(20, 2))

const node = (
  type: string,
  inputs: readonly string[],
  output: string,
  attributes: Readonly<Record<string, number>> = {},
): Bytes =>
  message(
    1,
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(4, type),
    ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
  )

/** A constant list of integers in the graph. */
const integers = (name: string, values: readonly number[]): Bytes =>
  message(
    5,
    integer(1, values.length),
    integer(2, TYPES.int64),
    ...values.map((value) => integer(7, value)),
    text(8, name),
  )

/** A constant float32 in the graph. */
const constant = (name: string, value: number): Bytes =>
  message(5, integer(2, TYPES.float32), float(4, value), text(8, name))

interface Modelled extends Pick<Task, 'op' | 'axes'> {
  readonly operands: readonly OperandSpec[]
  /** As many as the outputs y, y1, … */
  readonly results: readonly OperandSpec[]
}

function graphOf({ op, operands, results, axes }: Modelled): readonly Bytes[] {
  const shape = operands[0]!.shape
  const rows = shape[0]!
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
    case 'sum':
    case 'sumTo': {
      const keepdims = results[0]!.shape.length === shape.length ? 1 : 0
      return [node('ReduceSum', ['x0', 'axes'], 'y', { keepdims }), integers('axes', axes)]
    }
    case 'softmax':
      return [node('Softmax', ['x0'], 'y')]
    case 'layerNorm':
      return [node('LayerNormalization', ['x0', 'x1', 'x2'], 'y')]
    case 'normaliseGrad':
      return [
        node('Sub', ['x0', 'x1'], 'a'),
        node('Div', ['a', 'x2'], 'z'),
        node('Mul', ['z', 'z'], 'q'),
        node('ReduceMean', ['q'], 'y', { keepdims: 0 }),
        node('Div', ['two', 'x2'], 'r'),
        node('Mul', ['z', 'r'], 'y1'),
        node('ReduceSum', ['y1', 'axes'], 'b', { keepdims: 0 }),
        node('Neg', ['b'], 'y2'),
        node('Mul', ['y1', 'z'], 'c'),
        node('ReduceSum', ['c', 'axes'], 'd', { keepdims: 0 }),
        node('Neg', ['d'], 'y3'),
        constant('two', 2 / elementCount(shape)),
        integers('axes', [0]),
      ]
    case 'logisticStep':
      return [
        node('MatMul', ['x0', 'x2'], 'z'),
        node('Softplus', ['z'], 'a'),
        node('Mul', ['x1', 'z'], 'b'),
        node('Sub', ['a', 'b'], 'c'),
        node('ReduceMean', ['c'], 'y', { keepdims: 0 }),
        node('Sigmoid', ['z'], 'p'),
        node('Sub', ['p', 'x1'], 'd'),
        node('Gemm', ['x0', 'd', 'x2'], 'y1', { transA: 1, alpha: -1 / rows }),
      ]
  }
}

/** A model of opset 17 with inputs x0, x1, … and outputs y, y1, … */
export function onnxModel(modelled: Modelled): Uint8Array {
  const graph = message(
    7,
    ...graphOf(modelled),
    text(2, modelled.op),
    ...modelled.operands.map((operand, i) => valueInfo(11, `x${i}`, operand)),
    ...modelled.results.map((result, i) => valueInfo(12, i === 0 ? 'y' : `y${i}`, result)),
  )
  return Uint8Array.from([...integer(1, 8), ...graph, ...message(8, integer(2, 17))])
}

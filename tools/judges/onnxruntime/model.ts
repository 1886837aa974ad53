// One-node ONNX models as bytes. The protobuf that a single node needs is small enough to write by hand, so that
// this judge runs without Python.
import type { CaseDType, ComputeCase } from '../case.ts'

const OPSET = 22
const IR_VERSION = 10

const ELEMENT_TYPES: Readonly<Record<CaseDType, number>> = {
  float32: 1,
  uint8: 2,
  int8: 3,
  uint16: 4,
  int16: 5,
  int32: 6,
  int64: 7,
  string: 8,
  bool: 9,
  float16: 10,
  float64: 11,
  uint32: 12,
  uint64: 13,
  bfloat16: 16,
}

type Bytes = readonly number[]

function varint(value: number): Bytes {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return [...bytes, rest]
}

const integer = (field: number, value: number): Bytes => [...varint(field * 8), ...varint(value)]
const message = (field: number, ...parts: readonly Bytes[]): Bytes => {
  const content = parts.flat()
  return [...varint(field * 8 + 2), ...varint(content.length), ...content]
}
const text = (field: number, value: string): Bytes => message(field, [...Buffer.from(value)])
const float = (field: number, value: number): Bytes => [
  ...varint(field * 8 + 5),
  ...new Uint8Array(new Float32Array([value]).buffer),
]

// AttributeProto.type
const FLOAT = 1
const INT = 2
const STRING = 3

const intAttribute = (name: string, value: number): Bytes =>
  message(5, text(1, name), integer(3, value), integer(20, INT))
const floatAttribute = (name: string, value: number): Bytes =>
  message(5, text(1, name), float(2, value), integer(20, FLOAT))
const stringAttribute = (name: string, value: string): Bytes =>
  message(5, text(1, name), text(4, value), integer(20, STRING))

function attributesOf({ op, attrs }: ComputeCase): Bytes[] {
  switch (op) {
    case 'Mod':
      return [intAttribute('fmod', Number(attrs.fmod ?? false))]
    case 'BitShift':
      return [stringAttribute('direction', attrs.direction ?? 'LEFT')]
    case 'Cast':
      return [intAttribute('to', ELEMENT_TYPES[attrs.to ?? 'float32'])]
    case 'Gemm':
      return [
        floatAttribute('alpha', attrs.alpha ?? 1),
        floatAttribute('beta', attrs.beta ?? 1),
        intAttribute('transA', Number(attrs.transA ?? false)),
        intAttribute('transB', Number(attrs.transB ?? false)),
      ]
    default:
      return []
  }
}

const COMPARISONS = ['Equal', 'Greater', 'Less', 'GreaterOrEqual', 'LessOrEqual']

function resultType({ op, attrs }: ComputeCase, dtypes: readonly CaseDType[]): CaseDType {
  if (COMPARISONS.includes(op)) return 'bool'
  if (op === 'Cast') return attrs.to ?? 'float32'
  return dtypes[op === 'Where' ? 1 : 0]!
}

/** A value of a type and no declared shape, so that kernels meet the shapes and not the model's loader. */
const valueInfo = (field: number, name: string, dtype: CaseDType): Bytes =>
  message(field, text(1, name), message(2, message(1, integer(1, ELEMENT_TYPES[dtype]))))

/** The case's node with inputs x0, x1, … of the given types and the output y. */
export function modelOf(question: ComputeCase, dtypes: readonly CaseDType[]): Uint8Array {
  const names = dtypes.map((_, i) => `x${i}`)
  const node = message(
    1,
    ...names.map((name) => text(1, name)),
    text(2, 'y'),
    text(4, question.op),
    ...attributesOf(question),
  )
  const graph = message(
    7,
    node,
    text(2, 'case'),
    ...names.map((name, i) => valueInfo(11, name, dtypes[i]!)),
    valueInfo(12, 'y', resultType(question, dtypes)),
  )
  return new Uint8Array([integer(1, IR_VERSION), graph, message(8, integer(2, OPSET))].flat())
}

// TensorProto to Tensor. An element lies in raw_data, in another file, or in the typed field of its family (16-bit
// floats, booleans and small integers share int32_data); shape and data are compared before memory is taken.
import { dtypeInfo, fromData, type StorageOf, type Tensor } from 'bcast'
import { TensorDataError, UnsupportedError } from '../errors/index.ts'
import { TensorProto_DataLocation as DataLocation, type TensorProto } from '../proto/onnx_pb.ts'
import { bytesOf, dtypeOf, type OnnxDType } from './element-type.ts'
import { type ExternalFiles, readExternal } from './external.ts'
import { countOf } from './row-major.ts'

/** Where a tensor's data may lie outside the model's file. */
export interface TensorSource {
  /** Where external data lies. */
  readonly files?: ExternalFiles
}

/** The fields with typed elements, in the order of the .proto file. */
const typedFields = ['floatData', 'int32Data', 'stringData', 'int64Data', 'doubleData', 'uint64Data'] as const
type TypedField = (typeof typedFields)[number]

interface TypeRow {
  readonly field: TypedField
  /** Least and greatest stored element, where the field could hold more. */
  readonly range?: readonly [min: number | bigint, max: number | bigint]
}

type Stored = Exclude<OnnxDType, 'string'>

const rows: Readonly<Record<Stored, TypeRow>> = {
  float16: { field: 'int32Data', range: [0, 0xffff] },
  bfloat16: { field: 'int32Data', range: [0, 0xffff] },
  float32: { field: 'floatData' },
  float64: { field: 'doubleData' },
  int8: { field: 'int32Data', range: [-0x80, 0x7f] },
  int16: { field: 'int32Data', range: [-0x8000, 0x7fff] },
  int32: { field: 'int32Data' },
  int64: { field: 'int64Data' },
  uint8: { field: 'int32Data', range: [0, 0xff] },
  uint16: { field: 'int32Data', range: [0, 0xffff] },
  uint32: { field: 'uint64Data', range: [0n, 0xffff_ffffn] },
  uint64: { field: 'uint64Data' },
  bool: { field: 'int32Data', range: [0, 1] },
}

/** The shape in numbers; a size that is negative or uncountable is an error. */
export function shapeOf(proto: TensorProto): number[] {
  const shape = proto.dims.map((size, axis) => {
    if (size < 0n) throw new TensorDataError(proto.name, `size ${size} of axis ${axis} is negative.`)
    return Number(size)
  })
  const count = shape.includes(0) ? 0 : shape.reduce((product, size) => product * size, 1)
  if (!Number.isSafeInteger(count) || !shape.every(Number.isSafeInteger)) {
    throw new TensorDataError(proto.name, `the sizes (${proto.dims.join(',')}) make more than 2^53 - 1 elements.`)
  }
  return shape
}

/** Data in a field that the element type does not use, or in two places at once, is damage. */
function checkPlaces(proto: TensorProto, dtype: OnnxDType, expected: TypedField, elsewhere: string | undefined): void {
  for (const field of typedFields) {
    if (proto[field].length === 0 || (field === expected && elsewhere === undefined)) continue
    const place = elsewhere === undefined ? `${dtype} elements belong in ${snake(expected)}` : `it has ${elsewhere} too`
    throw new TensorDataError(proto.name, `data lies in ${snake(field)}, but ${place}.`)
  }
}

const snake = (name: string): string => name.replace(/([A-Z])/g, (letter) => `_${letter.toLowerCase()}`)

/** Elements over bytes as they lie where they are aligned, else over a copy. */
function overBytes(dtype: Stored, bytes: Uint8Array, count: number): ArrayBufferView {
  const aligned = bytes.byteOffset % bytesOf(dtype) === 0
  const { buffer, byteOffset } = aligned ? bytes : bytes.slice()
  return new (dtypeInfo(dtype).array)(buffer, byteOffset, count)
}

function checkBooleans(proto: TensorProto, elements: Uint8Array): void {
  const wrong = elements.findIndex((element) => element > 1)
  if (wrong >= 0) throw new TensorDataError(proto.name, `element ${wrong} is ${elements[wrong]}, which is not a bool.`)
}

function fromBytes(proto: TensorProto, dtype: OnnxDType, shape: number[], source: TensorSource): Tensor {
  const external = proto.dataLocation === DataLocation.EXTERNAL
  const where = external ? 'external data' : 'raw_data'
  if (dtype === 'string')
    throw new TensorDataError(proto.name, `${where} cannot hold strings; they lie in string_data.`)
  checkPlaces(proto, dtype, rows[dtype].field, where)
  const count = countOf(shape)
  const needed = count * bytesOf(dtype)
  if (external && proto.rawData.length > 0) {
    throw new TensorDataError(proto.name, 'data lies in raw_data, but it has external data too.')
  }
  const bytes = external ? readExternal(proto, needed, source.files) : proto.rawData
  if (bytes.length !== needed) {
    throw new TensorDataError(
      proto.name,
      `raw_data has ${bytes.length} bytes where ${count} ${dtype} elements of shape (${shape.join(',')}) take ${needed}.`,
    )
  }
  const elements = overBytes(dtype, bytes, count)
  if (dtype === 'bool') checkBooleans(proto, elements as Uint8Array)
  return fromData(dtype, elements as StorageOf<Stored>, shape)
}

function checkCount(proto: TensorProto, field: TypedField, shape: readonly number[]): void {
  if (proto[field].length === countOf(shape)) return
  throw new TensorDataError(
    proto.name,
    `${snake(field)} has ${proto[field].length} elements where shape (${shape.join(',')}) takes ${countOf(shape)}.`,
  )
}

function stringsOf(proto: TensorProto, shape: number[]): Tensor {
  checkPlaces(proto, 'string', 'stringData', undefined)
  checkCount(proto, 'stringData', shape)
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const elements = proto.stringData.map((bytes, i) => {
    try {
      return text.decode(bytes)
    } catch {
      throw new TensorDataError(proto.name, `element ${i} is not UTF-8 text.`)
    }
  })
  return fromData('string', elements, shape)
}

function fromTyped(proto: TensorProto, dtype: Stored, shape: number[]): Tensor {
  const { field, range } = rows[dtype]
  checkPlaces(proto, dtype, field, undefined)
  checkCount(proto, field, shape)
  const values = proto[field] as readonly (number | bigint)[]
  const wrong = range === undefined ? -1 : values.findIndex((value) => value < range[0] || value > range[1])
  if (wrong >= 0) {
    throw new TensorDataError(proto.name, `element ${wrong} is ${values[wrong]}, which ${dtype} cannot hold.`)
  }
  const elements = new (dtypeInfo(dtype).array)(values.length)
  const store = elements as unknown as (number | bigint)[]
  const widened = dtype === 'uint32'
  for (let i = 0; i < values.length; i++) store[i] = widened ? Number(values[i]) : values[i]!
  return fromData(dtype, elements as StorageOf<Stored>, shape)
}

/**
 * A tensor over the data of a TensorProto; raw_data is shared, not copied, where it is aligned.
 *
 * @example
 * ```ts
 * tensorOf(tensorProtoOf(tensor([1, 2, 3]), 'bias')).toArray() // [1, 2, 3]
 * ```
 */
export function tensorOf(proto: TensorProto, source: TensorSource = {}): Tensor {
  const dtype = dtypeOf(proto.dataType, `tensor ${JSON.stringify(proto.name)}`)
  if (proto.segment !== undefined) {
    throw new UnsupportedError(
      `tensor ${JSON.stringify(proto.name)} is a segment of a larger one; only whole tensors can be read.`,
      'segment',
    )
  }
  const shape = shapeOf(proto)
  if (proto.dataLocation === DataLocation.EXTERNAL || proto.rawData.length > 0) {
    return fromBytes(proto, dtype, shape, source)
  }
  return dtype === 'string' ? stringsOf(proto, shape) : fromTyped(proto, dtype, shape)
}

/** The elements of a tensor in row-major order. */
export function elementsOf(x: Tensor): readonly (number | bigint | boolean | string)[] {
  return x.reshape(x.size).toArray() as number[]
}

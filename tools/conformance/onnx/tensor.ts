// TensorProto: the one message with many encodings. An element may lie in raw_data or in the typed field of its
// family (float16 bits and booleans share int32_data), and both must give the same plain values.

import {
  bytesOf,
  DamagedOnnxError,
  type Field,
  fields,
  integer,
  repeatedDouble,
  repeatedFloat,
  repeatedVarint,
  type Span,
  text,
} from './wire.ts'

export type OnnxDType =
  | 'float16'
  | 'bfloat16'
  | 'float32'
  | 'float64'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'bool'
  | 'string'

export type Element = number | bigint | boolean | string

export interface TensorProto {
  readonly name: string
  readonly dtype: OnnxDType
  readonly shape: readonly number[]
  /** Row-major; 64-bit integers as bigint. */
  readonly values: readonly Element[]
}

/** A legal file that asks for something the runner has no element type or reader for. */
export class UnsupportedOnnxError extends Error {
  readonly code = 'UNSUPPORTED_ONNX'
  constructor(what: string) {
    super(what)
    this.name = 'UnsupportedOnnxError'
  }
}

/** Where the elements of a type lie when they are not in raw_data. */
type Store = 'float' | 'int32' | 'string' | 'int64' | 'double' | 'uint64'

interface TypeRow {
  readonly dtype: OnnxDType
  readonly store: Store
  /** Bytes per element in raw_data; 0 where raw_data is not allowed. */
  readonly size: number
  readonly read: (data: DataView, at: number) => Element
  /** One element of the typed field, or undefined when the type cannot hold it. */
  readonly from: (stored: number | bigint | string) => Element | undefined
}

function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

function bfloatToNumber(bits: number): number {
  const data = new DataView(new ArrayBuffer(4))
  data.setUint32(0, bits * 0x1_0000)
  return data.getFloat32(0)
}

const same = (stored: number | bigint | string): Element => stored

/** int32_data and uint64_data hold narrower integers too; a value outside the type's range is damage. */
function ranged(signed: boolean, width: number): TypeRow['from'] {
  return (stored) => {
    const value = BigInt.asIntN(64, stored as bigint)
    const fits = signed ? BigInt.asIntN(width, value) === value : BigInt.asUintN(width, value) === value
    return fits ? Number(value) : undefined
  }
}

const bits16 = (decode: (bits: number) => number): TypeRow['from'] => {
  const inRange = ranged(false, 16)
  return (stored) => {
    const bits = inRange(stored)
    return bits === undefined ? undefined : decode(bits as number)
  }
}

function booleanFrom(stored: number | bigint | string): Element | undefined {
  return stored === 0n ? false : stored === 1n ? true : undefined
}

/** Keyed by TensorProto.DataType. */
const TYPES: Readonly<Record<number, TypeRow>> = {
  1: { dtype: 'float32', store: 'float', size: 4, read: (d, at) => d.getFloat32(at, true), from: same },
  2: { dtype: 'uint8', store: 'int32', size: 1, read: (d, at) => d.getUint8(at), from: ranged(false, 8) },
  3: { dtype: 'int8', store: 'int32', size: 1, read: (d, at) => d.getInt8(at), from: ranged(true, 8) },
  4: { dtype: 'uint16', store: 'int32', size: 2, read: (d, at) => d.getUint16(at, true), from: ranged(false, 16) },
  5: { dtype: 'int16', store: 'int32', size: 2, read: (d, at) => d.getInt16(at, true), from: ranged(true, 16) },
  6: { dtype: 'int32', store: 'int32', size: 4, read: (d, at) => d.getInt32(at, true), from: ranged(true, 32) },
  7: {
    dtype: 'int64',
    store: 'int64',
    size: 8,
    read: (d, at) => d.getBigInt64(at, true),
    from: (stored) => BigInt.asIntN(64, stored as bigint),
  },
  8: { dtype: 'string', store: 'string', size: 0, read: () => '', from: same },
  9: { dtype: 'bool', store: 'int32', size: 1, read: (d, at) => d.getUint8(at) !== 0, from: booleanFrom },
  10: {
    dtype: 'float16',
    store: 'int32',
    size: 2,
    read: (d, at) => halfToNumber(d.getUint16(at, true)),
    from: bits16(halfToNumber),
  },
  11: { dtype: 'float64', store: 'double', size: 8, read: (d, at) => d.getFloat64(at, true), from: same },
  12: { dtype: 'uint32', store: 'uint64', size: 4, read: (d, at) => d.getUint32(at, true), from: ranged(false, 32) },
  13: { dtype: 'uint64', store: 'uint64', size: 8, read: (d, at) => d.getBigUint64(at, true), from: same },
  16: {
    dtype: 'bfloat16',
    store: 'int32',
    size: 2,
    read: (d, at) => bfloatToNumber(d.getUint16(at, true)),
    from: bits16(bfloatToNumber),
  },
}

/** The element type that a TensorProto.DataType number names. */
export function dtypeOf(dataType: number): OnnxDType {
  const row = TYPES[dataType]
  if (row === undefined) throw new UnsupportedOnnxError(`ONNX element type ${dataType} has no counterpart here`)
  return row.dtype
}

const STORE_OF_FIELD: Readonly<Record<number, Store>> = {
  4: 'float',
  5: 'int32',
  6: 'string',
  7: 'int64',
  10: 'double',
  11: 'uint64',
}

function stored(field: Field, store: Store): (number | bigint | string)[] {
  switch (store) {
    case 'float':
      return repeatedFloat(field)
    case 'double':
      return repeatedDouble(field)
    case 'string':
      return [text(field)]
    default:
      return repeatedVarint(field)
  }
}

function elementCount(shape: readonly number[], offset: number): number {
  let count = 1
  for (const size of shape) {
    if (size < 0) throw new DamagedOnnxError(`a tensor has the negative dimension ${size}`, offset)
    count *= size
  }
  if (!Number.isSafeInteger(count)) throw new DamagedOnnxError('a tensor has more elements than 2^53', offset)
  return count
}

function fromRaw(raw: Field, row: TypeRow, count: number): Element[] {
  if (row.size === 0) throw new DamagedOnnxError(`raw_data cannot hold ${row.dtype} elements`, raw.offset)
  const bytes = bytesOf(raw)
  if (bytes.length !== count * row.size) {
    throw new DamagedOnnxError(
      `raw_data has ${bytes.length} bytes where ${count} ${row.dtype} elements need ${count * row.size}`,
      raw.offset,
    )
  }
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: count }, (_, i) => row.read(data, i * row.size))
}

export function readTensor(span: Span): TensorProto {
  const shape: number[] = []
  const typed = new Map<Store, { field: Field; values: (number | bigint | string)[] }>()
  let name = ''
  let dataType = 0
  let raw: Field | undefined
  let external = false
  for (const field of fields(span)) {
    const store = STORE_OF_FIELD[field.number]
    if (field.number === 1) for (const dim of repeatedVarint(field)) shape.push(Number(BigInt.asIntN(64, dim)))
    else if (field.number === 2) dataType = integer(field)
    else if (field.number === 8) name = text(field)
    else if (field.number === 9) raw = field
    else if (field.number === 14) external = integer(field) === 1
    else if (store !== undefined) {
      const entry = typed.get(store)
      if (entry === undefined) typed.set(store, { field, values: stored(field, store) })
      else for (const value of stored(field, store)) entry.values.push(value)
    }
  }
  if (dataType === 0) throw new DamagedOnnxError('a tensor has no element type', span.start)
  const dtype = dtypeOf(dataType)
  if (external) throw new UnsupportedOnnxError(`tensor ${JSON.stringify(name)} keeps its data in another file`)
  const row = TYPES[dataType]!
  const count = elementCount(shape, span.start)
  if (raw !== undefined) {
    const other = [...typed.values()].find((entry) => entry.values.length > 0)
    if (other !== undefined) throw new DamagedOnnxError('a tensor has raw_data and typed data', other.field.offset)
    return { name, dtype, shape, values: fromRaw(raw, row, count) }
  }
  const entry = typed.get(row.store)
  const offset = entry?.field.offset ?? span.start
  if ((entry?.values.length ?? 0) !== count) {
    throw new DamagedOnnxError(
      `a tensor has ${entry?.values.length ?? 0} elements where its shape needs ${count}`,
      offset,
    )
  }
  const values = (entry?.values ?? []).map((value) => {
    const element = row.from(value)
    if (element === undefined) throw new DamagedOnnxError(`${value} is not a ${dtype}`, offset)
    return element
  })
  return { name, dtype, shape, values }
}

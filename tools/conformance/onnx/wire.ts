// The protobuf wire format, read with every bound checked. ONNX files are the only protobuf the tools meet, and
// a reader of a hundred lines keeps the runner free of generated code and able to say where a file is damaged.

/** Bytes that are not the message they should be; `offset` counts from the start of the file. */
export class DamagedOnnxError extends Error {
  readonly code = 'DAMAGED_ONNX'
  readonly offset: number
  constructor(what: string, offset: number) {
    super(`${what} at byte ${offset}`)
    this.name = 'DamagedOnnxError'
    this.offset = offset
  }
}

/** A part of a file: one message, or the payload of one field. Offsets stay those of the file. */
export interface Span {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
}

export type WireType = 'varint' | 'fixed64' | 'bytes' | 'fixed32'

export interface Field {
  readonly number: number
  readonly type: WireType
  /** Where the field's tag starts. */
  readonly offset: number
  /** The 64 bits of a varint or fixed64, the 32 bits of a fixed32; 0 for bytes. */
  readonly bits: bigint
  /** The payload: the encoded number, or the bytes without their length. */
  readonly payload: Span
}

const WIRE_TYPES: readonly (WireType | undefined)[] = ['varint', 'fixed64', 'bytes', undefined, undefined, 'fixed32']

export function spanOf(bytes: Uint8Array): Span {
  return { bytes, start: 0, end: bytes.length }
}

interface Varint {
  readonly bits: bigint
  readonly next: number
}

function varint({ bytes, end }: Span, start: number): Varint {
  let bits = 0n
  for (let i = 0; i < 10; i++) {
    const at = start + i
    if (at >= end) throw new DamagedOnnxError('a varint runs past the end of its message', start)
    const byte = bytes[at]!
    // The tenth byte carries bit 63 alone.
    if (i === 9 && byte > 1) throw new DamagedOnnxError('a varint holds more than 64 bits', start)
    bits |= BigInt(byte & 0x7f) << BigInt(7 * i)
    if (byte < 0x80) return { bits, next: at + 1 }
  }
  throw new DamagedOnnxError('a varint is longer than 10 bytes', start)
}

function view({ bytes }: Span): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function fixed(span: Span, start: number, size: 4 | 8): bigint {
  if (start + size > span.end) throw new DamagedOnnxError(`a ${size}-byte number is cut short`, start)
  return size === 4 ? BigInt(view(span).getUint32(start, true)) : view(span).getBigUint64(start, true)
}

/** The fields of one message, in the order of the file. */
export function* fields(span: Span): Generator<Field> {
  let at = span.start
  while (at < span.end) {
    const offset = at
    const tag = varint(span, at)
    at = tag.next
    const number = Number(tag.bits >> 3n)
    const type = WIRE_TYPES[Number(tag.bits & 7n)]
    if (number < 1 || number > 0x1fff_ffff) throw new DamagedOnnxError(`field number ${number} is out of range`, offset)
    if (type === undefined) throw new DamagedOnnxError(`unknown wire type ${tag.bits & 7n}`, offset)
    const start = at
    let bits = 0n
    if (type === 'varint') {
      ;({ bits, next: at } = varint(span, at))
    } else if (type === 'bytes') {
      const length = varint(span, at)
      if (length.bits > BigInt(span.end - length.next)) {
        throw new DamagedOnnxError(
          `field ${number} says ${length.bits} bytes, ${span.end - length.next} are left`,
          offset,
        )
      }
      at = length.next + Number(length.bits)
      yield { number, type, offset, bits, payload: { bytes: span.bytes, start: length.next, end: at } }
      continue
    } else {
      const size = type === 'fixed32' ? 4 : 8
      bits = fixed(span, at, size)
      at += size
    }
    yield { number, type, offset, bits, payload: { bytes: span.bytes, start, end: at } }
  }
}

function expectType(field: Field, type: WireType): void {
  if (field.type !== type) {
    throw new DamagedOnnxError(`field ${field.number} is ${field.type}, not ${type}`, field.offset)
  }
}

export function message(field: Field): Span {
  expectType(field, 'bytes')
  return field.payload
}

export function bytesOf(field: Field): Uint8Array {
  const { bytes, start, end } = message(field)
  return bytes.subarray(start, end)
}

export function text(field: Field): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(field))
  } catch (cause) {
    if (cause instanceof DamagedOnnxError) throw cause
    throw new DamagedOnnxError(`field ${field.number} is not UTF-8 text`, field.offset)
  }
}

export function int64(field: Field): bigint {
  expectType(field, 'varint')
  return BigInt.asIntN(64, field.bits)
}

/** An int64 or enum that the reader needs as a number, such as a dimension. */
export function integer(field: Field): number {
  const value = int64(field)
  if (value < BigInt(Number.MIN_SAFE_INTEGER) || value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new DamagedOnnxError(`field ${field.number} holds ${value}, beyond 2^53`, field.offset)
  }
  return Number(value)
}

export function float(field: Field): number {
  expectType(field, 'fixed32')
  return view(field.payload).getFloat32(field.payload.start, true)
}

/** A repeated number comes packed (one run of bytes) or as one field per element; both are legal for any reader. */
export function repeatedVarint(field: Field): bigint[] {
  if (field.type === 'varint') return [field.bits]
  const run = message(field)
  const out: bigint[] = []
  for (let at = run.start; at < run.end; ) {
    const { bits, next } = varint(run, at)
    out.push(bits)
    at = next
  }
  return out
}

function repeatedFixed(field: Field, size: 4 | 8, read: (data: DataView, at: number) => number): number[] {
  const single: WireType = size === 4 ? 'fixed32' : 'fixed64'
  const run = field.type === single ? field.payload : message(field)
  if ((run.end - run.start) % size !== 0) {
    throw new DamagedOnnxError(`a packed run of ${run.end - run.start} bytes is no multiple of ${size}`, field.offset)
  }
  const data = view(run)
  const out: number[] = []
  for (let at = run.start; at < run.end; at += size) out.push(read(data, at))
  return out
}

export function repeatedFloat(field: Field): number[] {
  return repeatedFixed(field, 4, (data, at) => data.getFloat32(at, true))
}

export function repeatedDouble(field: Field): number[] {
  return repeatedFixed(field, 8, (data, at) => data.getFloat64(at, true))
}

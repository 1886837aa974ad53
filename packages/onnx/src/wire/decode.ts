// Bytes to a message. The protobuf runtime's own reader believes every length and wire type, says neither where nor
// what, and loses values (a leading byte order mark, an unknown enum value beside an unknown field); a model is a file
// from elsewhere, so it is read here: each bound checked, memory counted before it is taken, payloads never copied.
import { create, type DescMessage, type Message, type MessageShape, type UnknownField } from '@bufbuild/protobuf'
import { WireType } from '@bufbuild/protobuf/wire'
import { DamagedModelError, LimitError } from '../errors/index.ts'
import { Cursor, WireFault } from './cursor.ts'
import { pathAt } from './locate.ts'
import { DEPTH, type FieldRow, type MessageTable, tableOf } from './table.ts'

// Measured on V8, in bytes.
const SLOT = 12
const FIRST_SLOTS = 152
const BIGINT = 24
const STRING = 24
/** What the view keeps of a name in a list: where it is defined or used. */
const NAME = 160
const VIEW = 96
const UNKNOWN = 56 + VIEW

/** Options of reading a message. */
export interface DecodeOptions {
  /**
   * Bytes of memory that the messages and their view may take beside the bytes that were given: 64 MiB and 8 times the file when
   * left out. Weights take none; a model that reaches it holds millions of small fields.
   */
  readonly memory?: number
}

type Values = Record<string, unknown>

class OutOfMemory extends Error {
  readonly offset: number
  constructor(offset: number) {
    super()
    this.offset = offset
  }
}

class TooDeep extends OutOfMemory {}

class Decoder {
  private readonly cursor: Cursor
  private readonly text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  private left: number

  constructor(bytes: Uint8Array, memory: number) {
    this.cursor = new Cursor(bytes)
    this.left = memory
  }

  private spend(cost: number): void {
    this.left -= cost
    if (this.left < 0) throw new OutOfMemory(this.cursor.at)
  }

  message(table: MessageTable): Message {
    this.spend(table.cost)
    return create(table.desc)
  }

  /** Reads fields into `target` until `end`; fields that are there already are merged, as protobuf says. */
  read(table: MessageTable, target: Message, end: number, depth: number): void {
    const { cursor } = this
    while (cursor.at < end) {
      const start = cursor.at
      const { number, wire } = cursor.tag(end)
      const row = table.fields.get(number)
      if (row === undefined) this.unknown(target, number, wire, end, depth)
      else if (row.repeated) this.repeated(row, target, wire, end, depth, start)
      else if (wire === row.wire) this.single(row, target, end, depth)
      else throw mismatch(row, wire, start)
    }
  }

  private unknown(target: Message, number: number, wire: WireType, end: number, depth: number): void {
    const start = this.cursor.at
    this.spend(UNKNOWN)
    this.cursor.skip(wire, number, end, DEPTH - depth)
    this.keep(target, { no: number, wireType: wire, data: this.cursor.bytes.subarray(start, this.cursor.at) })
  }

  private keep(target: Message, field: UnknownField): void {
    if (target.$unknown === undefined) {
      this.spend(FIRST_SLOTS)
      target.$unknown = []
    }
    target.$unknown.push(field)
  }

  private single(row: FieldRow, target: Message, end: number, depth: number): void {
    if (row.values !== undefined) {
      this.enumeration(row, target, end)
      return
    }
    const values = target as unknown as Values
    const present = row.oneof === undefined ? values[row.property] : caseOf(values[row.oneof] as OneofCase, row)
    const value = row.kind === 'message' ? this.inner(row, end, depth, present as Message) : this.scalar(row, end)
    if (row.oneof === undefined) values[row.property] = value
    else values[row.oneof] = { case: row.property, value }
  }

  /** A value that the enumeration does not list is kept as an unknown field. */
  private enumeration(row: FieldRow, target: Message, end: number): void {
    const start = this.cursor.at
    const value = this.cursor.int32(end)
    if (row.values!.has(value)) {
      ;(target as unknown as Values)[row.property] = value
      return
    }
    this.spend(UNKNOWN)
    this.keep(target, { no: row.number, wireType: row.wire, data: this.cursor.bytes.subarray(start, this.cursor.at) })
  }

  private repeated(row: FieldRow, target: Message, wire: WireType, end: number, depth: number, start: number): void {
    const list = (target as unknown as Values)[row.property] as unknown[]
    if (list.length === 0) this.spend(FIRST_SLOTS)
    this.spend(row.kind === 'string' ? SLOT + NAME : SLOT)
    if (row.kind === 'message' && wire === row.wire) list.push(this.inner(row, end, depth))
    else if (wire === row.wire) list.push(this.scalar(row, end))
    else if (wire === WireType.LengthDelimited) this.packed(row, list, end)
    else throw mismatch(row, wire, start)
  }

  private packed(row: FieldRow, list: unknown[], end: number): void {
    const runEnd = this.cursor.payload(end)
    while (this.cursor.at < runEnd) {
      this.spend(SLOT)
      list.push(this.scalar(row, runEnd))
    }
  }

  private inner(row: FieldRow, end: number, depth: number, present?: Message): Message {
    if (depth >= DEPTH) throw new TooDeep(this.cursor.at)
    const innerEnd = this.cursor.payload(end)
    const table = tableOf(row.message!)
    const message = present ?? this.message(table)
    this.read(table, message, innerEnd, depth + 1)
    return message
  }

  private scalar(row: FieldRow, end: number): unknown {
    const { cursor } = this
    switch (row.kind) {
      case 'string':
        return this.string(end)
      case 'bytes':
        return this.payload(end)
      case 'int64':
        this.spend(BIGINT)
        return cursor.int64(end)
      case 'uint64':
        this.spend(BIGINT)
        return cursor.uint64(end)
      case 'float':
        return cursor.float(end)
      case 'double':
        return cursor.double(end)
      default:
        return cursor.int32(end)
    }
  }

  private payload(end: number): Uint8Array {
    this.spend(VIEW)
    const payloadEnd = this.cursor.payload(end)
    const start = this.cursor.take(payloadEnd - this.cursor.at, end)
    return this.cursor.bytes.subarray(start, payloadEnd)
  }

  private string(end: number): string {
    const payloadEnd = this.cursor.payload(end)
    const start = this.cursor.take(payloadEnd - this.cursor.at, end)
    this.spend(STRING + 2 * (payloadEnd - start))
    try {
      return this.text.decode(this.cursor.bytes.subarray(start, payloadEnd))
    } catch {
      throw new WireFault('a text is not UTF-8', start)
    }
  }
}

type OneofCase = { readonly case: string | undefined; readonly value?: unknown }

const caseOf = (oneof: OneofCase, row: FieldRow): unknown => (oneof.case === row.property ? oneof.value : undefined)

const WIRE_NAMES: Readonly<Record<WireType, string>> = {
  [WireType.Varint]: 'a varint',
  [WireType.Bit64]: 'eight bytes',
  [WireType.LengthDelimited]: 'a run of bytes',
  [WireType.StartGroup]: 'a group',
  [WireType.EndGroup]: 'the end of a group',
  [WireType.Bit32]: 'four bytes',
}

const mismatch = (row: FieldRow, wire: WireType, start: number): WireFault =>
  new WireFault(`${row.name} is ${WIRE_NAMES[row.wire]} and the file has ${WIRE_NAMES[wire]}`, start)

/** A Buffer's slices are Buffers; plain arrays are what every platform has. */
const plain = (bytes: Uint8Array): Uint8Array =>
  bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** A message whose bytes fields are views into `bytes`. */
export function decode<S extends DescMessage>(
  schema: S,
  bytes: Uint8Array,
  options: DecodeOptions = {},
): MessageShape<S> {
  const given = plain(bytes)
  const table = tableOf(schema)
  const memory = options.memory ?? 2 ** 26 + 8 * given.length
  const decoder = new Decoder(given, memory)
  try {
    const message = decoder.message(table)
    decoder.read(table, message, given.length, 1)
    return message as MessageShape<S>
  } catch (error) {
    if (error instanceof WireFault) {
      throw new DamagedModelError(error.message, error.offset, pathAt(table, given, error.offset))
    }
    if (!(error instanceof OutOfMemory)) throw error
    const path = pathAt(table, given, error.offset)
    if (error instanceof TooDeep) {
      throw new LimitError(
        `more than ${DEPTH} messages lie in one another`,
        DEPTH,
        error.offset,
        path,
        'No protobuf reader takes such a file; flatten the subgraphs.',
      )
    }
    throw new LimitError(
      `the messages would take more than ${memory} bytes of memory`,
      memory,
      error.offset,
      path,
      'If the file is one you trust, give a larger `memory`.',
    )
  }
}

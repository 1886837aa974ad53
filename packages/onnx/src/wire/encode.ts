// A message to bytes, in two passes: sizes first, then every byte at its place. The protobuf runtime's own writer
// copies what a message holds once for each message around it, which for weights of gigabytes is memory nobody has.
import type { DescMessage, Message, MessageShape } from '@bufbuild/protobuf'
import { WireType } from '@bufbuild/protobuf/wire'
import { MessageError } from '../errors/index.ts'
import { DEPTH, type FieldKind, type FieldRow, type MessageTable, tableOf } from './table.ts'

/** The largest message that protobuf readers take. */
const LARGEST = 2 ** 31 - 1

type Values = Record<string, unknown>

/** A value that its field cannot hold; gathers its path on the way out. */
class Misfit extends Error {
  readonly path: string[] = []
}

/** The value of a field, or undefined when it is not set; an empty list is not. */
function setValue(message: Message, { property, oneof, repeated }: FieldRow): unknown {
  const values = message as unknown as Values
  if (oneof !== undefined) {
    const chosen = values[oneof] as { readonly case: string | undefined; readonly value?: unknown }
    return chosen.case === property ? chosen.value : undefined
  }
  const value = Object.hasOwn(message, property) ? values[property] : undefined
  return repeated && (value as readonly unknown[] | undefined)?.length === 0 ? undefined : value
}

const tagOf = ({ number }: FieldRow, wire: WireType): number => number * 8 + wire

function sizeOfNumber(value: number): number {
  let size = 1
  for (let rest = value; rest >= 128; rest /= 128) size++
  return size
}

/** A varint's bytes: a negative number takes all ten. */
function sizeOfInteger(value: number | bigint): number {
  if (value < 0) return 10
  if (value <= Number.MAX_SAFE_INTEGER) return sizeOfNumber(Number(value))
  let size = 7
  for (let rest = BigInt(value) >> 49n; rest > 0n; rest >>= 7n) size++
  return size
}

function sizeOfText(text: string): number {
  let size = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0x80) size += unit < 0x800 ? 1 : 2
    // The two halves of a pair make four bytes, not six.
    if (unit >= 0xdc00 && unit < 0xe000 && i > 0 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) size -= 2
  }
  return size
}

const isBetween = (value: unknown, low: bigint, high: bigint): boolean =>
  typeof value === 'bigint' && value >= low && value <= high

const MAX_FLOAT = (2 - 2 ** -23) * 2 ** 127
/** Numbers from here on round to infinity. */
const FLOAT_OVERFLOW = MAX_FLOAT + 2 ** 103

interface Rule {
  readonly what: string
  readonly holds: (value: unknown) => boolean
}

const integer32: Rule = {
  what: 'an integer of 32 bits',
  holds: (value) => typeof value === 'number' && value === (value | 0),
}

/** What a field of each kind can hold. */
const rules: Readonly<Record<FieldKind, Rule>> = {
  message: { what: 'a message', holds: (value) => typeof value === 'object' && value !== null },
  string: { what: 'text', holds: (value) => typeof value === 'string' },
  bytes: { what: 'a Uint8Array', holds: (value) => value instanceof Uint8Array },
  enum: integer32,
  int32: integer32,
  int64: { what: 'a bigint of 64 bits', holds: (value) => isBetween(value, -(2n ** 63n), 2n ** 63n - 1n) },
  uint64: { what: 'an unsigned bigint of 64 bits', holds: (value) => isBetween(value, 0n, 2n ** 64n - 1n) },
  float: {
    what: 'a number of 32 bits',
    holds: (value) => typeof value === 'number' && !(Number.isFinite(value) && Math.abs(value) >= FLOAT_OVERFLOW),
  },
  double: { what: 'a number', holds: (value) => typeof value === 'number' },
}

function check({ kind }: FieldRow, value: unknown): void {
  const { what, holds } = rules[kind]
  if (holds(value)) return
  throw new Misfit(`holds ${typeof value === 'object' ? 'an object' : String(value)}, which is not ${what}.`)
}

/** Sizes of all payloads that need a length, in the order in which they are written. */
class Sizes {
  readonly all: number[] = []

  message(table: MessageTable, message: Message, depth: number): number {
    if (depth > DEPTH) throw new Misfit(`lies in more than ${DEPTH} messages; no reader takes that.`)
    let size = 0
    for (const row of table.fields.values()) {
      const value = setValue(message, row)
      if (value !== undefined) size += this.field(row, value, depth)
    }
    for (const { no, wireType, data } of message.$unknown ?? []) size += sizeOfNumber(no * 8 + wireType) + data.length
    return size
  }

  private field(row: FieldRow, value: unknown, depth: number): number {
    if (!row.repeated) return sizeOfNumber(tagOf(row, row.wire)) + this.single(row, value, depth)
    const list = value as readonly unknown[]
    if (!row.packed) return this.list(row, list, depth) + list.length * sizeOfNumber(tagOf(row, row.wire))
    const place = this.all.push(0) - 1
    const size = this.list(row, list, depth)
    this.all[place] = size
    return sizeOfNumber(tagOf(row, WireType.LengthDelimited)) + prefixed(size)
  }

  private single(row: FieldRow, value: unknown, depth: number): number {
    try {
      return this.value(row, value, depth)
    } catch (error) {
      throw within(error, row.name)
    }
  }

  private list(row: FieldRow, list: readonly unknown[], depth: number): number {
    let size = 0
    let i = 0
    try {
      for (; i < list.length; i++) size += this.value(row, list[i], depth)
    } catch (error) {
      throw within(error, `${row.name}[${i}]`)
    }
    return size
  }

  private value(row: FieldRow, value: unknown, depth: number): number {
    check(row, value)
    if (row.kind === 'message') return this.inner(row, value as Message, depth)
    if (row.kind === 'bytes') return prefixed((value as Uint8Array).length)
    if (row.kind === 'float') return 4
    if (row.kind === 'double') return 8
    if (row.kind !== 'string') return sizeOfInteger(value as number | bigint)
    const size = sizeOfText(value as string)
    this.all.push(size)
    return prefixed(size)
  }

  private inner(row: FieldRow, value: Message, depth: number): number {
    const place = this.all.push(0) - 1
    const size = this.message(tableOf(row.message!), value, depth + 1)
    this.all[place] = size
    return prefixed(size)
  }
}

const prefixed = (size: number): number => sizeOfNumber(size) + size

function within(error: unknown, name: string): unknown {
  if (error instanceof Misfit) error.path.unshift(name)
  return error
}

/** Writes what was measured, in the same order. */
class Writer {
  readonly bytes: Uint8Array
  private readonly view: DataView
  private readonly text = new TextEncoder()
  private readonly sizes: readonly number[]
  private next = 0
  private at = 0

  constructor(size: number, sizes: readonly number[]) {
    this.bytes = new Uint8Array(size)
    this.view = new DataView(this.bytes.buffer)
    this.sizes = sizes
  }

  message(table: MessageTable, message: Message): void {
    for (const row of table.fields.values()) {
      const value = setValue(message, row)
      if (value !== undefined) this.field(row, value)
    }
    for (const { no, wireType, data } of message.$unknown ?? []) {
      this.number(no * 8 + wireType)
      this.raw(data)
    }
  }

  private field(row: FieldRow, value: unknown): void {
    const tag = tagOf(row, row.packed ? WireType.LengthDelimited : row.wire)
    if (row.packed) {
      this.number(tag)
      this.number(this.sizes[this.next++]!)
    }
    for (const element of row.repeated ? (value as readonly unknown[]) : [value]) {
      if (!row.packed) this.number(tag)
      this.value(row, element)
    }
  }

  private value(row: FieldRow, value: unknown): void {
    switch (row.kind) {
      case 'message':
        this.number(this.sizes[this.next++]!)
        this.message(tableOf(row.message!), value as Message)
        break
      case 'string':
        this.string(value as string)
        break
      case 'bytes':
        this.number((value as Uint8Array).length)
        this.raw(value as Uint8Array)
        break
      case 'float':
        this.view.setFloat32(this.at, value as number, true)
        this.at += 4
        break
      case 'double':
        this.view.setFloat64(this.at, value as number, true)
        this.at += 8
        break
      default:
        this.integer(value as number | bigint)
    }
  }

  private string(value: string): void {
    const size = this.sizes[this.next++]!
    this.number(size)
    this.text.encodeInto(value, this.bytes.subarray(this.at, this.at + size))
    this.at += size
  }

  private raw(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.at)
    this.at += bytes.length
  }

  private integer(value: number | bigint): void {
    if (value >= 0 && value <= Number.MAX_SAFE_INTEGER) {
      this.number(Number(value))
      return
    }
    let rest = BigInt.asUintN(64, BigInt(value))
    for (; rest > 0x7fn; rest >>= 7n) this.bytes[this.at++] = Number(rest & 0x7fn) | 0x80
    this.bytes[this.at++] = Number(rest)
  }

  private number(value: number): void {
    let rest = value
    for (; rest >= 0x80; rest = Math.floor(rest / 128)) this.bytes[this.at++] = (rest % 128) | 0x80
    this.bytes[this.at++] = rest
  }
}

/** The bytes of a message: fields in ascending order, then those that the schema does not know. */
export function encode<S extends DescMessage>(schema: S, message: MessageShape<S>): Uint8Array {
  const table = tableOf(schema)
  const sizes = new Sizes()
  let size: number
  try {
    size = sizes.message(table, message, 1)
  } catch (error) {
    if (error instanceof Misfit) throw new MessageError(error.message, error.path.join('.'))
    throw error
  }
  if (size > LARGEST) {
    throw new MessageError(`takes ${size} bytes and protobuf ends at ${LARGEST}; keep weights in external data.`, '')
  }
  const writer = new Writer(size, sizes.all)
  writer.message(table, message)
  return writer.bytes
}

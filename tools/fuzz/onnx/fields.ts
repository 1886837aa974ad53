// Protobuf bytes as a tree of fields that can be cut, copied and lied about, and back to bytes. Lengths are worked out
// when a tree is written, so that a mutation deep inside leaves a file that is well-formed around it.
import type { DescMessage } from '@bufbuild/protobuf'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

export interface Field {
  number: number
  wire: number
  /** The value as it lies in the file, without a length. */
  payload: Uint8Array
  /** The fields of the message that the payload is, if it is one. */
  children: Field[] | undefined
  /** The message that `children` belong to. */
  desc: DescMessage | undefined
  /** A length to write instead of the true one. */
  claim: bigint | undefined
}

/** The fields of well-formed bytes; messages within are followed where the schema knows them. */
export function parse(bytes: Uint8Array, desc: DescMessage): Field[] {
  const reader = new BinaryReader(bytes)
  const fields: Field[] = []
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag()
    const payload = wire === WireType.LengthDelimited ? reader.bytes() : reader.skip(wire, number)
    const inner =
      wire === WireType.LengthDelimited ? desc.fields.find((field) => field.number === number)?.message : undefined
    fields.push({ number, wire, payload, children: inner && parse(payload, inner), desc: inner, claim: undefined })
  }
  return fields
}

export function varint(value: bigint): number[] {
  // Most tags and lengths.
  if (value >= 0n && value <= 0x7fn) return [Number(value)]
  const out: number[] = []
  let rest = BigInt.asUintN(64, value)
  for (; rest > 0x7fn; rest >>= 7n) out.push(Number(rest & 0x7fn) | 0x80)
  out.push(Number(rest))
  return out
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

/** The longest tag and the longest length. */
const HEAD = 20

export function print(fields: readonly Field[]): Uint8Array {
  let bytes = new Uint8Array(256)
  let end = 0
  // A field may be there a million times: none of them gets an array of its own.
  for (const { number, wire, claim, children, payload: own } of fields) {
    const payload = children === undefined ? own : print(children)
    if (end + HEAD + payload.length > bytes.length) {
      const grown = new Uint8Array(2 * (end + HEAD + payload.length))
      grown.set(bytes)
      bytes = grown
    }
    for (const byte of varint((BigInt(number) << 3n) | BigInt(wire))) bytes[end++] = byte
    if (wire === WireType.LengthDelimited) {
      for (const byte of varint(claim ?? BigInt(payload.length))) bytes[end++] = byte
    }
    bytes.set(payload, end)
    end += payload.length
  }
  return bytes.slice(0, end)
}

export const copy = (field: Field): Field => ({ ...field, children: field.children?.map(copy) })

/** Every list of fields in a tree, the outermost first. */
export function* lists(fields: Field[]): Generator<Field[]> {
  yield fields
  for (const { children } of fields) if (children !== undefined) yield* lists(children)
}

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
  const out: number[] = []
  let rest = BigInt.asUintN(64, value)
  for (; rest > 0x7fn; rest >>= 7n) out.push(Number(rest & 0x7fn) | 0x80)
  return [...out, Number(rest)]
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

function fieldBytes(field: Field): Uint8Array[] {
  const { number, wire, claim } = field
  const payload = field.children === undefined ? field.payload : print(field.children)
  const length = wire === WireType.LengthDelimited ? varint(claim ?? BigInt(payload.length)) : []
  return [Uint8Array.from([...varint((BigInt(number) << 3n) | BigInt(wire)), ...length]), payload]
}

export const print = (fields: readonly Field[]): Uint8Array => concat(fields.flatMap(fieldBytes))

export const copy = (field: Field): Field => ({ ...field, children: field.children?.map(copy) })

/** Every list of fields in a tree, the outermost first. */
export function* lists(fields: Field[]): Generator<Field[]> {
  yield fields
  for (const { children } of fields) if (children !== undefined) yield* lists(children)
}

// Writes protobuf bytes by hand, so that a test can break the format one byte at a time.

export type Part = Uint8Array

export function varintBytes(value: bigint): Part {
  const out: number[] = []
  let rest = BigInt.asUintN(64, value)
  while (rest > 0x7fn) {
    out.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  out.push(Number(rest))
  return Uint8Array.from(out)
}

export function join(...parts: readonly Part[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

const tag = (field: number, wire: number): Part => varintBytes(BigInt(field * 8 + wire))

export const varintField = (field: number, value: bigint | number): Part =>
  join(tag(field, 0), varintBytes(BigInt(value)))

export const bytesField = (field: number, bytes: Uint8Array): Part =>
  join(tag(field, 2), varintBytes(BigInt(bytes.length)), bytes)

export const textField = (field: number, value: string): Part => bytesField(field, new TextEncoder().encode(value))

export const packedVarints = (field: number, values: readonly (bigint | number)[]): Part =>
  bytesField(field, join(...values.map((value) => varintBytes(BigInt(value)))))

export function floatBytes(values: readonly number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(values).buffer)
}

export function doubleBytes(values: readonly number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(values).buffer)
}

export const floatField = (field: number, value: number): Part => join(tag(field, 5), floatBytes([value]))

export const doubleField = (field: number, value: number): Part => join(tag(field, 1), doubleBytes([value]))

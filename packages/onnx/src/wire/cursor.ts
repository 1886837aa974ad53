// A position in protobuf bytes and the numbers that can be read there, every bound checked.
import { WireType } from '@bufbuild/protobuf/wire'

/** Bytes that break the wire format; the reader turns it into an error that also names the field. */
export class WireFault extends Error {
  readonly offset: number
  constructor(what: string, offset: number) {
    super(what)
    this.offset = offset
  }
}

export class Cursor {
  readonly bytes: Uint8Array
  readonly view: DataView
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.at = at
  }

  /** The bytes of a varint from here, its end included; the position moves behind it. */
  private varintLength(end: number): number {
    const start = this.at
    for (let i = 0; i < 10; i++) {
      if (start + i >= end) throw new WireFault('a number is cut short', start)
      const byte = this.bytes[start + i]!
      if (byte >= 0x80) continue
      // The tenth byte carries bit 63 alone.
      if (i === 9 && byte > 1) break
      this.at = start + i + 1
      return i + 1
    }
    throw new WireFault('a number has more than 64 bits', start)
  }

  /** 7 bits of each byte from `from` on, `count` of them, as one number; exact up to 7 bytes. */
  private septets(from: number, count: number): number {
    let value = 0
    for (let i = count - 1; i >= 0; i--) value = value * 128 + (this.bytes[from + i]! & 0x7f)
    return value
  }

  /** A varint as a number; exact below 2^53, and large when it is beyond. */
  size(end: number): number {
    const start = this.at
    return this.septets(start, this.varintLength(end))
  }

  uint64(end: number): bigint {
    const start = this.at
    const length = this.varintLength(end)
    if (length <= 7) return BigInt(this.septets(start, length))
    return (BigInt(this.septets(start + 7, length - 7)) << 49n) | BigInt(this.septets(start, 7))
  }

  int64(end: number): bigint {
    return BigInt.asIntN(64, this.uint64(end))
  }

  /** The low 32 bits, as protobuf reads an int32 or an enum. */
  int32(end: number): number {
    const start = this.at
    const length = this.varintLength(end)
    // The fifth byte holds bits 28 to 31; what lies above is the sign repeated.
    return length < 5 ? this.septets(start, length) : this.septets(start, 4) | ((this.bytes[start + 4]! & 0x0f) << 28)
  }

  float(end: number): number {
    return this.view.getFloat32(this.take(4, end), true)
  }

  double(end: number): number {
    return this.view.getFloat64(this.take(8, end), true)
  }

  /** Where `length` bytes start; the position moves behind them. */
  take(length: number, end: number): number {
    const start = this.at
    if (length > end - start) {
      throw new WireFault(`${length} bytes are needed and ${end - start} are left`, start)
    }
    this.at = start + length
    return start
  }

  /** A field's number and wire type. */
  tag(end: number): { readonly number: number; readonly wire: WireType } {
    const start = this.at
    const tag = this.size(end)
    const number = Math.floor(tag / 8)
    const wire = tag % 8
    if (number < 1 || number > 0x1fff_ffff) throw new WireFault(`${number} is no field number`, start)
    if (wire > 5) throw new WireFault(`${wire} is no wire type`, start)
    return { number, wire }
  }

  /** The end of a length-delimited payload that starts behind its length, here. */
  payload(end: number): number {
    const start = this.at
    const length = this.size(end)
    if (length > end - this.at) {
      throw new WireFault(`a length of ${length} bytes is claimed and ${end - this.at} are left`, start)
    }
    return this.at + length
  }

  /** Moves behind the value of a field; `depth` groups may lie in one another. */
  skip(wire: WireType, number: number, end: number, depth: number): void {
    switch (wire) {
      case WireType.Varint:
        this.varintLength(end)
        break
      case WireType.Bit64:
        this.take(8, end)
        break
      case WireType.Bit32:
        this.take(4, end)
        break
      case WireType.LengthDelimited:
        this.at = this.payload(end)
        break
      case WireType.StartGroup:
        this.skipGroup(number, end, depth)
        break
      default:
        throw new WireFault('a group ends that has not begun', this.at)
    }
  }

  private skipGroup(number: number, end: number, depth: number): void {
    if (depth <= 0) throw new WireFault('groups are nested too deeply', this.at)
    for (;;) {
      const start = this.at
      if (start >= end) throw new WireFault(`group ${number} has no end`, start)
      const field = this.tag(end)
      if (field.wire !== WireType.EndGroup) this.skip(field.wire, field.number, end, depth - 1)
      else if (field.number === number) return
      else throw new WireFault(`group ${number} ends as group ${field.number}`, start)
    }
  }
}

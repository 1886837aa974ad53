import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesField, floatField, join, packedVarints, textField, varintBytes, varintField } from './bytes.ts'
import { DamagedOnnxError, type Field, fields, float, int64, integer, repeatedVarint, spanOf, text } from './wire.ts'

const all = (bytes: Uint8Array): Field[] => [...fields(spanOf(bytes))]

function damage(read: () => unknown): DamagedOnnxError {
  try {
    read()
  } catch (error) {
    if (error instanceof DamagedOnnxError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('protobuf wire format', () => {
  it('reads what was written, whatever the 64 bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(int64(all(varintField(3, value))[0]!)).toBe(value)
      }),
      { numRuns: 200 },
    )
  })

  it('reads text, floats and the field after them', () => {
    const [name, f, i] = all(join(textField(1, 'größe'), floatField(2, -1.5), varintField(3, 300)))
    expect(text(name!)).toBe('größe')
    expect(float(f!)).toBe(-1.5)
    expect(integer(i!)).toBe(300)
    expect(i!.offset).toBe(textField(1, 'größe').length + 5)
  })

  it('reads a repeated number packed and field by field alike', () => {
    const packed = all(packedVarints(1, [1, 300, -1])).flatMap(repeatedVarint)
    const single = [1, 300, -1].flatMap((value) => all(varintField(1, value)).flatMap(repeatedVarint))
    expect(packed).toEqual([1n, 300n, 2n ** 64n - 1n])
    expect(single).toEqual(packed)
  })

  it('says where a message is cut short', () => {
    const whole = join(varintField(1, 7), bytesField(2, Uint8Array.of(1, 2, 3)))
    expect(damage(() => all(whole.subarray(0, whole.length - 1)))).toMatchObject({ code: 'DAMAGED_ONNX', offset: 2 })
    expect(damage(() => all(Uint8Array.of(0x80)))).toMatchObject({ offset: 0 })
    expect(damage(() => all(floatField(1, 1).subarray(0, 4)))).toMatchObject({ offset: 1 })
  })

  it('never throws anything but the typed error, nor yields a payload outside its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        try {
          for (const field of all(bytes)) {
            expect(field.payload.start).toBeGreaterThanOrEqual(0)
            expect(field.payload.end).toBeLessThanOrEqual(bytes.length)
            expect(field.payload.start).toBeLessThanOrEqual(field.payload.end)
          }
        } catch (error) {
          expect(error).toBeInstanceOf(DamagedOnnxError)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('refuses groups, field 0, a varint of eleven bytes, one of 65 bits, and a number where text is due', () => {
    expect(damage(() => all(Uint8Array.of(0x0b))).message).toBe('unknown wire type 3 at byte 0')
    expect(damage(() => all(Uint8Array.of(0x00, 0x01))).message).toBe('field number 0 is out of range at byte 0')
    const long = new Uint8Array(12).fill(0xff)
    long[0] = 0x08
    expect(damage(() => all(long)).offset).toBe(1)
    const wide = new Uint8Array(11).fill(0xff)
    wide[0] = 0x08
    wide[10] = 0x02
    expect(damage(() => all(wide)).message).toBe('a varint holds more than 64 bits at byte 1')
    expect(damage(() => text(all(varintField(1, 5))[0]!)).message).toBe('field 1 is varint, not bytes at byte 0')
    expect(damage(() => integer(all(varintField(1, 2n ** 60n))[0]!)).message).toContain('beyond 2^53')
    expect(damage(() => text(all(bytesField(1, Uint8Array.of(0xff)))[0]!)).message).toContain('UTF-8')
  })

  it('reads a tag of more than one byte', () => {
    const bytes = join(varintBytes(BigInt(300 * 8)), varintBytes(9n))
    expect(all(bytes)[0]).toMatchObject({ number: 300, bits: 9n })
  })
})

// The checksum of archives, the same with and without Node's own.
import zlib from 'node:zlib'
import { crc32 as tableCrc32 } from 'bcast/npy'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'
import { crc32 } from '../../src/files/crc32.ts'

describe('the checksum', () => {
  it.each([
    ['', 0],
    ['123456789', 0xcbf43926],
    ['The quick brown fox jumps over the lazy dog', 0x414fa339],
  ])('of %j', (text, expected) => {
    expect(tableCrc32(Buffer.from(text))).toBe(expected)
    expect(crc32(Buffer.from(text))).toBe(expected)
  })

  it("by a table is that of Node's own, in one piece or two", needs('crc32', zlib.crc32 !== undefined), () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), (bytes, at) => {
        const expected = zlib.crc32(bytes)
        expect(tableCrc32(bytes)).toBe(expected)
        expect(tableCrc32(bytes.subarray(at), tableCrc32(bytes.subarray(0, at)))).toBe(expected)
      }),
    )
  })
})

// The checksum of archives. Node has a fast one since 20.15; before that a table of 256 numbers does.
import zlib from 'node:zlib'

const POLYNOMIAL = 0xedb88320

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1
  return rest
})

/** The checksum of `bytes` behind others, whose own is `before`. */
export type Checksum = (bytes: Uint8Array, before?: number) => number

export const tableCrc32: Checksum = (bytes, before = 0) => {
  let rest = ~before
  for (const byte of bytes) rest = (rest >>> 8) ^ table[(rest ^ byte) & 0xff]!
  return ~rest >>> 0
}

export const crc32: Checksum = (zlib as { readonly crc32?: Checksum }).crc32 ?? tableCrc32

// The checksum of archives, by a table of 256 numbers.

const POLYNOMIAL = 0xedb88320

const table = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1
  return rest
})

/** The checksum of `bytes` behind others, whose own is `before`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let rest = ~before
  for (let i = 0; i < bytes.length; i++) rest = (rest >>> 8) ^ table[(rest ^ bytes[i]!) & 0xff]!
  return ~rest >>> 0
}

// CRC-32C (Castagnoli), the checksum of chunks and shard indexes: eight bytes a step, from eight tables.

const POLYNOMIAL = 0x82f63b78

/** Table k says what a byte does to the remainder with k zero bytes behind it. */
function makeTables(): readonly Int32Array[] {
  const tables = Array.from({ length: 8 }, () => new Int32Array(256))
  for (let byte = 0; byte < 256; byte++) {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? POLYNOMIAL : 0)
    tables[0]![byte] = value
  }
  for (let k = 1; k < 8; k++) {
    for (let byte = 0; byte < 256; byte++) {
      const before = tables[k - 1]![byte]!
      tables[k]![byte] = (before >>> 8) ^ tables[0]![before & 0xff]!
    }
  }
  return tables
}

let tables: readonly Int32Array[] | undefined

export function crc32c(bytes: Uint8Array): number {
  tables ??= makeTables()
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ]
  let crc = -1
  let at = 0
  for (const last = bytes.length - 8; at <= last; at += 8) {
    const low = crc ^ (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24))
    crc =
      t7[low & 0xff]! ^
      t6[(low >>> 8) & 0xff]! ^
      t5[(low >>> 16) & 0xff]! ^
      t4[low >>> 24]! ^
      t3[bytes[at + 4]!]! ^
      t2[bytes[at + 5]!]! ^
      t1[bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[at]!) & 0xff]!
  return ~crc >>> 0
}

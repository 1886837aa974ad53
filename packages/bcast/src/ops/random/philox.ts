// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011): four words that
// follow from a counter and a key alone. It holds no state, so that any part of a stream can be computed by itself, and
// it multiplies integers only, so that every machine gives the same bits.

// Multipliers and steps of the key.
const M0 = 0xd2511f53
const M1 = 0xcd9e8d57
const W0 = 0x9e3779b9
const W1 = 0xbb67ae85
const ROUNDS = 10

/** The upper word of the product of two words: of four products of halves, which numbers hold exactly. */
function high(a: number, b: number): number {
  const low = a & 0xffff
  const up = a >>> 16
  const middle = up * (b & 0xffff) + ((low * (b & 0xffff)) >>> 16)
  const cross = low * (b >>> 16) + (middle & 0xffff)
  return (up * (b >>> 16) + (middle >>> 16) + (cross >>> 16)) | 0
}

/** Writes the block of a counter of four words and a key of two, the lowest words first, to `to` from `at` on. */
export function philox(
  c0: number,
  c1: number,
  c2: number,
  c3: number,
  k0: number,
  k1: number,
  to: Uint32Array,
  at: number,
): void {
  let x0 = c0
  let x1 = c1
  let x2 = c2
  let x3 = c3
  let key0 = k0 | 0
  let key1 = k1 | 0
  for (let round = 0; round < ROUNDS; round++) {
    const product0 = Math.imul(M0, x0)
    const product1 = Math.imul(M1, x2)
    const next0 = high(M1, x2) ^ x1 ^ key0
    x2 = high(M0, x0) ^ x3 ^ key1
    x0 = next0
    x1 = product1
    x3 = product0
    key0 = (key0 + W0) | 0
    key1 = (key1 + W1) | 0
  }
  to[at] = x0
  to[at + 1] = x1
  to[at + 2] = x2
  to[at + 3] = x3
}

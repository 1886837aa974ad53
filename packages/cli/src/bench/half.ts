// float16 as one adds it by hand in JavaScript: a table to read, rounding to nearest even on the bits of a float32 to
// write.

const word = new Uint32Array(1)
const single = new Float32Array(word.buffer)

function numberOf(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023]
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25))
}

function bitsOf(value: number): number {
  single[0] = value
  const bits = word[0]!
  const sign = (bits >>> 16) & 0x8000
  const magnitude = bits & 0x7fffffff
  if (magnitude > 0x7f800000) return sign | 0x7e00
  if (magnitude >= 0x477ff000) return sign | 0x7c00
  if (magnitude < 0x38800000) {
    // Below the smallest normal number: adding a constant makes the hardware round at the right bit.
    single[0] = Math.abs(value) + 0.5
    return sign | (word[0]! - 0x3f000000)
  }
  return sign | ((magnitude - 0x38000000 + 0xfff + ((magnitude >>> 13) & 1)) >>> 13)
}

/** The loop for x + row. */
export function halfLoop(x: Uint16Array, row: Uint16Array): () => Uint16Array {
  const table = Float32Array.from({ length: 2 ** 16 }, (_, bits) => numberOf(bits))
  return () => {
    const y = new Uint16Array(x.length)
    for (let at = 0; at < x.length; ) {
      for (let j = 0; j < row.length; j++, at++) y[at] = bitsOf(table[x[at]!]! + table[row[j]!]!)
    }
    return y
  }
}

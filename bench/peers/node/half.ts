// 16-bit floats as one converts them by hand in JavaScript: a table for float16, shifts for bfloat16, and rounding to
// nearest even on the bits of a float32.

const word = new Uint32Array(1)
const single = new Float32Array(word.buffer)

/** The value of every float16 bit pattern. */
const table = Float32Array.from({ length: 65_536 }, (_, bits) => {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25))
})

export const float16From = (bits: number): number => table[bits]!

export function float16To(value: number): number {
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

export const bfloat16From = (bits: number): number => {
  word[0] = bits << 16
  return single[0]!
}

export function bfloat16To(value: number): number {
  single[0] = value
  const bits = word[0]!
  if ((bits & 0x7fffffff) > 0x7f800000) return (bits >>> 16) | 0x40
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16
}

// bfloat16 elements are stored as 16 bits: the upper half of a float32, so decoding is a shift.
// Encoding rounds straight from float64: passing through float32 would round twice and miss ties.
// Word 1 of a float64 is its upper half: every platform with WebAssembly memory views in use is little-endian.

const float64 = new Float64Array(1)
const words = new Int32Array(float64.buffer)
const float32 = new Float32Array(1)
const float32Bits = new Int32Array(float32.buffer)

export function bfloat16ToNumber(bits: number): number {
  float32Bits[0] = bits << 16
  return float32[0]!
}

/** The bits of the bfloat16 nearest to x, ties to even; every NaN becomes 0x7fc0. */
export function numberToBfloat16(x: number): number {
  float64[0] = x
  const upper = words[1]!
  const sign = (upper >>> 16) & 0x8000
  const magnitude = upper & 0x7fffffff
  // 2^128 - 2^119 lies halfway between the largest bfloat16 and 2^128; the tie goes to 2^128, which is infinity.
  if (magnitude >= 0x47eff000) return Number.isNaN(x) ? 0x7fc0 : sign | 0x7f80
  // Below 2^-126 bfloat16 has the fixed step 2^-133, which is also the step of float64 at 2^-81: one addition rounds.
  if (magnitude < 0x38100000) {
    float64[0] = Math.abs(x) + 2 ** -81
    return sign | words[0]!
  }
  const lower = words[0]!
  const rest = magnitude & 0x1fff
  let bits = (magnitude - 0x38000000) >> 13
  // A carry out of the fraction raises the exponent, which is the right neighbour.
  if (rest > 0x1000 || (rest === 0x1000 && (lower !== 0 || (bits & 1) === 1))) bits++
  return sign | bits
}

/** The bfloat16 value nearest to x, ties to even. */
export function roundToBfloat16(x: number): number {
  return bfloat16ToNumber(numberToBfloat16(x))
}

/** Values of `count` elements of `bits`, from `start` in steps of `stride`, into the beginning of `out`. */
export function decodeBfloat16(
  bits: Uint16Array,
  start: number,
  stride: number,
  count: number,
  out: Float64Array,
): void {
  for (let i = 0, from = start; i < count; i++, from += stride) {
    float32Bits[0] = bits[from]! << 16
    out[i] = float32[0]!
  }
}

/** The first `count` of `values`, rounded, into `bits` from `start` in steps of `stride`. */
export function encodeBfloat16(
  values: Float64Array,
  count: number,
  bits: Uint16Array,
  start: number,
  stride: number,
): void {
  for (let i = 0, to = start; i < count; i++, to += stride) bits[to] = numberToBfloat16(values[i]!)
}

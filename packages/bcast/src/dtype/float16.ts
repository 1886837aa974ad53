// float16 (IEEE binary16) elements are stored as their 16 bits, because no engine is assumed to have Float16Array.
// Encoding rounds straight from float64: passing through float32 would round twice and miss ties.
// Word 1 of a float64 is its upper half: every platform with WebAssembly memory views in use is little-endian.

const float64 = new Float64Array(1)
const words = new Int32Array(float64.buffer)

/** Every float16 value by its bits. Made on first use: most programs never decode one. */
let values: Float32Array | undefined

function makeValues(): Float32Array {
  const table = new Float32Array(0x10000)
  for (let magnitude = 0; magnitude < 0x8000; magnitude++) {
    const exponent = magnitude >> 10
    const fraction = magnitude & 0x3ff
    const value =
      exponent === 0x1f
        ? fraction === 0
          ? Infinity
          : NaN
        : exponent === 0
          ? fraction * 2 ** -24
          : (0x400 + fraction) * 2 ** (exponent - 25)
    table[magnitude] = value
    table[magnitude | 0x8000] = -value
  }
  return table
}

export function float16ToNumber(bits: number): number {
  values ??= makeValues()
  return values[bits]!
}

/** The bits of the float16 nearest to x, ties to even; every NaN becomes 0x7e00. */
export function numberToFloat16(x: number): number {
  float64[0] = x
  const upper = words[1]!
  const sign = (upper >>> 16) & 0x8000
  const magnitude = upper & 0x7fffffff
  // 65520 lies halfway between the largest float16 and 2^16; the tie goes to 2^16, which is infinity.
  if (magnitude >= 0x40effe00) return Number.isNaN(x) ? 0x7e00 : sign | 0x7c00
  // Below 2^-14 float16 has the fixed step 2^-24, which is also the step of float64 at 2^28: one addition rounds.
  if (magnitude < 0x3f100000) {
    float64[0] = Math.abs(x) + 2 ** 28
    return sign | words[0]!
  }
  const lower = words[0]!
  const rest = magnitude & 0x3ff
  let bits = (magnitude - 0x3f000000) >> 10
  // A carry out of the fraction raises the exponent, which is the right neighbour.
  if (rest > 0x200 || (rest === 0x200 && (lower !== 0 || (bits & 1) === 1))) bits++
  return sign | bits
}

/** The float16 value nearest to x, ties to even. */
export function roundToFloat16(x: number): number {
  return float16ToNumber(numberToFloat16(x))
}

/** Values of `count` elements of `bits`, from `start` in steps of `stride`, into the beginning of `out`. */
export function decodeFloat16(
  bits: Uint16Array,
  start: number,
  stride: number,
  count: number,
  out: Float64Array,
): void {
  values ??= makeValues()
  const table = values
  for (let i = 0, from = start; i < count; i++, from += stride) out[i] = table[bits[from]!]!
}

/** The first `count` of `values`, rounded, into `bits` from `start` in steps of `stride`. */
export function encodeFloat16(
  values: Float64Array,
  count: number,
  bits: Uint16Array,
  start: number,
  stride: number,
): void {
  for (let i = 0, to = start; i < count; i++, to += stride) bits[to] = numberToFloat16(values[i]!)
}

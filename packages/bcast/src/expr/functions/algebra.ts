// The functions in this folder must agree to the bit in every backend, so each is written once, as a sequence of
// the operations below, and every backend says what the operations are on its own values (numbers, vectors, code).
// All are IEEE float64 or bit operations that WebAssembly SIMD does in a few instructions; none branches.

/** T: float64 values, B: truth values. */
export interface Float64Algebra<T, B> {
  constant(value: number): T
  add(a: T, b: T): T
  sub(a: T, b: T): T
  mul(a: T, b: T): T
  div(a: T, b: T): T
  neg(a: T): T
  abs(a: T): T
  /** |a| with the sign bit of b, also that of -0. */
  withSign(a: T, b: T): T
  /** The nearest integer, ties to even. */
  round(a: T): T
  /** 2^k for an integer k in [-1022, 1023]; any value for other k. */
  power2(k: T): T
  /**
   * The integer k that `mantissa` divides by, for positive normal a; any value for other a.
   * It is ((bits(a) + 0x00095f62_00000000) >>> 52) - 1023.
   */
  exponent(a: T): T
  /**
   * a * 2^-k in [c, 2c), where c = 0x3fe6a09e_00000000 is the square root of 1/2 cut to its upper word, for positive
   * normal a; any value for other a. An interval around 1 keeps logarithms near 1 small instead of a difference.
   * It is ((bits(a) + 0x00095f62_00000000) & 0x000fffff_ffffffff) + 0x3fe6a09e_00000000.
   */
  mantissa(a: T): T
  /** a with the lower 27 of its 53 significant bits cleared, so that the product of two such values is exact. */
  high(a: T): T
  less(a: T, b: T): B
  equal(a: T, b: T): B
  and(a: B, b: B): B
  or(a: B, b: B): B
  not(a: B): B
  /** a where c holds, else b, bit for bit; the value not chosen may be anything. */
  select(c: B, a: T, b: T): T
}

/** The same of float32, of which a few operations suffice; `power2` takes an integer k in [-126, 127]. */
export type Float32Algebra<T, B> = Pick<
  Float64Algebra<T, B>,
  'constant' | 'add' | 'sub' | 'mul' | 'round' | 'power2' | 'less' | 'select'
>

// Exact rational numbers on BigInt. Arithmetic does not reduce (a common divisor of thousand-bit numbers is dear and
// rounding does not need it); `reduce` gives the canonical form that the type `real` stores.

/** An exact rational number. */
export interface Rational {
  readonly n: bigint
  /** Always positive. */
  readonly d: bigint
}

export const ratio = (n: bigint, d: bigint = 1n): Rational => (d < 0n ? { n: -n, d: -d } : { n, d })

export const absolute = (x: bigint): bigint => (x < 0n ? -x : x)

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b))

/** Lowest terms. */
export const reduce = ({ n, d }: Rational): Rational => {
  const common = gcd(absolute(n), d)
  return { n: n / common, d: d / common }
}

/** n/d in lowest terms: how an element of type `real` is written. */
export const rational = (n: bigint, d: bigint = 1n): Rational => reduce(ratio(n, d))

export const plus = (a: Rational, b: Rational): Rational =>
  a.d === b.d ? { n: a.n + b.n, d: a.d } : { n: a.n * b.d + b.n * a.d, d: a.d * b.d }
export const negate = (a: Rational): Rational => ({ n: -a.n, d: a.d })
export const minus = (a: Rational, b: Rational): Rational => plus(a, negate(b))
export const times = (a: Rational, b: Rational): Rational => ({ n: a.n * b.n, d: a.d * b.d })
/** b is not zero. */
export const over = (a: Rational, b: Rational): Rational => ratio(a.n * b.d, a.d * b.n)

/** Below, at or above 0, as a is less than, equal to or greater than b. */
export const compare = (a: Rational, b: Rational): number => {
  const difference = a.n * b.d - b.n * a.d
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

export const signOf = (a: Rational): number => (a.n > 0n ? 1 : a.n < 0n ? -1 : 0)
export const isIntegral = (a: Rational): boolean => a.n % a.d === 0n

/** The quotient rounded down, of integers of any sign. */
export const floorDivide = (n: bigint, d: bigint): bigint => {
  const quotient = n / d
  return n % d !== 0n && n < 0n !== d < 0n ? quotient - 1n : quotient
}

export const floor = (a: Rational): bigint => floorDivide(a.n, a.d)
export const ceiling = (a: Rational): bigint => -floorDivide(-a.n, a.d)
export const truncate = (a: Rational): bigint => a.n / a.d

/** The nearest integer, ties to even. */
export const nearestEven = (a: Rational): bigint => {
  const below = floor(a)
  const twiceRemainder = 2n * (a.n - below * a.d)
  if (twiceRemainder < a.d) return below
  if (twiceRemainder > a.d) return below + 1n
  return below % 2n === 0n ? below : below + 1n
}

/** 2^k for any integer k. */
export const powerOfTwo = (k: number): Rational =>
  k >= 0 ? { n: 1n << BigInt(k), d: 1n } : { n: 1n, d: 1n << BigInt(-k) }

/** The number of binary digits of a non-negative integer; 0 has none. */
export const bitLength = (x: bigint): number => {
  if (x === 0n) return 0
  const digits = x.toString(16)
  return 4 * (digits.length - 1) + (32 - Math.clz32(Number.parseInt(digits[0]!, 16)))
}

/** floor(log2 |a|) for a that is not zero. */
export const exponentOf = (a: Rational): number => {
  const n = absolute(a.n)
  const estimate = bitLength(n) - bitLength(a.d)
  const { n: p, d: q } = powerOfTwo(estimate)
  return n * q >= p * a.d ? estimate : estimate - 1
}

// Integers: the divisions that BigInt does not have.

export const floorQuotient = (a: bigint, b: bigint): bigint => {
  const quotient = a / b
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient
}

export const ceilQuotient = (a: bigint, b: bigint): bigint => -floorQuotient(-a, b)

/** The remainder that has the divisor's sign. */
export const floorRemainder = (a: bigint, b: bigint): bigint => a - b * floorQuotient(a, b)

/** The greatest common divisor, not negative; of nothing but zeros it is 0. */
export function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

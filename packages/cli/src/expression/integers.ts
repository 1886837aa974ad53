// Integers written in an expression. Numbers among themselves are computed in float64; where that would round integers,
// what can be computed exactly is, and the rest is refused by whoever asks.

type Exact = (values: readonly bigint[]) => bigint | boolean | undefined

const extreme =
  (isBeyond: (a: bigint, b: bigint) => boolean): Exact =>
  (values) =>
    values.reduce((best, value) => (isBeyond(value, best) ? value : best))

const floored = (a: bigint, b: bigint): bigint => (a % b !== 0n && a < 0n !== b < 0n ? a / b - 1n : a / b)
const same: Exact = ([a]) => a!

/** Undefined where the result is no integer, or there is none. */
const exact: Readonly<Record<string, Exact>> = {
  add: ([a, b]) => a! + b!,
  sub: ([a, b]) => a! - b!,
  mul: ([a, b]) => a! * b!,
  div: ([a, b]) => (b !== 0n && a! % b! === 0n ? a! / b! : undefined),
  floorDiv: ([a, b]) => (b === 0n ? undefined : floored(a!, b!)),
  floorMod: ([a, b]) => (b === 0n ? undefined : a! - b! * floored(a!, b!)),
  fmod: ([a, b]) => (b === 0n ? undefined : a! % b!),
  pow: ([a, b]) => (b! < 0n || BigInt(a!.toString(2).length) * b! > MOST_BITS ? undefined : a! ** b!),
  squaredDifference: ([a, b]) => (a! - b!) ** 2n,
  neg: ([a]) => -a!,
  abs: ([a]) => (a! < 0n ? -a! : a!),
  sign: ([a]) => (a! > 0n ? 1n : a! < 0n ? -1n : 0n),
  relu: ([a]) => (a! > 0n ? a! : 0n),
  floor: same,
  ceil: same,
  round: same,
  identity: same,
  sum: (values) => values.reduce((total, value) => total + value),
  max: extreme((a, b) => a > b),
  min: extreme((a, b) => a < b),
  equal: ([a, b]) => a === b,
  notEqual: ([a, b]) => a !== b,
  less: ([a, b]) => a! < b!,
  lessOrEqual: ([a, b]) => a! <= b!,
  greater: ([a, b]) => a! > b!,
  greaterOrEqual: ([a, b]) => a! >= b!,
}

/** Beyond so many bits float64 has infinity alone. */
const MOST_BITS = 1100n
const MOST = 2n ** MOST_BITS
/** No integer type goes beyond this. */
const MOST_TYPED = 2n ** 64n

const isSafe = (value: number | bigint | boolean): boolean => Number.isSafeInteger(Number(value))

/** Whether float64 has the number, or no integer type has it either. */
export const mayBeFloat64 = (value: number | bigint): boolean =>
  typeof value === 'number' || value > MOST_TYPED || value < -MOST_TYPED || BigInt(Number(value)) === value

/** The integer that an operand is; undefined for a fraction. */
const integerOf = (value: number | bigint): bigint | undefined =>
  typeof value === 'bigint' || Number.isInteger(value) ? BigInt(value) : undefined

/** The result over integers where float64 might round it; undefined where it does not, or there is no exact way. */
export function exactly(operator: string, values: readonly (number | bigint)[]): number | bigint | boolean | undefined {
  const compute = exact[operator]
  const integers = values.map(integerOf)
  if (compute === undefined || !integers.every((value) => value !== undefined)) return undefined
  const result = compute(integers)
  // Small ones are left to float64, which has a negative zero.
  if (result === undefined || (values.every(isSafe) && isSafe(result))) return undefined
  if (typeof result === 'boolean') return result
  if (result > MOST || result < -MOST) return undefined
  return isSafe(result) ? Number(result) : result
}

/** Whether float64 may have rounded an integer to the number, if only to infinity. */
export const mayBeRounded = (value: number): boolean =>
  Math.abs(value) === Number.POSITIVE_INFINITY || (Number.isInteger(value) && !isSafe(value))

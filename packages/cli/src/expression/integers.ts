// Integers written in an expression. Numbers among themselves are computed in float64; where that would round integers,
// what can be computed exactly is, and the rest is refused by whoever asks.

type Exact = (values: readonly bigint[]) => bigint | boolean

const extreme =
  (isBeyond: (a: bigint, b: bigint) => boolean): Exact =>
  (values) =>
    values.reduce((best, value) => (isBeyond(value, best) ? value : best))

const exact: Readonly<Record<string, Exact>> = {
  add: ([a, b]) => a! + b!,
  sub: ([a, b]) => a! - b!,
  mul: ([a, b]) => a! * b!,
  neg: ([a]) => -a!,
  abs: ([a]) => (a! < 0n ? -a! : a!),
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

const isSafe = (value: number | bigint | boolean): boolean => Number.isSafeInteger(Number(value))

/** Whether float64 has the number. */
export const isFloat64 = (value: number | bigint): boolean =>
  typeof value === 'number' || (Number.isFinite(Number(value)) && BigInt(Number(value)) === value)

/** The result over integers where float64 might round it; undefined where it does not, or there is no exact way. */
export function exactly(operator: string, values: readonly (number | bigint)[]): number | bigint | boolean | undefined {
  const compute = exact[operator]
  if (compute === undefined || !values.every((value) => typeof value === 'bigint' || isSafe(value))) return undefined
  const result = compute(values.map(BigInt))
  // Small ones are left to float64, which has a negative zero.
  if (values.every(isSafe) && isSafe(result)) return undefined
  return typeof result === 'bigint' && isSafe(result) ? Number(result) : result
}

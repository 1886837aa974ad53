// Exact rationals. The library itself carries no rational arithmetic: importing `bcast/real` provides it, so
// programs that do not use the type pay nothing and depend on nothing.
import { DTypeError } from '../errors/index.ts'

/** An exact rational: sign * numerator / denominator in lowest terms. */
export interface Real {
  readonly s: bigint
  readonly n: bigint
  readonly d: bigint
  toString(): string
}

/** What `bcast/real` provides. */
export interface RealArithmetic {
  /** Exact value of a finite number, bigint, or text such as '1/3' or '0.25'. */
  from(value: number | bigint | string): Real
  is(value: unknown): value is Real
  add(a: Real, b: Real): Real
  sub(a: Real, b: Real): Real
  mul(a: Real, b: Real): Real
  div(a: Real, b: Real): Real
  compare(a: Real, b: Real): number
  /** Integer powers only. */
  pow(a: Real, exponent: bigint): Real
}

let provided: RealArithmetic | undefined

export function provideReal(arithmetic: RealArithmetic): void {
  provided = arithmetic
}

/** The provided arithmetic; throws a DTypeError that says how to provide it. */
export function realArithmetic(): RealArithmetic {
  if (provided === undefined) {
    throw new DTypeError(
      "element type real needs exact rational arithmetic, which is loaded only on demand: add import 'bcast/real' (it uses the package fraction.js).",
      'real',
    )
  }
  return provided
}

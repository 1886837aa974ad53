// The partial derivatives of operators that are made of sums, products, quotients and choices: exact rationals of exact
// rationals. Where an operator has no derivative, the choice is made here: which side of a kink counts, and how ties
// share.
import { compare, floor, minus, negate, over, type Rational, ratio, signOf, times, truncate } from '../rational.ts'

const zero = ratio(0n)
const one = ratio(1n)
const two = ratio(2n)

/** `alpha`: the attribute of that name, where the operator has it. */
type Partials = (args: readonly Rational[], alpha: Rational) => readonly (Rational | undefined)[]

const unary =
  (slope: (x: Rational, alpha: Rational) => Rational): Partials =>
  ([x], alpha) => [slope(x!, alpha)]
const binary =
  (partials: (x: Rational, y: Rational) => readonly (Rational | undefined)[]): Partials =>
  ([x, y]) =>
    partials(x!, y!)

/** What all share who equal the chosen one. */
const amongTies =
  (isBetter: (order: number) => boolean): Partials =>
  (args) => {
    const chosen = args.reduce((best, x) => (isBetter(compare(x, best)) ? x : best))
    const ties = args.filter((x) => compare(x, chosen) === 0).length
    return args.map((x) => (compare(x, chosen) === 0 ? over(one, ratio(BigInt(ties))) : zero))
  }

const power = (x: Rational, exponent: bigint): Rational =>
  exponent < 0n ? over(one, power(x, -exponent)) : ratio(x.n ** exponent, x.d ** exponent)

export const rationalPartials: Readonly<Record<string, Partials>> = {
  Add: () => [one, one],
  Sub: () => [one, negate(one)],
  Mul: binary((x, y) => [y, x]),
  Div: binary((x, y) => [over(one, y), negate(over(x, times(y, y)))]),
  SquaredDifference: binary((x, y) => [times(two, minus(x, y)), times(two, minus(y, x))]),
  // The exponent is an integer, and none of its neighbours is near.
  Pow: binary((x, y) => [signOf(y) === 0 ? zero : times(y, power(x, truncate(y) - 1n)), undefined]),
  // x - y q, where the quotient q does not change nearby.
  Mod: binary((x, y) => [one, ratio(-truncate(over(x, y)))]),
  FloorMod: binary((x, y) => [one, ratio(-floor(over(x, y)))]),
  PRelu: binary((x, slope) => (signOf(x) > 0 ? [one, zero] : [slope, x])),
  Max: amongTies((order) => order > 0),
  Min: amongTies((order) => order < 0),
  Sum: (args) => args.map(() => one),
  Mean: (args) => args.map(() => over(one, ratio(BigInt(args.length)))),
  Neg: unary(() => negate(one)),
  Abs: unary((x) => ratio(BigInt(signOf(x)))),
  Relu: unary((x) => (signOf(x) > 0 ? one : zero)),
  LeakyRelu: unary((x, alpha) => (signOf(x) > 0 ? one : alpha)),
  Clip: ([x, min, max]) => {
    const order = compare(min!, max!)
    return [
      compare(x!, min!) >= 0 && compare(x!, max!) <= 0 ? one : zero,
      compare(x!, min!) < 0 && order < 0 ? one : zero,
      compare(x!, max!) > 0 || order > 0 ? one : zero,
    ]
  },
  Reciprocal: unary((x) => negate(over(one, times(x, x)))),
  Floor: unary(() => zero),
  Ceil: unary(() => zero),
  Round: unary(() => zero),
  Sign: unary(() => zero),
  Identity: unary(() => one),
}

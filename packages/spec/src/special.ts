// The functions where they are known without bounds: at zeros, infinities and NaN, and where no format can hold them.
import { geluTanhExponent } from './activations.ts'
import { type Enclosure, exactArgument, exactly, type FunctionArgument } from './enclosure.ts'
import { enclosePowerExponent, isOdd, powSpecial } from './pow.ts'
import { absolute, compare, type Rational, ratio, signOf, times } from './rational.ts'

/** Elu takes alpha as its second argument. */
export type FunctionName =
  | 'Exp'
  | 'Log'
  | 'Tanh'
  | 'Sigmoid'
  | 'Pow'
  | 'Sin'
  | 'Cos'
  | 'Atan'
  | 'Erf'
  | 'Softplus'
  | 'Elu'
  | 'Gelu'
  | 'GeluTanh'

/**
 * alpha (e^x - 1) where it is known: by IEEE multiplication where alpha is no number to enclose, -alpha at -infinity.
 * A float that is not negative is its own value.
 */
const eluSpecial = (x: number, alpha: number): number | undefined => {
  if (!(x < 0)) return x
  if (x === -Infinity || alpha === 0 || !Number.isFinite(alpha)) return -alpha
  return undefined
}

/**
 * The value where it is zero, infinite, NaN or known outright; it may still need rounding to the format.
 * Gelu keeps the sign of its argument. So it is -0 at -infinity: every negative x has a negative value, which is too
 * small for any format long before, and 0 * infinity, as the formula would have it, is not the limit.
 */
export const special = (fn: FunctionName, args: readonly FunctionArgument[]): number | undefined => {
  if (fn === 'Pow') return powSpecial(args[0]!, args[1]!)
  const x = Number(args[0])
  if (Number.isNaN(x)) return Number.NaN
  const infinite = Math.abs(x) === Infinity
  switch (fn) {
    case 'Exp':
      return x === Infinity ? Infinity : x === -Infinity ? 0 : x === 0 ? 1 : undefined
    case 'Log':
      return x < 0 ? Number.NaN : x === 0 ? -Infinity : x === 1 ? 0 : x === Infinity ? Infinity : undefined
    case 'Tanh':
    case 'Erf':
      return x === 0 ? x : infinite ? Math.sign(x) : undefined
    case 'Sigmoid':
      return x === Infinity ? 1 : x === -Infinity ? 0 : undefined
    case 'Sin':
      return infinite ? Number.NaN : x === 0 ? x : undefined
    case 'Cos':
      return infinite ? Number.NaN : x === 0 ? 1 : undefined
    case 'Atan':
      return x === 0 ? x : undefined
    case 'Softplus':
      return x === Infinity ? Infinity : x === -Infinity ? 0 : undefined
    case 'Elu':
      return eluSpecial(x, Number(args[1]))
    case 'Gelu':
    case 'GeluTanh':
      return x === 0 ? x : infinite ? (x > 0 ? Infinity : -0) : undefined
  }
}

/** The power of e that a value far from 1 is in essence; undefined where no argument takes it far. */
const exponentOfE = (fn: FunctionName, [x, y]: readonly Rational[]): Enclosure | undefined => {
  switch (fn) {
    case 'Pow':
      return enclosePowerExponent(ratio(absolute(x!.n), x!.d), y!, 64)
    case 'Exp':
      return exactly(x!)
    // The following fall to 0 below and do not grow like that above.
    case 'Sigmoid':
    case 'Softplus':
      return signOf(x!) < 0 ? exactly(x!) : undefined
    case 'Gelu':
      return signOf(x!) < 0 ? exactly(times(times(x!, x!), ratio(-1n, 2n))) : undefined
    case 'GeluTanh':
      return signOf(x!) < 0 ? geluTanhExponent(x!, 64) : undefined
    default:
      return undefined
  }
}

/** Where no format can hold the magnitude: its sign, and whether it is too large or too small. */
export const far = (
  fn: FunctionName,
  args: readonly FunctionArgument[],
): { readonly negative: boolean; readonly size: 'large' | 'small' } | undefined => {
  if (!args.every((x) => Number.isFinite(Number(x)))) return undefined
  const exactArgs = args.map(exactArgument)
  const exponent = exponentOfE(fn, exactArgs)
  if (exponent === undefined) return undefined
  const [x, y] = exactArgs
  const negative = fn === 'Gelu' || fn === 'GeluTanh' || (fn === 'Pow' && signOf(x!) < 0 && isOdd(y!))
  if (compare(exponent.lo, ratio(1900n)) > 0) return { negative, size: 'large' }
  return compare(exponent.hi, ratio(-1900n)) < 0 ? { negative, size: 'small' } : undefined
}

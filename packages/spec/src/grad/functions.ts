// The partial derivatives of the functions that are no rational ones, as textbooks write them, in float64.
import { correctlyRounded } from '../functions.ts'
import type { FunctionName } from '../special.ts'

const f64 = (fn: FunctionName, ...args: number[]): number => correctlyRounded(fn, args, 'float64')

const exp = (x: number): number => f64('Exp', x)
const sigmoid = (x: number): number => f64('Sigmoid', x)
const tanh = (x: number): number => f64('Tanh', x)

const density = (x: number): number => exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
const share = (x: number): number => (1 + f64('Erf', x / Math.sqrt(2))) / 2

interface NumberAttributes {
  readonly alpha: number
  readonly approximate: 'none' | 'tanh'
}

type Partials = (args: readonly number[], attributes: NumberAttributes) => readonly number[]

const unary =
  (slope: (x: number, attributes: NumberAttributes) => number): Partials =>
  ([x], attributes) => [slope(x!, attributes)]

const geluTanh = (x: number): number => {
  const scale = Math.sqrt(2 / Math.PI)
  const t = tanh(scale * (x + 0.044715 * x ** 3))
  return (1 + t) / 2 + (x / 2) * (1 - t * t) * scale * (1 + 3 * 0.044715 * x * x)
}

export const functionPartials: Readonly<Record<string, Partials>> = {
  Exp: unary(exp),
  Log: unary((x) => 1 / x),
  Sqrt: unary((x) => 1 / (2 * Math.sqrt(x))),
  Tanh: unary((x) => 1 - tanh(x) ** 2),
  Sigmoid: unary((x) => sigmoid(x) * sigmoid(-x)),
  Sin: unary((x) => f64('Cos', x)),
  Cos: unary((x) => -f64('Sin', x)),
  Atan: unary((x) => 1 / (1 + x * x)),
  Erf: unary((x) => (2 / Math.sqrt(Math.PI)) * exp(-x * x)),
  Softplus: unary(sigmoid),
  Elu: unary((x, { alpha }) => (x > 0 ? 1 : alpha * exp(x))),
  Gelu: unary((x, { approximate }) => (approximate === 'tanh' ? geluTanh(x) : share(x) + x * density(x))),
  // A base of 0 stays 0 whatever the exponent, unless it is negative.
  Pow: ([x, y]) => [
    y === 0 ? 0 : y! * f64('Pow', x!, y! - 1),
    x === 0 && y! >= 0 ? 0 : f64('Pow', x!, y!) * f64('Log', x!),
  ],
}

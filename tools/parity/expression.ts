// Expressions of any number of operators over a few operands, as lists of steps of which each uses earlier ones, so
// that parts are shared and nothing has to be as deep as it is long. They are computed operator by operator, fused,
// and written down for the command line.

import type { DType, Tensor } from 'bcast'
import * as bcast from 'bcast'
import fc from 'fast-check'

export interface Step {
  readonly name: string
  /** Earlier values by number: operands first, then steps. */
  readonly args: readonly number[]
  /** A JavaScript number behind them. */
  readonly literal?: number
  readonly dtype?: DType
}

export interface Expression {
  readonly operands: number
  readonly steps: readonly Step[]
}

const UNARY = ['neg', 'abs', 'sign', 'identity', 'relu']
const FLOAT_UNARY = ['tanh', 'sigmoid', 'exp', 'log', 'sqrt', 'floor', 'round', 'reciprocal']
const BINARY = ['add', 'sub', 'mul', 'max', 'min', 'squaredDifference']
const FLOAT_BINARY = ['div', 'pow', 'sum', 'mean']
const LITERALS = [0.1, 1e-50, 3, -0.5, 1.7, 65_520, 1e39]

/** An expression of so many steps; constants may be numbers that the type cannot hold. */
export function expressions(length: number, isFloat: boolean): fc.Arbitrary<Expression> {
  const unary = isFloat ? [...UNARY, ...FLOAT_UNARY] : UNARY
  const binary = isFloat ? [...BINARY, ...FLOAT_BINARY] : BINARY
  const operands = 3
  const choice = fc.record({
    kind: fc.constantFrom('unary', 'binary', 'binary', 'literal', 'where', 'repair'),
    name: fc.nat(),
    args: fc.tuple(fc.nat(), fc.nat(), fc.nat()),
    literal: fc.constantFrom(...(isFloat ? LITERALS : [1, 3, -1])),
    near: fc.boolean(),
  })
  return fc.array(choice, { minLength: length, maxLength: length, size: 'max' }).map((choices) => ({
    operands,
    steps: choices.map(({ kind, name, args, literal, near }, i): Step => {
      const known = operands + i
      // The first operand is the step before, so that everything is part of the result.
      const first = i === 0 ? 0 : known - 1
      const other = (at: number): number => (near ? known - 1 - (at % Math.min(known, 5)) : at % known)
      // Values that are NaN, infinite or all the same would show nothing more, however they are computed.
      if (kind === 'repair' || i === length - 1) return { name: 'repair', args: [first, args[0] % operands] }
      if (kind === 'unary') return { name: unary[name % unary.length]!, args: [first] }
      if (kind === 'literal') return { name: BINARY[name % BINARY.length]!, args: [first], literal }
      if (kind === 'where') return { name: 'where', args: [first, other(args[0]), other(args[1])] }
      return { name: binary[name % binary.length]!, args: [first, other(args[1])] }
    }),
  }))
}

type Call = (...args: unknown[]) => unknown
const library = bcast as unknown as Readonly<Record<string, Call>>

const lessThan = (a: unknown, b: unknown): unknown => library['less']!(a, b)

function applied({ name, args, literal }: Step, values: readonly unknown[]): unknown {
  const [a, b, c] = args.map((arg) => values[arg])
  // A choice by a comparison of what it chooses from.
  if (name === 'where') return library['where']!(lessThan(a, b), a, c)
  if (name === 'repair') {
    return library['where']!(lessThan(library['abs']!(a), 100), library['add']!(a, b), library['mul']!(b, 3))
  }
  const given = args.map((arg) => values[arg])
  return library[name]!(...given, ...(literal === undefined ? [] : [literal]))
}

/** The value of an expression by the public functions, over tensors or operands of `fuse`. */
export function computed({ steps }: Expression, operands: readonly unknown[]): unknown {
  const values = [...operands]
  for (const step of steps) values.push(applied(step, values))
  return values.at(-1)
}

export const fusedOf = (expression: Expression): ((...operands: unknown[]) => Tensor) =>
  bcast.fuse(((a: unknown, b: unknown, c: unknown) => computed(expression, [a, b, c])) as never) as never

/** As it is written on the command line, where shared parts are written out; undefined where that is too long. */
export function written({ operands, steps }: Expression, longest: number): string | undefined {
  const texts = Array.from({ length: operands }, (_, i) => `x${i}`)
  for (const { name, args, literal } of steps) {
    const [a, b, c] = args.map((arg) => texts[arg]!)
    const given = [...args.map((arg) => texts[arg]!), ...(literal === undefined ? [] : [`(${literal})`])]
    const text =
      name === 'where'
        ? `where(${a} < ${b}, ${a}, ${c})`
        : name === 'repair'
          ? `where(abs(${a}) < 100, ${a} + ${b}, ${b} * 3)`
          : `${name}(${given.join(', ')})`
    if (text.length > longest) return undefined
    texts.push(text)
  }
  return texts.at(-1)
}

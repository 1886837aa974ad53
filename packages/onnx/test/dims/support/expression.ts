// Expressions as trees: what a Dim is compared with. The reference computes with bigint directly and simplifies nothing.
import fc from 'fast-check'
import {
  abs,
  add,
  ceilDiv,
  constant,
  type Dim,
  DimError,
  floorDiv,
  floorMod,
  max,
  min,
  mul,
  neg,
  type SymbolBounds,
  sub,
  symbol,
  truncDiv,
  truncMod,
} from '../../../src/dims/index.ts'

const operations = { add, sub, mul, floorDiv, ceilDiv, truncDiv, floorMod, truncMod, max, min, neg, abs }

export type Binary = Exclude<keyof typeof operations, 'neg' | 'abs'>

export type Expression =
  | { readonly constant: bigint }
  | { readonly symbol: string }
  | { readonly unary: 'neg' | 'abs'; readonly of: Expression }
  | { readonly binary: Binary; readonly a: Expression; readonly b: Expression }

/** The symbols of every property, each with other bounds. */
export const declared: Readonly<Record<string, SymbolBounds>> = {
  N: {},
  M: { min: 1 },
  C: { min: 2, max: 5 },
  k: { min: null },
  s: { min: -4, max: 3 },
}

export const symbolOf = (name: string): Dim => symbol(name, declared[name])

const floor = (a: bigint, b: bigint): bigint => {
  const truncated = a / b
  return truncated * b > a === b > 0n && truncated * b !== a ? truncated - 1n : truncated
}

/** A divisor was 0: the expression has no value here. */
export class NoValue extends Error {}

const nonzero = (b: bigint): bigint => {
  if (b === 0n) throw new NoValue()
  return b
}

const meanings: Record<Binary, (a: bigint, b: bigint) => bigint> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  floorDiv: (a, b) => floor(a, nonzero(b)),
  ceilDiv: (a, b) => -floor(-a, nonzero(b)),
  truncDiv: (a, b) => a / nonzero(b),
  floorMod: (a, b) => a - b * floor(a, nonzero(b)),
  truncMod: (a, b) => a % nonzero(b),
  max: (a, b) => (a > b ? a : b),
  min: (a, b) => (a < b ? a : b),
}

export type Values = Readonly<Record<string, bigint>>

export function reference(expression: Expression, values: Values): bigint {
  if ('constant' in expression) return expression.constant
  if ('symbol' in expression) return values[expression.symbol]!
  if ('unary' in expression) {
    const value = reference(expression.of, values)
    return expression.unary === 'neg' || value < 0n ? -value : value
  }
  return meanings[expression.binary](reference(expression.a, values), reference(expression.b, values))
}

/** The Dim of an expression; undefined when it divides by what is 0 whatever the symbols. */
export function build(expression: Expression): Dim | undefined {
  const make = (part: Expression): Dim => {
    if ('constant' in part) return constant(part.constant)
    if ('symbol' in part) return symbolOf(part.symbol)
    if ('unary' in part) return operations[part.unary](make(part.of))
    return operations[part.binary](make(part.a), make(part.b))
  }
  return orUndefined(() => make(expression))
}

/** The result, or undefined where it divides by zero. */
export function orUndefined<T>(compute: () => T): T | undefined {
  try {
    return compute()
  } catch (error) {
    if (error instanceof NoValue || (error instanceof DimError && error.code === 'DIM_DIVISION_BY_ZERO'))
      return undefined
    throw error
  }
}

export const referenceValue = (expression: Expression, values: Values): bigint | undefined =>
  orUndefined(() => reference(expression, values))

const leaf: fc.Arbitrary<Expression> = fc.oneof(
  { weight: 2, arbitrary: fc.bigInt({ min: -6n, max: 8n }).map((constant) => ({ constant })) },
  { weight: 3, arbitrary: fc.constantFrom(...Object.keys(declared)).map((symbol) => ({ symbol })) },
)

const binaries: readonly Binary[] = [
  'add',
  'add',
  'add',
  'sub',
  'sub',
  'mul',
  'mul',
  'floorDiv',
  'floorDiv',
  'ceilDiv',
  'truncDiv',
  'floorMod',
  'truncMod',
  'max',
  'min',
]

const { tree } = fc.letrec<{ tree: Expression }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    leaf,
    fc.record({ binary: fc.constantFrom(...binaries), a: tie('tree'), b: tie('tree') }),
    // Division by small numbers is what models do.
    fc.record({
      binary: fc.constantFrom<Binary>('floorDiv', 'floorDiv', 'truncDiv', 'floorMod', 'mul'),
      a: tie('tree'),
      b: fc.bigInt({ min: 2n, max: 6n }).map((constant) => ({ constant })),
    }),
    fc.record({ unary: fc.constantFrom<'neg' | 'abs'>('neg', 'abs'), of: tie('tree') }),
  ),
}))

export const expressions: fc.Arbitrary<Expression> = tree

/** Sums and products alone: what the canonical form decides completely. */
export const polynomials: fc.Arbitrary<Expression> = fc.letrec<{ tree: Expression }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    fc.record({ binary: fc.constantFrom<Binary>('add', 'sub', 'mul'), a: tie('tree'), b: tie('tree') }),
  ),
})).tree

export const sizes: fc.Arbitrary<Values> = fc.record({
  N: fc.oneof(fc.bigInt({ min: 0n, max: 12n }), fc.bigInt({ min: 0n, max: 10n ** 20n })),
  M: fc.oneof(fc.bigInt({ min: 1n, max: 12n }), fc.bigInt({ min: 1n, max: 10n ** 20n })),
  C: fc.bigInt({ min: 2n, max: 5n }),
  k: fc.oneof(fc.bigInt({ min: -9n, max: 9n }), fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })),
  s: fc.bigInt({ min: -4n, max: 3n }),
})

/** Several sizes at once: a wrong simplification is rarely wrong everywhere. */
export const someSizes: fc.Arbitrary<readonly Values[]> = fc.array(sizes, { minLength: 8, maxLength: 8 })

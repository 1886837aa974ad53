// Equations: for which values of a symbol two Dims are equal. Decided where one symbol can be set apart (2*N + M = 4*K
// is M = 4*K - 2*N), or where only one symbol is there and the Dim goes one way with it (floor((H + 1)/2) = 4 is
// 7 <= H <= 8), or where the symbol has few values.
import { ofAtom } from './atoms.ts'
import { isEqual } from './compare.ts'
import type { Atom, Dim, DimLike } from './dim.ts'
import { DimError } from './errors.ts'
import { evaluate } from './evaluate.ts'
import { type Bound, FAR, type Interval, leastOf } from './interval.ts'
import { ONE } from './monomial.ts'
import { constant, constantOf, mulTerm, sub, toDim } from './polynomial.ts'
import { contentOf, withoutContent } from './quotient.ts'
import { openSymbolsIn, symbolName } from './substitute.ts'

export type Solution =
  | { readonly kind: 'always' }
  | { readonly kind: 'never' }
  /** Exactly when the symbol has this value, which does not hold it. */
  | { readonly kind: 'is'; readonly symbol: Dim; readonly value: Dim }
  /** Exactly when the symbol lies in one of these intervals: sorted, apart, not empty. */
  | { readonly kind: 'within'; readonly symbol: Dim; readonly ranges: readonly Interval[] }

/** Symbols of at most so many values are tried one by one. */
const MAX_TRIED = 64

/** When a and b are equal; undefined when that is not found out. */
export function solve(a: DimLike, b: DimLike): Solution | undefined {
  const equal = isEqual(a, b)
  if (equal !== undefined) return { kind: equal ? 'always' : 'never' }
  const whole = sub(a, b)
  const difference = withoutContent(whole, { coefficient: contentOf(whole).coefficient, monomial: ONE })
  const symbols = openSymbolsIn(difference)
  if (symbols === undefined) return undefined
  const [only] = symbols.values()
  if (symbols.size === 1) {
    const symbol = ofAtom(only!)
    const ranges = zerosOf(difference, symbolName(symbol)!, only!)
    if (ranges !== undefined) return ranges.length === 0 ? { kind: 'never' } : { kind: 'within', symbol, ranges }
  }
  return alone(toDim(a), toDim(b)) ?? alone(toDim(b), toDim(a)) ?? setApart(difference)
}

/** An equation whose one side is a symbol is solved. */
function alone(symbol: Dim, value: Dim): Solution | undefined {
  const name = symbolName(symbol)
  return name === undefined || openSymbolsIn(value)?.has(name) !== false ? undefined : { kind: 'is', symbol, value }
}

/** The equation solved for a symbol that stands alone in one term, once; one of the left side if there is one. */
function setApart(difference: Dim): Solution | undefined {
  for (const sign of [1n, -1n]) {
    for (const { coefficient, monomial } of difference.terms) {
      const atom = monomial.degree === 1 ? monomial.factors[0]!.atom : undefined
      if (coefficient !== sign || atom?.kind !== 'symbol' || atom.definition !== undefined) continue
      const symbol = mulTerm(constant(1), 1n, monomial)
      const rest = sub(difference, mulTerm(symbol, sign, ONE))
      if (openSymbolsIn(rest)?.has(atom.name) === false) return { kind: 'is', symbol, value: mulTerm(rest, -sign, ONE) }
    }
  }
  return undefined
}

/** Where a Dim of one symbol is 0. */
function zerosOf(dim: Dim, name: string, { min, max }: Interval): Interval[] | undefined {
  const at = (value: bigint): bigint => evaluate(dim, { [name]: value })
  const way = directionOf(dim)
  if (way === 1 || way === -1) {
    const rising = way === 1 ? at : (value: bigint): bigint => -at(value)
    const first = leastWith((value) => rising(value) >= 0n, min, max)
    const after = leastWith((value) => rising(value) > 0n, min, max)
    const last = leastOf(typeof after === 'bigint' ? after - 1n : after, max)
    return first > last || last === Number.NEGATIVE_INFINITY ? [] : [{ min: first, max: last }]
  }
  if (typeof min !== 'bigint' || typeof max !== 'bigint' || max - min >= MAX_TRIED) return undefined
  const ranges: Interval[] = []
  for (let value = min; value <= max; value++) {
    if (valueOrUndefined(at, value) !== 0n) continue
    const last = ranges.at(-1)
    if (last?.max === value - 1n) ranges[ranges.length - 1] = { min: last.min, max: value }
    else ranges.push({ min: value, max: value })
  }
  return ranges
}

/**
 * For which values of its only symbol a Dim is at least `least`, an empty interval for none; undefined where it has
 * several symbols, or does not go one way with the one.
 */
export function whereAtLeast(dim: Dim, least: bigint): { readonly symbol: Dim; readonly range: Interval } | undefined {
  const [only, ...others] = openSymbolsIn(dim)?.values() ?? []
  const way = directionOf(dim)
  if (only === undefined || others.length > 0 || way === undefined) return undefined
  const symbol = ofAtom(only)
  const name = symbolName(symbol)!
  const { min, max } = only
  const reaches = (value: bigint): boolean => evaluate(dim, { [name]: value }) >= least
  if (way === 1) return { symbol, range: { min: leastWith(reaches, min, max), max } }
  const after = leastWith((value) => !reaches(value), min, max)
  return { symbol, range: { min, max: leastOf(typeof after === 'bigint' ? after - 1n : after, max) } }
}

/** A quotient by zero is equal to nothing. */
function valueOrUndefined(at: (value: bigint) => bigint, value: bigint): bigint | undefined {
  try {
    return at(value)
  } catch (error) {
    if (error instanceof DimError && error.code === 'DIM_DIVISION_BY_ZERO') return undefined
    throw error
  }
}

/** 1 when a Dim of one symbol never falls as the symbol grows, -1 when it never rises. */
function directionOf({ terms }: Dim): 1 | -1 | undefined {
  let common: 1 | -1 | undefined
  for (const { coefficient, monomial } of terms) {
    if (monomial.degree === 0) continue
    const ways = monomial.factors.map(({ atom }) => atomDirection(atom))
    const [way] = ways
    // Products go one way when no factor is negative and all go the same way.
    const isProduct = monomial.degree > 1
    if (isProduct && monomial.factors.some(({ atom }, i) => atom.min < 0 || ways[i] !== way)) return undefined
    if (way === undefined) return undefined
    const own = coefficient > 0n ? way : way === 1 ? -1 : 1
    if (common !== undefined && common !== own) return undefined
    common = own
  }
  return common
}

function atomDirection(atom: Atom): 1 | -1 | undefined {
  if (atom.kind === 'symbol') return atom.definition === undefined ? 1 : undefined
  if (atom.kind === 'floor') return constantOf(atom.divisor) === undefined ? undefined : directionOf(atom.numerator)
  const ways = atom.members.filter((member) => constantOf(member) === undefined).map(directionOf)
  return ways.every((way) => way === ways[0]) ? ways[0] : undefined
}

/** The least value that passes a test which all larger ones pass too; infinite when none does, or all do. */
function leastWith(test: (value: bigint) => boolean, min: Bound, max: Bound): Bound {
  let low = typeof min === 'bigint' ? min : typeof max === 'bigint' ? max : 0n
  if (test(low)) {
    if (low === min) return low
    let step = 1n
    while (test(low - step)) if ((step *= 2n) > FAR) return Number.NEGATIVE_INFINITY
    low -= step
  }
  // The test fails at low; find where it passes.
  let high = typeof max === 'bigint' ? max : low + 1n
  for (let step = 1n; !test(high); step *= 2n) {
    if (high === max || step > FAR) return Number.POSITIVE_INFINITY
    high += step
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (test(middle)) high = middle
    else low = middle
  }
  return high
}

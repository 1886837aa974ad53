// Bounds of a Dim, as tight as a bounded effort gets them. Terms taken as independent say nothing about N - floor(N/2);
// so floors and extremes are replaced by what they are made of, in the direction that keeps the bound true:
//
//   (x - k + 1)/k <= floor(x/k) <= x/k,   max(p, q) is at least each of p and q, and at most the larger.
//
// Products are seen from the least values of their factors: with N = 1 + n and M = 1 + m, N*M - N is n*m + m.
import type { Atom, Dim, Monomial, Term } from './dim.ts'
import { ceilQuotient, gcd } from './integer.ts'
import { addBound, type Bound, greatestOf, type Interval, leastOf, mulBound, negBound, widened } from './interval.ts'
import { divMonomials, monomialInterval, monomialOf, ONE } from './monomial.ts'
import {
  add,
  constant,
  constantOf,
  constantTerm,
  fromSorted,
  mul,
  mulTerm,
  neg,
  sub,
  termsInterval,
} from './polynomial.ts'

/** How many replacements one bound may try. */
const MAX_STEPS = 40
/** Products beyond this degree, and sums beyond this length, are not seen from their least values. */
const MAX_SHIFT_DEGREE = 4
const MAX_SHIFT_TERMS = 20

// Bounds are a function of the value alone; what was once computed goes when the value goes.
const known = new WeakMap<Dim, Interval>()

/** The least and the greatest value, infinite where no bound is known. */
export function bounds(dim: Dim): Interval {
  const before = known.get(dim)
  if (before !== undefined) return before
  const result = isTight(dim)
    ? termsInterval(dim)
    : widened({ min: lower(dim, { steps: MAX_STEPS }), max: negBound(lower(neg(dim), { steps: MAX_STEPS })) })
  known.set(dim, result)
  return result
}

/** Whether a Dim is at least `least`, for certain; cheaper than both its bounds. */
export const isAtLeast = (dim: Dim, least: bigint): boolean =>
  (known.get(dim)?.min ?? (isTight(dim) ? termsInterval(dim).min : lower(dim, { steps: MAX_STEPS }))) >= least

/** Whether the terms are independent: different symbols, or one term only. */
function isTight({ terms }: Dim): boolean {
  const varying = terms.at(-1)?.monomial.degree === 0 ? terms.length - 1 : terms.length
  if (varying <= 1) return true
  const seen = new Set<string>()
  for (const { monomial } of terms) {
    for (const { atom } of monomial.factors) {
      if (atom.kind !== 'symbol' || seen.has(atom.key)) return false
      seen.add(atom.key)
    }
  }
  return true
}

interface Effort {
  steps: number
}

function lower(dim: Dim, effort: Effort): Bound {
  const plain = termsInterval(dim).min
  if (isTight(dim) || effort.steps-- <= 0) return plain
  // Without what all terms are multiples of, rounding to integers gains more.
  const offset = constantTerm(dim)
  const varying = offset === 0n ? dim.terms : dim.terms.slice(0, -1)
  const common = varying.reduce((g, { coefficient }) => (g === 1n ? g : gcd(g, coefficient)), 0n)
  if (common > 1n) {
    const divided = varying.map(({ coefficient, monomial }) => ({ coefficient: coefficient / common, monomial }))
    return addBound(mulBound(lower(fromSorted(divided), effort), common), offset)
  }
  const found = findReplaceable(dim)
  return greatestOf(plain, found === undefined ? shiftedLower(dim) : lowerWithout(dim, found, effort))
}

interface Replaceable {
  readonly term: Term
  readonly atom: Atom & { readonly kind: 'floor' | 'max' | 'min' }
  /** What the atom is multiplied by, not negative. */
  readonly factor: Monomial
}

/** A floor or an extreme whose factors have a sign; one that counts negatively if there is one. */
function findReplaceable({ terms }: Dim): Replaceable | undefined {
  let found: Replaceable | undefined
  for (const term of terms) {
    if (found !== undefined && term.coefficient > 0n) continue
    for (const { atom, power } of term.monomial.factors) {
      if (atom.kind === 'symbol' || power !== 1) continue
      const factor = divMonomials(term.monomial, monomialOf(atom))!
      if (monomialInterval(factor).min < 0) continue
      if (atom.kind === 'floor' && quotientScale(atom, factor) === undefined) continue
      if (term.coefficient < 0n) return { term, atom, factor }
      found ??= { term, atom, factor }
    }
  }
  return found
}

/**
 * How factor*floor(x/q) becomes a polynomial: multiplied by a number k, it is `rest` times x or x - q + 1. Either q is
 * the number k, or q is a product among the factors.
 */
function quotientScale(atom: Atom & { kind: 'floor' }, factor: Monomial): { k: bigint; rest: Monomial } | undefined {
  const { divisor } = atom
  const k = constantOf(divisor)
  if (k !== undefined) return { k, rest: factor }
  const [only] = divisor.terms
  if (divisor.terms.length !== 1 || monomialInterval(only!.monomial).min < 0) return undefined
  const rest = divMonomials(factor, only!.monomial)
  return rest && { k: only!.coefficient, rest }
}

function lowerWithout(dim: Dim, { term, atom, factor }: Replaceable, effort: Effort): Bound {
  const { coefficient, monomial } = term
  const rest = sub(dim, mulTerm(constant(1), coefficient, monomial))
  if (atom.kind === 'floor') {
    const scale = quotientScale(atom, factor)!
    const least = coefficient < 0n ? atom.numerator : add(sub(atom.numerator, atom.divisor), 1)
    const scaled = lower(add(mulTerm(rest, scale.k, ONE), mulTerm(least, coefficient, scale.rest)), effort)
    return typeof scaled === 'bigint' ? ceilQuotient(scaled, scale.k) : scaled
  }
  const [first, second] = atom.members
  const everyMemberCounts = (atom.kind === 'max') === coefficient < 0n
  const choose = everyMemberCounts ? leastOf : greatestOf
  let chosen: Bound | undefined
  for (const member of atom.members) {
    const own = lower(add(rest, mulTerm(member, coefficient, factor)), effort)
    chosen = chosen === undefined ? own : choose(chosen, own)
    if (everyMemberCounts && chosen === Number.NEGATIVE_INFINITY) return chosen
  }
  if (everyMemberCounts || atom.members.length !== 2) return chosen!
  // The larger of two is at least their mean: this bounds absolute values.
  const twice = lower(add(mulTerm(rest, 2n, ONE), mulTerm(add(first!, second!), coefficient, factor)), effort)
  return greatestOf(chosen!, typeof twice === 'bigint' ? ceilQuotient(twice, 2n) : twice)
}

/** The bound with every atom written as its least value and what it is above that (or its greatest, and below). */
function shiftedLower(dim: Dim): Bound {
  const degree = dim.terms[0]?.monomial.degree ?? 0
  if (degree < 2 || degree > MAX_SHIFT_DEGREE || dim.terms.length > MAX_SHIFT_TERMS) return Number.NEGATIVE_INFINITY
  let sum = constant(0)
  for (const { coefficient, monomial } of dim.terms) {
    let shifted = constant(coefficient)
    for (const { atom, power } of monomial.factors) {
      const value = shiftedAtom(atom)
      for (let i = 0; i < power; i++) shifted = mul(shifted, value)
    }
    sum = add(sum, shifted)
  }
  return termsInterval(sum).min
}

function shiftedAtom(atom: Atom): Dim {
  const { min, max, key } = atom
  const above = (range: Bound): Dim =>
    mulTerm(constant(1), 1n, monomialOf({ kind: 'symbol', name: key, key, min: 0n, max: range, weight: 1 }))
  if (typeof min === 'bigint') return add(above(typeof max === 'bigint' ? max - min : max), min)
  return typeof max === 'bigint'
    ? sub(max, above(Number.POSITIVE_INFINITY))
    : mulTerm(constant(1), 1n, monomialOf(atom))
}

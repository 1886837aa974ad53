// floor(p/q) in canonical form: whole multiples of the divisor come out, common factors go, floors in floors are joined,
// and what bounds decide is decided.
import { floorAtom } from './atoms.ts'
import { isAtLeast } from './bounds.ts'
import type { Atom, Dim, DimLike, ExtremeAtom, Term } from './dim.ts'
import { DimError } from './errors.ts'
import { holdsExtreme, max, min } from './extreme.ts'
import { floorQuotient, floorRemainder, gcd } from './integer.ts'
import { commonMonomial, monomialOf, ONE } from './monomial.ts'
import { add, constant, constantOf, fromSorted, mul, mulTerm, neg, sub, toDim } from './polynomial.ts'
import { contentOf, divide, exactQuotient, withoutContent } from './quotient.ts'

/** The largest integer that is not above p/q. */
export function floorDiv(p: DimLike, q: DimLike): Dim {
  const [numerator, divisor] = [toDim(p), toDim(q)]
  const [lead] = divisor.terms
  if (lead === undefined) {
    throw new DimError('DIM_DIVISION_BY_ZERO', `Division by zero: (${numerator.key})/0 has no value.`)
  }
  if (numerator.terms.length === 0) return numerator
  if (lead.coefficient < 0n) return floorDiv(neg(numerator), neg(divisor))
  const k = constantOf(divisor)
  return k === undefined ? byExpression(numerator, divisor) : byNumber(numerator, k)
}

/** Extremes of more members, and larger numerators, stay under the floor. */
const MAX_SPREAD_MEMBERS = 4
const MAX_SPREAD_WEIGHT = 60

function byNumber(numerator: Dim, k: bigint): Dim {
  if (k === 1n) return numerator
  const isWhole = ({ coefficient }: Term): boolean => coefficient % k === 0n
  const whole = numerator.terms.filter(isWhole)
  const rest = whole.length === 0 ? numerator : fromSorted(numerator.terms.filter((term) => !isWhole(term)))
  const quotient = fromSorted(whole.map(({ coefficient, monomial }) => ({ coefficient: coefficient / k, monomial })))
  return add(quotient, spread(rest, k) ?? reduced(rest, k))
}

/** The floor of a sum with one extreme in it is the extreme of floors: floor(max(p, q)/k) is max(floor(p/k), floor(q/k)). */
function spread(numerator: Dim, k: bigint): Dim | undefined {
  if (numerator.weight > MAX_SPREAD_WEIGHT) return undefined
  const [term, ...others] = numerator.terms.filter(holdsExtreme)
  if (term === undefined || others.length > 0 || term.monomial.degree > 1) return undefined
  const { kind, members } = term.monomial.factors[0]!.atom as ExtremeAtom
  if (members.length > MAX_SPREAD_MEMBERS) return undefined
  const left = term.coefficient % k
  const rest = fromSorted(numerator.terms.filter((other) => other !== term))
  const floors = members.map((member) => byNumber(add(rest, mulTerm(member, left, ONE)), k))
  const whole = mulTerm(constant(term.coefficient / k), 1n, term.monomial)
  return add(whole, ((kind === 'max') === left > 0n ? max : min)(...floors))
}

/** floor(numerator/k) with all coefficients brought between 0 and k, and what they and k have in common divided out. */
function reduced(numerator: Dim, k: bigint): Dim {
  // Of x and -x the one with the smaller leading coefficient: floor(-x/k) is -floor((x + k - 1)/k).
  const [lead] = numerator.terms
  if (lead !== undefined && lead.monomial.degree > 0 && 2n * floorRemainder(lead.coefficient, k) > k) {
    return neg(reduced(add(neg(numerator), k - 1n), k))
  }
  const whole: Term[] = []
  const rest: Term[] = []
  let common = k
  for (const { coefficient, monomial } of numerator.terms) {
    const left = floorRemainder(coefficient, k)
    const quotient = floorQuotient(coefficient, k)
    if (quotient !== 0n) whole.push({ coefficient: quotient, monomial })
    rest.push({ coefficient: left, monomial })
    if (monomial.degree > 0) common = gcd(common, left)
  }
  if (common === k) return fromSorted(whole)
  // A constant does not have to be divisible: floor((2*x + 1)/4) is floor(x/2).
  const last = rest.at(-1)
  if (last?.monomial.degree === 0 && last.coefficient < common) rest.pop()
  const divided = rest.map(({ coefficient, monomial }) => ({ coefficient: coefficient / common, monomial }))
  return add(fromSorted(whole), joined(fromSorted(divided), k / common))
}

const isFloor = (atom: Atom): atom is Atom & { kind: 'floor' } => atom.kind === 'floor'

/** The floor that a term is, once: its atom, or undefined. */
function floorIn({ monomial }: Term): (Atom & { kind: 'floor' }) | undefined {
  const [factor] = monomial.factors
  return monomial.degree === 1 && isFloor(factor!.atom) ? factor!.atom : undefined
}

/** floor(p/k) of reduced p: a floor inside is joined with this one. */
function joined(p: Dim, k: bigint): Dim {
  for (const term of p.terms) {
    const inner = floorIn(term)
    if (inner === undefined) continue
    const d = constantOf(inner.divisor)
    const others = sub(p, mulTerm(constant(1), term.coefficient, monomialOf(inner)))
    if (term.coefficient === 1n && (d !== undefined || constantOf(others) !== undefined)) {
      return floorDiv(add(mul(others, inner.divisor), inner.numerator), mulTerm(inner.divisor, k, ONE))
    }
    if (term.coefficient === k - 1n && d !== undefined) {
      // -floor(x/d) is floor((d - 1 - x)/d).
      const numerator = add(sub(mulTerm(others, d, ONE), inner.numerator), d - 1n)
      return add(mulTerm(constant(1), 1n, monomialOf(inner)), floorDiv(numerator, k * d))
    }
  }
  return floorAtom(p, constant(k))
}

function byExpression(given: Dim, by: Dim): Dim {
  const [numerator, divisor] = lowestTerms(given, by)
  if (constantOf(divisor) !== undefined) return floorDiv(numerator, divisor)
  const division = divide(numerator, divisor)
  const { quotient, remainder } = division ?? { quotient: constant(0), remainder: numerator }
  if (remainder.terms.length === 0) return quotient
  // A floor over a divisor that is not negative is a floor over both divisors.
  const inner = remainder.terms.length === 1 ? floorIn(remainder.terms[0]!) : undefined
  if (inner !== undefined && remainder.terms[0]!.coefficient === 1n && isAtLeast(divisor, 0n)) {
    return add(quotient, floorDiv(inner.numerator, mul(inner.divisor, divisor)))
  }
  const isProper = isAtLeast(remainder, 0n) && isAtLeast(sub(divisor, remainder), 1n)
  return isProper ? quotient : add(quotient, floorAtom(remainder, divisor))
}

/** Both sides without the factors that they share: numbers, products, and the divisor's sum where it divides. */
function lowestTerms(p: Dim, q: Dim): readonly [Dim, Dim] {
  const content = contentOf(q)
  const primitive = withoutContent(q, content)
  const quotient = primitive.terms.length > 1 ? exactQuotient(p, primitive) : undefined
  const numerator = quotient ?? p
  const divisor = quotient === undefined ? q : mulTerm(constant(1), content.coefficient, content.monomial)
  const ours = contentOf(numerator)
  const shared = {
    coefficient: gcd(ours.coefficient, content.coefficient),
    monomial: commonMonomial(ours.monomial, content.monomial),
  }
  return [withoutContent(numerator, shared), withoutContent(divisor, shared)]
}

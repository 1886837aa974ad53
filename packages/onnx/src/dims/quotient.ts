// Division of polynomials: the unique remainder by one divisor, and the factors that two of them share. Exact over the
// integers: coefficients are divided by the floor, so that remainders lie below the divisor's leading coefficient.
import { type Dim, MAX_TERMS, type Monomial, type Term } from './dim.ts'
import { floorQuotient, gcd } from './integer.ts'
import { commonMonomial, compareMonomials, divMonomials } from './monomial.ts'
import { add, constant, fromSorted, fromTerms, mulTerm, sub } from './polynomial.ts'

/** Steps after which a division gives up. */
const MAX_STEPS = 200

export interface Division {
  readonly quotient: Dim
  readonly remainder: Dim
}

/** p = q*quotient + remainder, no term of the remainder reducible; undefined when that takes too long. q's leading coefficient is positive. */
export function divide(p: Dim, q: Dim): Division | undefined {
  const lead = q.terms[0]!
  let rest = p
  let quotient = constant(0)
  const settled: Term[] = []
  for (let step = 0; rest.terms.length > 0; step++) {
    if (step > MAX_STEPS || rest.terms.length > MAX_TERMS) return undefined
    const first = rest.terms[0]!
    const monomial = divMonomials(first.monomial, lead.monomial)
    const by = monomial === undefined ? 0n : floorQuotient(first.coefficient, lead.coefficient)
    if (by !== 0n) {
      quotient = add(quotient, mulTerm(constant(1), by, monomial!))
      rest = sub(rest, mulTerm(q, by, monomial!))
    }
    // What is left of the leading term stays; everything below it comes next.
    const [next] = rest.terms
    if (next !== undefined && compareMonomials(next.monomial, first.monomial) === 0) {
      settled.push(next)
      rest = fromSorted(rest.terms.slice(1))
    }
  }
  // Sorted already, unless the rest grew so large that a symbol took its place.
  return { quotient, remainder: fromTerms(settled) }
}

/** p/q where q divides p; undefined where it does not. */
export function exactQuotient(p: Dim, q: Dim): Dim | undefined {
  const division = divide(p, q)
  return division?.remainder.terms.length === 0 ? division.quotient : undefined
}

/** The greatest number and product that divide every term. */
export interface Content {
  readonly coefficient: bigint
  readonly monomial: Monomial
}

/** Of a Dim that is not 0. */
export function contentOf({ terms }: Dim): Content {
  let coefficient = 0n
  let monomial = terms[0]!.monomial
  for (const term of terms) {
    coefficient = gcd(coefficient, term.coefficient)
    monomial = commonMonomial(monomial, term.monomial)
  }
  return { coefficient, monomial }
}

/** Every term divided by a content of it. */
export function withoutContent(dim: Dim, { coefficient, monomial }: Content): Dim {
  if (coefficient === 1n && monomial.degree === 0) return dim
  // Division keeps the order.
  return fromSorted(
    dim.terms.map((term) => ({
      coefficient: term.coefficient / coefficient,
      monomial: divMonomials(term.monomial, monomial)!,
    })),
  )
}

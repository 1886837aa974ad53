// Sums and products: the ring that everything else is built on. Every Dim is made by `fromSorted`, which also keeps
// it from growing beyond the limits.

import { digest } from './digest.ts'
import { type Dim, type DimLike, MAX_DEGREE, MAX_TERMS, MAX_WEIGHT, type Monomial, type Term } from './dim.ts'
import { DimError } from './errors.ts'
import { addBound, type Bound, FAR, type Interval, mulBound, widened } from './interval.ts'
import { compareMonomials, monomialInterval, monomialOf, mulMonomials, ONE } from './monomial.ts'

/** Products of more terms than this are made of closed factors. */
const MAX_PRODUCT = 1000

const termKey = ({ coefficient, monomial }: Term): string => {
  if (monomial.degree === 0) return String(coefficient)
  return coefficient === 1n ? monomial.key : `${coefficient}*${monomial.key}`
}

/** The key is made when it is first asked for: most sums are parts of a calculation that nobody compares. */
class Sum implements Dim {
  readonly terms: readonly Term[]
  readonly weight: number
  #key: string | undefined

  constructor(terms: readonly Term[]) {
    let weight = 0
    for (const { monomial } of terms) weight += monomial.weight + 1
    this.terms = terms
    this.weight = weight
  }

  get key(): string {
    this.#key ??= this.terms.length === 0 ? '0' : this.terms.map(termKey).join('+')
    return this.#key
  }
}

const bare = (terms: readonly Term[]): Dim => new Sum(terms)

/** A Dim of terms that are sorted, of different monomials, and not 0. */
export function fromSorted(terms: readonly Term[]): Dim {
  const dim = bare(terms)
  const degree = terms[0]?.monomial.degree ?? 0
  if (degree === 0) return dim
  const isLarge = terms.length > MAX_TERMS || dim.weight > MAX_WEIGHT || degree > MAX_DEGREE
  return isLarge || terms.some(({ coefficient }) => coefficient > FAR || coefficient < -FAR) ? closed(dim) : dim
}

/** The symbol that stands for an expression which is too large to stay open. */
function closed(definition: Dim): Dim {
  const name = `big_${digest(definition.key)}`
  const atom = { kind: 'symbol', name, definition, key: name, ...termsInterval(definition), weight: 1 } as const
  return bare([{ coefficient: 1n, monomial: monomialOf(atom) }])
}

/** The interval of a sum whose terms are taken as independent. */
export const termsInterval = ({ terms }: Dim): Interval => {
  let least: Bound = 0n
  let most: Bound = 0n
  for (const { coefficient, monomial } of terms) {
    if (monomial.degree === 0) {
      least = addBound(least, coefficient)
      most = addBound(most, coefficient)
      continue
    }
    const { min, max } = monomialInterval(monomial)
    least = addBound(least, mulBound(coefficient > 0n ? min : max, coefficient))
    most = addBound(most, mulBound(coefficient > 0n ? max : min, coefficient))
  }
  return widened({ min: least, max: most })
}

/** The Dim of terms in any order, like terms added. */
export function fromTerms(terms: Iterable<Term>): Dim {
  const sums = new Map<string, Term>()
  for (const term of terms) {
    const { coefficient, monomial } = term
    const same = sums.get(monomial.key)
    sums.set(monomial.key, same === undefined ? term : { coefficient: same.coefficient + coefficient, monomial })
  }
  const kept = [...sums.values()].filter(({ coefficient }) => coefficient !== 0n)
  return fromSorted(kept.sort((a, b) => compareMonomials(a.monomial, b.monomial)))
}

export function constant(value: number | bigint): Dim {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new DimError(
      'DIM_VALUE',
      `${value} is not an integer between -(2^53 - 1) and 2^53 - 1; give larger ones as bigint.`,
    )
  }
  const coefficient = BigInt(value)
  return coefficient === 0n ? ZERO : bare([{ coefficient, monomial: ONE }])
}

const ZERO: Dim = bare([])

export const toDim = (value: DimLike): Dim => (typeof value === 'object' ? value : constant(value))

/** The number that a Dim is, or undefined when it holds symbols. */
export function constantOf({ terms }: Dim): bigint | undefined {
  if (terms.length === 0) return 0n
  return terms.length === 1 && terms[0]!.monomial.degree === 0 ? terms[0]!.coefficient : undefined
}

/** The number without symbols in a sum. */
export const constantTerm = ({ terms }: Dim): bigint => {
  const last = terms.at(-1)
  return last?.monomial.degree === 0 ? last.coefficient : 0n
}

export function add(a: DimLike, b: DimLike): Dim {
  const p = toDim(a).terms
  const q = toDim(b).terms
  if (p.length === 0) return toDim(b)
  if (q.length === 0) return toDim(a)
  const terms: Term[] = []
  let i = 0
  let j = 0
  while (i < p.length && j < q.length) {
    const s = p[i]!
    const t = q[j]!
    const order = compareMonomials(s.monomial, t.monomial)
    if (order <= 0) i++
    if (order >= 0) j++
    if (order < 0) terms.push(s)
    else if (order > 0) terms.push(t)
    else if (s.coefficient !== -t.coefficient) {
      terms.push({ coefficient: s.coefficient + t.coefficient, monomial: s.monomial })
    }
  }
  while (i < p.length) terms.push(p[i++]!)
  while (j < q.length) terms.push(q[j++]!)
  return fromSorted(terms)
}

const scaled = ({ terms }: Dim, by: bigint): Dim =>
  by === 0n ? ZERO : fromSorted(terms.map(({ coefficient, monomial }) => ({ coefficient: coefficient * by, monomial })))

export const neg = (a: DimLike): Dim => scaled(toDim(a), -1n)

export const sub = (a: DimLike, b: DimLike): Dim => add(a, neg(b))

export const mulTerm = (a: Dim, by: bigint, monomial: Monomial): Dim =>
  monomial.degree === 0
    ? scaled(a, by)
    : fromSorted(
        // Multiplication keeps the order.
        a.terms.map((term) => ({
          coefficient: term.coefficient * by,
          monomial: mulMonomials(term.monomial, monomial),
        })),
      )

export function mul(a: DimLike, b: DimLike): Dim {
  let p = toDim(a)
  let q = toDim(b)
  if (p.terms.length < q.terms.length) [p, q] = [q, p]
  if (q.terms.length === 0) return ZERO
  if (q.terms.length === 1) return mulTerm(p, q.terms[0]!.coefficient, q.terms[0]!.monomial)
  if (p.terms.length * q.terms.length > MAX_PRODUCT) return mul(closed(p), closed(q))
  return fromTerms(
    q.terms.flatMap(({ coefficient, monomial }) =>
      p.terms.map((term) => ({
        coefficient: term.coefficient * coefficient,
        monomial: mulMonomials(term.monomial, monomial),
      })),
    ),
  )
}

export const sum = (dims: Iterable<DimLike>): Dim => fromTerms([...dims].flatMap((dim) => toDim(dim).terms))

export function product(dims: Iterable<DimLike>): Dim {
  let result = constant(1)
  for (const dim of dims) result = mul(result, dim)
  return result
}

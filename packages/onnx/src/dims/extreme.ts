// max and min in canonical form: flat, without members that another one makes superfluous, and with what the members
// have in common outside.
import { extremeAtom } from './atoms.ts'
import { isAtLeast } from './bounds.ts'
import type { Atom, Dim, DimLike, Monomial, Term } from './dim.ts'
import { DimError } from './errors.ts'
import { gcd } from './integer.ts'
import { commonMonomial, divMonomials, monomialInterval, monomialOf, ONE } from './monomial.ts'
import { add, fromSorted, fromTerms, mulTerm, neg, sub, toDim } from './polynomial.ts'
import { type Content, contentOf, withoutContent } from './quotient.ts'

type Kind = 'max' | 'min'

/** Members beyond which extremes are not flattened, nor compared two by two. */
const MAX_MEMBERS = 24

export const max = (...dims: readonly DimLike[]): Dim => extreme('max', dims)
export const min = (...dims: readonly DimLike[]): Dim => extreme('min', dims)
export const abs = (dim: DimLike): Dim => max(dim, neg(dim))

function extreme(kind: Kind, dims: readonly DimLike[]): Dim {
  if (dims.length === 0) throw new DimError('DIM_VALUE', `${kind} takes at least one dimension; got none.`)
  const distinct = new Map<string, Dim>()
  const origins = new Map<Dim, Dim>()
  for (const dim of dims) {
    for (const { member, origin } of flattened(kind, toDim(dim))) {
      distinct.set(member.key, member)
      origins.set(member, origin)
    }
  }
  for (const member of distinct.values()) for (const key of keysWithin(kind, member)) distinct.delete(key)
  const members = needed(kind, [...distinct.values()], (a, b) => origins.get(a) !== origins.get(b))
  if (members.length === 1) return members[0]!
  const shift = commonPart(members)
  const shifted = members.map((member) => sub(member, shift))
  const content = commonContent(shifted)
  const bare = shifted.map((member) => (member.terms.length === 0 ? member : withoutContent(member, content)))
  // Without a product that they share, bounds may tell more of them apart, and more may be taken out.
  const result = content.monomial.degree > 0 ? extreme(kind, bare) : extremeAtom(kind, bare)
  return add(shift, mulTerm(result, content.coefficient, content.monomial))
}

/** A member, and the Dim whose members need not be compared with each other. */
interface Flat {
  readonly member: Dim
  readonly origin: Dim
}

/** The extreme that a term is, as members of this kind: c*max(p, q) with c > 0, or c*min(p, q) with c < 0. */
function extremeIn(kind: Kind, { coefficient, monomial }: Term): { members: Dim[]; factor: Monomial } | undefined {
  const inner = monomial.factors.find(({ atom }) => atom.kind === 'max' || atom.kind === 'min')
  if (inner === undefined || inner.power !== 1) return undefined
  const atom = inner.atom as Atom & { kind: Kind }
  if ((atom.kind === kind) !== coefficient > 0n) return undefined
  const factor = divMonomials(monomial, monomialOf(atom))!
  if (monomialInterval(factor).min < 0) return undefined
  return { members: atom.members.map((member) => mulTerm(member, coefficient, factor)), factor }
}

/** Whether a max or min is among the factors. */
export const holdsExtreme = ({ monomial }: Term): boolean =>
  monomial.factors.some(({ atom }) => atom.kind === 'max' || atom.kind === 'min')

/**
 * A member that is an extreme, and something added to it, as several members. They were compared when that extreme was
 * made; not so with a product that it was multiplied by later, which may tell more: N*floor(M/N) is at most M.
 */
function flattened(kind: Kind, dim: Dim): Flat[] {
  const extremes = dim.terms.filter(holdsExtreme)
  const inner = extremes.length === 1 ? extremeIn(kind, extremes[0]!) : undefined
  if (inner === undefined || inner.members.length > MAX_MEMBERS) return [{ member: dim, origin: dim }]
  const rest = fromSorted(dim.terms.filter((term) => term !== extremes[0]))
  return inner.members.flatMap((member) => {
    const flat = flattened(kind, add(member, rest))
    return inner.factor.degree > 0 ? flat : flat.map(({ member }) => ({ member, origin: dim }))
  })
}

/** The atom that a Dim is, if it is one. */
function atomOf({ terms: [first, ...others] }: Dim): Atom | undefined {
  if (first?.coefficient !== 1n || others.length > 0) return undefined
  const [factor, ...more] = first.monomial.factors
  return factor?.power === 1 && more.length === 0 ? factor.atom : undefined
}

/** The keys of what is in a member already: members of members that stay as they are, for they have grown too large. */
function keysWithin(kind: Kind, dim: Dim): Set<string> {
  const keys = new Set<string>()
  const open = [dim]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const atom = atomOf(next)
    const parts = atom === undefined ? [] : isClosed(atom) ? [atom.definition] : atom.kind === kind ? atom.members : []
    for (const part of parts) {
      if (keys.has(part.key)) continue
      keys.add(part.key)
      open.push(part)
    }
  }
  return keys
}

const isClosed = (atom: Atom): atom is Atom & { readonly kind: 'symbol'; readonly definition: Dim } =>
  atom.kind === 'symbol' && atom.definition !== undefined

/** The members that no other one makes superfluous, of those that may. */
function needed(kind: Kind, members: readonly Dim[], mayCover: (a: Dim, b: Dim) => boolean = () => true): Dim[] {
  if (members.length > MAX_MEMBERS) return [...members]
  const kept = [...members].sort((a, b) => (a.key < b.key ? -1 : 1))
  for (let i = kept.length - 1; i >= 0; i--) {
    const own = kept[i]!
    const covers = (other: Dim): boolean => isAtLeast(kind === 'max' ? sub(other, own) : sub(own, other), 0n)
    if (kept.some((other, j) => j !== i && mayCover(other, own) && covers(other))) kept.splice(i, 1)
  }
  return kept
}

/**
 * For each product the least coefficient among the members: what can be taken out of all of them. Extremes stay, as
 * what is flattened or not would change with them.
 */
function commonPart(members: readonly Dim[]): Dim {
  const coefficients = new Map<string, Term & { readonly count: number }>()
  for (const { terms } of members) {
    for (const term of terms) {
      if (holdsExtreme(term)) continue
      const before = coefficients.get(term.monomial.key)
      const least = before === undefined || term.coefficient < before.coefficient ? term : before
      coefficients.set(term.monomial.key, { ...least, count: (before?.count ?? 0) + 1 })
    }
  }
  // A member without the product has it 0 times.
  const terms = [...coefficients.values()].map(({ coefficient, monomial, count }) => ({
    coefficient: count < members.length && coefficient > 0n ? 0n : coefficient,
    monomial,
  }))
  return fromTerms(terms)
}

/** The number, and the product that is not negative, that divide every member. */
function commonContent(members: readonly Dim[]): Content {
  const contents = members.filter(({ terms }) => terms.length > 0).map(contentOf)
  const common = contents.reduce((a, b) => ({
    coefficient: gcd(a.coefficient, b.coefficient),
    monomial: commonMonomial(a.monomial, b.monomial),
  }))
  return monomialInterval(common.monomial).min >= 0 ? common : { ...common, monomial: ONE }
}

/** One bound from below and one from above: min(max(dim, low), high). */
export const clamp = (dim: DimLike, low: DimLike, high: DimLike): Dim => min(max(dim, low), high)

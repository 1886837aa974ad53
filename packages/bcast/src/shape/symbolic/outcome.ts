// Reads a solution back in the words of the shapes: the conditions it leaves on names and places, and the
// result's dimensions, each as tight as the solution makes it.
import { type Dim, formatDim } from '../dim.ts'
import type { Alignment, Relation } from '../rule.ts'
import { type Condition, type Fact, refText, type SizeRef } from './condition.ts'
import {
  ALL,
  contains,
  type Domain,
  dimAround,
  domainOf,
  firstSizes,
  intersect,
  sameDomain,
  single,
  sizeCount,
  subtract,
  unite,
} from './domain.ts'
import type { Atom, Symbols, Term } from './formula.ts'
import type { Solution } from './solve.ts'
import { find, type State } from './state.ts'

/** A symbol by its name, or by where it stands. */
export const reference = ({ declared, terms }: Symbols, symbol: number): SizeRef => {
  const { dim, operand, axis } = declared[symbol]!
  return typeof dim === 'string' ? dim : { operand, axis: axis - terms[operand]!.length }
}

/** The symbols of each class, a named one first where there is one. */
function classesOf(symbols: Symbols, state: State): Map<number, number[]> {
  const classes = new Map<number, number[]>()
  symbols.declared.forEach(({ dim }, symbol) => {
    const root = find(state, symbol)
    const members = classes.get(root)
    if (members === undefined) classes.set(root, [symbol])
    else if (typeof dim === 'string' && typeof symbols.declared[members[0]!]!.dim !== 'string') members.unshift(symbol)
    else members.push(symbol)
  })
  return classes
}

/** The conditions that hold exactly when the solved clauses do. */
export function conditionsOf(symbols: Symbols, solution: Solution): Condition[] {
  const classes = classesOf(symbols, solution)
  const refs = new Map([...classes].map(([root, [first]]) => [root, reference(symbols, first!)]))
  const ref = (root: number): SizeRef => refs.get(root)!
  const conditions: Condition[] = []
  for (const [root, [first, ...others]] of classes) {
    for (const symbol of others) {
      conditions.push({ anyOf: [{ size: reference(symbols, first!), is: reference(symbols, symbol) }] })
    }
    const implied = [first!, ...others].reduce<Domain>(
      (domain, symbol) => intersect(domain, domainOf(symbols.declared[symbol]!.dim)),
      ALL,
    )
    const domain = solution.domains[root]!
    if (sameDomain(implied, domain)) continue
    // Clauses only ever name sizes or exclude them, so one of the two sets is finite.
    const excluded = subtract(implied, domain)
    if (sizeCount(excluded) < sizeCount(domain)) {
      for (const size of firstSizes(excluded, Infinity)) {
        conditions.push({ anyOf: [{ size: ref(root), isnt: size }] })
      }
    } else {
      const sizes = firstSizes(domain, Infinity)
      conditions.push({ anyOf: sizes.map((size) => ({ size: ref(root), is: size })) })
    }
  }
  for (const { atoms } of solution.clauses) {
    // Equalities start with the size that the clause speaks of: N = 1 or N = M.
    const subject = atoms.find((atom) => atom.kind === 'is')?.symbol
    const fact = (atom: Atom): Fact => {
      if (atom.kind === 'isnt') return { size: ref(atom.symbol), isnt: atom.size }
      if (atom.kind === 'is') return { size: ref(atom.symbol), is: atom.size }
      const [first, second] = atom.b === subject ? [atom.b, atom.a] : [atom.a, atom.b]
      return { size: ref(first), is: ref(second) }
    }
    conditions.push({ anyOf: atoms.map(fact) })
  }
  return conditions
}

/** What was already settled about a size when a clause failed, as `N = 4`; undefined when nothing was. */
export function settled(symbols: Symbols, state: State, term: Term): string | undefined {
  if ('size' in term) return undefined
  const domain = state.domains[find(state, term.symbol)]!
  if (sameDomain(domain, domainOf(symbols.declared[term.symbol]!.dim))) return undefined
  const name = refText(reference(symbols, term.symbol))
  return domain.map((range) => `${name} = ${formatDim(dimAround([range]))}`).join(' or ')
}

function dimOf(symbols: Symbols, solution: Solution, term: Term): Dim {
  if ('size' in term) return term.size
  const root = find(solution, term.symbol)
  const domain = solution.domains[root]!
  const known = single(domain)
  if (known !== undefined) return known
  const name = symbols.declared.find(({ dim }, symbol) => typeof dim === 'string' && find(solution, symbol) === root)
  return (name?.dim as string | undefined) ?? dimAround(domain)
}

/** The size that several meeting terms make together: the one that is not 1. */
function commonDim(symbols: Symbols, solution: Solution, terms: readonly Term[]): Dim {
  const candidates = new Map<number, Term>()
  for (const term of terms) {
    if ('size' in term) {
      if (term.size !== 1) return term.size
      continue
    }
    const root = find(solution, term.symbol)
    const domain = solution.domains[root]!
    if (!contains(domain, 1)) return dimOf(symbols, solution, term)
    if (single(domain) !== 1) candidates.set(root, term)
  }
  const [only] = candidates.values()
  if (only === undefined) return 1
  if (candidates.size === 1) return dimOf(symbols, solution, only)
  return dimAround([...candidates.keys()].reduce<Domain>((sum, root) => unite(sum, solution.domains[root]!), []))
}

/** The result's shape whenever the solution holds. */
export function resultShape(
  relation: Relation,
  symbols: Symbols,
  { rank, axes }: Alignment,
  onto: number,
  solution: Solution,
): Dim[] {
  if (relation !== 'common' && relation !== 'max') {
    return symbols.terms[onto]!.map((term) => dimOf(symbols, solution, term))
  }
  const meeting: Term[][] = Array.from({ length: rank }, () => [])
  axes.forEach((places, operand) => {
    places.forEach((place, axis) => {
      if (place >= 0) meeting[place]!.push(symbols.terms[operand]![axis]!)
    })
  })
  return meeting.map((terms) => commonDim(symbols, solution, terms))
}

/** The dimension that covers two: what is known when either may hold. */
export function joinDims(a: Dim, b: Dim): Dim {
  if (typeof a === typeof b && a === b) return a
  return dimAround(unite(domainOf(a), domainOf(b)))
}

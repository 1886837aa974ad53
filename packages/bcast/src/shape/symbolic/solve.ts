// Decides a formula over sizes: impossible, always true, or what is left of it in simplest form.
// Propagation (one symbol's clauses narrow its domain, a lone `same` merges two symbols) keeps equivalence;
// a witness or a search over the rest makes "impossible" complete, and refuting each clause makes "always" complete.
import { contains, type Domain, firstSizes, intersect, isEmpty, point, single, unite, without } from './domain.ts'
import { type Atom, type Clause, type Formula, same } from './formula.ts'
import { decided, pairs } from './group.ts'
import { copy, find, type State } from './state.ts'

export interface Solution extends State {
  readonly clauses: readonly Clause[]
}

export interface Conflict {
  readonly conflict: Clause
  /** What was known when the clause failed. */
  readonly state: State
}

/** true, false, or the atom restated on representatives. */
function evaluate(state: State, atom: Atom): boolean | Atom {
  const { domains } = state
  if (atom.kind === 'same') {
    const p = find(state, atom.a)
    const q = find(state, atom.b)
    if (p === q) return true
    const x = single(domains[p]!)
    const y = single(domains[q]!)
    if (x !== undefined && y !== undefined) return x === y
    if (x !== undefined) return contains(domains[q]!, x) && { kind: 'is', symbol: q, size: x }
    if (y !== undefined) return contains(domains[p]!, y) && { kind: 'is', symbol: p, size: y }
    if (domains[p] !== domains[q] && isEmpty(intersect(domains[p]!, domains[q]!))) return false
    return p === atom.a && q === atom.b ? atom : same(p, q)
  }
  const symbol = find(state, atom.symbol)
  const domain = domains[symbol]!
  const possible = contains(domain, atom.size)
  const certain = possible && single(domain) !== undefined
  if (atom.kind === 'is') return certain || (possible && (symbol === atom.symbol ? atom : { ...atom, symbol }))
  return !possible || (!certain && (symbol === atom.symbol ? atom : { ...atom, symbol }))
}

const sameAtom = (a: Atom, b: Atom): boolean =>
  a.kind === 'same'
    ? b.kind === 'same' && a.a === b.a && a.b === b.b
    : b.kind === a.kind && a.symbol === b.symbol && a.size === b.size

/** The atoms of a clause that are still open, each once; `true` when one of them holds already. */
function openAtoms(state: State, { atoms }: Clause): readonly Atom[] | true {
  const open: Atom[] = []
  let changed = false
  for (const atom of atoms) {
    const fact = evaluate(state, atom)
    if (fact === true) return true
    if (fact === false || open.some((other) => sameAtom(other, fact))) changed = true
    else {
      changed ||= fact !== atom
      open.push(fact)
    }
  }
  return changed ? open : atoms
}

/** The sizes that a clause about this one symbol allows; undefined when it also speaks of others. */
function allowedBy(state: State, atoms: readonly Atom[]): { symbol: number; domain: Domain } | undefined {
  const [first] = atoms
  if (first === undefined || first.kind === 'same') return undefined
  const { symbol } = first
  const domain = state.domains[symbol]!
  let allowed: Domain = []
  for (const atom of atoms) {
    if (atom.kind === 'same' || atom.symbol !== symbol) return undefined
    const part = atom.kind === 'is' ? intersect(domain, point(atom.size)) : without(domain, atom.size)
    allowed = unite(allowed, part)
  }
  return { symbol, domain: allowed }
}

/** Applies what the formula forces; returns what is left of it, or the clause that cannot hold. */
function propagate(state: State, formula: Formula): Formula | Conflict {
  let { clauses, groups } = formula
  for (let changed = true; changed; ) {
    changed = false
    const left: Clause[] = []
    for (const clause of clauses) {
      const atoms = openAtoms(state, clause)
      if (atoms === true) continue
      const [first] = atoms
      if (first === undefined) return { conflict: clause, state }
      const allowed = allowedBy(state, atoms)
      if (allowed !== undefined) {
        state.domains[allowed.symbol] = allowed.domain
        changed = true
      } else if (first.kind === 'same' && atoms.length === 1) {
        // evaluate() has seen that the two domains meet.
        state.parent[first.b] = first.a
        state.domains[first.a] = intersect(state.domains[first.a]!, state.domains[first.b]!)
        changed = true
      } else left.push(atoms === clause.atoms ? clause : { ...clause, atoms })
    }
    groups = groups.filter((group) => {
      const more = decided(state, group)
      if (more === undefined) return true
      left.push(...more)
      changed = true
      return false
    })
    clauses = left
  }
  return { clauses, groups }
}

/**
 * Whether all clauses hold when every size that can be 1 is 1, and the others are not 0 unless they must be. Ones
 * stretch, so this is true of almost every formula that can hold at all, and saves the search. Undecided groups
 * hold with these sizes: all members that must agree can be 1, and none that must be 0 stands beside a 1.
 */
function holdsWithOnes({ domains }: State, clauses: readonly Clause[]): boolean {
  const sizes = new Map<number, number>()
  const sizeOf = (symbol: number): number => {
    const known = sizes.get(symbol)
    if (known !== undefined) return known
    const domain = domains[symbol]!
    const size = contains(domain, 1) ? 1 : (firstSizes(without(domain, 0), 1)[0] ?? 0)
    sizes.set(symbol, size)
    return size
  }
  return clauses.every(({ atoms }) =>
    atoms.some((atom) => {
      if (atom.kind === 'same') return sizeOf(atom.a) === sizeOf(atom.b)
      return (sizeOf(atom.symbol) === atom.size) === (atom.kind === 'is')
    }),
  )
}

/** Whether some sizes satisfy all clauses: choose an atom of the first clause, propagate, go on. */
function satisfiable(state: State, { clauses, groups }: Formula): boolean {
  if (holdsWithOnes(state, clauses)) return true
  const [first, ...rest] = clauses
  return first!.atoms.some((atom) => {
    const attempt = copy(state)
    const left = propagate(attempt, { clauses: [{ ...first!, atoms: [atom] }, ...rest], groups })
    return !('conflict' in left) && satisfiable(attempt, left)
  })
}

/** Whether some sizes make every atom of the clause false. */
function refutable(state: State, { atoms }: Clause): boolean {
  // Sizes without a bound can be whatever nobody names.
  const unbounded = (symbol: number): boolean => state.domains[symbol]!.at(-1)!.max === Infinity
  const free = (atom: Atom): boolean =>
    atom.kind === 'same' ? unbounded(atom.a) && unbounded(atom.b) : atom.kind === 'is' && unbounded(atom.symbol)
  if (atoms.every(free)) return true
  const domains = new Map<number, Domain>()
  const domainOf = (symbol: number): Domain => domains.get(symbol) ?? state.domains[symbol]!
  const apart: (readonly [number, number])[] = []
  for (const atom of atoms) {
    if (atom.kind === 'same') {
      apart.push([atom.a, atom.b])
      for (const symbol of [atom.a, atom.b]) domains.set(symbol, domainOf(symbol))
    } else {
      const domain = domainOf(atom.symbol)
      domains.set(atom.symbol, atom.kind === 'is' ? without(domain, atom.size) : intersect(domain, point(atom.size)))
    }
  }
  const symbols = [...domains.keys()]
  const sizes = new Map<number, number>()
  const assign = (i: number): boolean => {
    const symbol = symbols[i]
    if (symbol === undefined) return true
    // With n symbols, n candidate sizes each are enough to keep them apart.
    return firstSizes(domains.get(symbol)!, symbols.length).some((size) => {
      const clash = apart.some(
        ([a, b]) => (a === symbol && sizes.get(b) === size) || (b === symbol && sizes.get(a) === size),
      )
      if (clash) return false
      sizes.set(symbol, size)
      const done = assign(i + 1)
      sizes.delete(symbol)
      return done
    })
  }
  return assign(0)
}

const atomKey = (atom: Atom): string =>
  atom.kind === 'same' ? `${atom.a}~${atom.b}` : `${atom.symbol}${atom.kind === 'is' ? '=' : '!'}${atom.size}`
const keysOf = ({ atoms }: Clause): string[] => atoms.map(atomKey).sort()

/** Every choice of some of the keys, the whole left out. */
const properParts = (keys: readonly string[]): string[] =>
  Array.from({ length: 2 ** keys.length - 1 }, (_, bits) => keys.filter((_, i) => (bits >> i) & 1).join(' '))

/** Clauses without those that repeat another or that a shorter one implies; `paired` hold no repetitions. */
function withoutImplied(clauses: readonly Clause[], paired: readonly Clause[]): Clause[] {
  const lines = new Map(clauses.map((clause) => [keysOf(clause).join(' '), clause]))
  const implied = (clause: Clause): boolean => properParts(keysOf(clause)).some((part) => lines.has(part))
  const distinct = [...lines.values()].filter((clause) => !implied(clause))
  return lines.size === 0 ? [...paired] : [...distinct, ...paired.filter((clause) => !implied(clause))]
}

/** Whether some sizes satisfy a formula, for whoever need not know what is left of it. */
export function canHold(domains: readonly Domain[], formula: Formula): boolean {
  const state: State = { parent: domains.map((_, i) => i), domains: [...domains] }
  const left = propagate(state, formula)
  return !('conflict' in left) && satisfiable(state, left)
}

export function solve(domains: readonly Domain[], formula: Formula): Solution | Conflict {
  const state: State = { parent: domains.map((_, i) => i), domains: [...domains] }
  const left = propagate(state, formula)
  if ('conflict' in left) return left
  if (!satisfiable(state, left)) return { conflict: left.clauses[0]!, state }
  const open = left.clauses.filter((clause) => refutable(state, clause))
  return { ...state, clauses: withoutImplied(open, pairs(state, left.groups)) }
}

// Groups of symbols in the solver: clauses against the first member that decides, or two by two when none does.
import { contains, type Domain, isEmpty, single, without } from './domain.ts'
import { type Atom, type Clause, type Group, same } from './formula.ts'
import { find, type State } from './state.ts'

/** The clauses that a group comes down to once a member decides it; undefined before. */
export function decided(state: State, { kind, symbols, operands, resultAxis }: Group): Clause[] | undefined {
  const members = symbols.map((symbol) => find(state, symbol))
  const domainOf = (symbol: number): Domain => state.domains[symbol]!
  const deciding = members.findIndex((symbol) => {
    if (kind === 'agree') return !contains(domainOf(symbol), 1)
    const known = single(domainOf(symbol))
    return known === 0 || known === 1
  })
  if (deciding < 0) return undefined
  const kept = members[deciding]!
  return members.flatMap((symbol, i): Clause[] => {
    if (symbol === kept) return []
    const [p, q] = [operands[deciding]!, operands[i]!]
    // What is not 1 is the size of all that are not 1; beside a 1 there is no 0, nor the other way round.
    const atoms: Atom[] =
      kind === 'agree'
        ? [{ kind: 'is', symbol, size: 1 }, same(kept, symbol)]
        : [{ kind: 'isnt', symbol, size: 1 - single(domainOf(kept))! }]
    return [{ atoms, origin: { kind: 'meeting', resultAxis, operands: p < q ? [p, q] : [q, p] } }]
  })
}

/** The clauses that are left of undecided groups, two by two; only those that some sizes refute. */
export function pairs(state: State, groups: readonly Group[]): Clause[] {
  const clauses: Clause[] = []
  const seen = new Set<number>()
  const notOne = new Map<number, Domain>()
  for (const { kind, symbols, operands, resultAxis } of groups) {
    const members = symbols.map((symbol) => find(state, symbol))
    for (const symbol of members) notOne.set(symbol, without(state.domains[symbol]!, 1))
    const add = (i: number, j: number, atoms: readonly Atom[]): void => {
      clauses.push({ atoms, origin: { kind: 'meeting', resultAxis, operands: [operands[i]!, operands[j]!] } })
    }
    for (let i = 0; i < members.length; i++) {
      for (let j = i + 1; j < members.length; j++) {
        const a = Math.min(members[i]!, members[j]!)
        const b = Math.max(members[i]!, members[j]!)
        const key = (a * state.parent.length + b) * 2 + (kind === 'agree' ? 1 : 0)
        if (a === b || seen.has(key)) continue
        seen.add(key)
        if (kind === 'agree') {
          const [x, y] = [notOne.get(a)!, notOne.get(b)!]
          if (isEmpty(x) || isEmpty(y) || (single(x) !== undefined && single(x) === single(y))) continue
          add(i, j, [
            { kind: 'is', symbol: a, size: 1 },
            { kind: 'is', symbol: b, size: 1 },
            { kind: 'same', a, b },
          ])
          continue
        }
        for (const [zero, one] of [
          [a, b],
          [b, a],
        ] as const) {
          if (!contains(state.domains[zero]!, 0) || !contains(state.domains[one]!, 1)) continue
          add(i, j, [
            { kind: 'isnt', symbol: zero, size: 0 },
            { kind: 'isnt', symbol: one, size: 1 },
          ])
        }
      }
    }
  }
  return clauses
}

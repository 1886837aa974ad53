// A rule over symbols is a conjunction of clauses, each a choice between simple facts about sizes, and of groups of
// symbols that must agree. This file makes them for every relation; solve.ts decides them. Facts between two known
// sizes are folded here.
import type { Dim } from '../dim.ts'
import { type Alignment, MUST_BE_ONE, NOWHERE, type Place, type Relation } from '../rule.ts'

/** A known size, or the number of a symbol. */
export type Term = { readonly size: number } | { readonly symbol: number }

export type Atom =
  | { readonly kind: 'is'; readonly symbol: number; readonly size: number }
  | { readonly kind: 'isnt'; readonly symbol: number; readonly size: number }
  | { readonly kind: 'same'; readonly a: number; readonly b: number }

/** Two symbols are one size. */
export const same = (p: number, q: number): Atom => ({ kind: 'same', a: Math.min(p, q), b: Math.max(p, q) })

/** The sizes that made a clause: two that meet on an axis of the result, or an operand's own. */
export type Origin =
  | { readonly kind: 'meeting'; readonly resultAxis: number; readonly operands: readonly [number, number] }
  | ({ readonly kind: 'outside' | 'one' } & Place)

/** At least one atom holds. */
export interface Clause {
  readonly atoms: readonly Atom[]
  readonly origin: Origin
}

/**
 * What sizes on one axis owe each other. agree: all that are not 1 are equal; apart: none is 0 while another is 1.
 * As clauses, two by two, this is the square of it, so it stays one thing for as long as no member decides it.
 */
export interface Group {
  readonly kind: 'agree' | 'apart'
  readonly symbols: readonly number[]
  /** An operand for each symbol, and the axis where they meet. */
  readonly operands: readonly number[]
  readonly resultAxis: number
}

export interface Formula {
  readonly clauses: readonly Clause[]
  readonly groups: readonly Group[]
}

/** The symbols of a problem: names shared, everything else its own. */
export interface Symbols {
  readonly terms: readonly (readonly Term[])[]
  /** What each symbol was declared as, and where it first stands. */
  readonly declared: readonly ({ readonly dim: Dim } & Place)[]
}

export function collectSymbols(shapes: readonly (readonly Dim[])[]): Symbols {
  const declared: ({ dim: Dim } & Place)[] = []
  const names = new Map<string, number>()
  const terms = shapes.map((shape, operand) =>
    shape.map((dim, axis): Term => {
      if (typeof dim === 'number') return { size: dim }
      const known = typeof dim === 'string' ? names.get(dim) : undefined
      if (known !== undefined) return { symbol: known }
      if (typeof dim === 'string') names.set(dim, declared.length)
      declared.push({ dim, operand, axis })
      return { symbol: declared.length - 1 }
    }),
  )
  return { terms, declared }
}

type Fact = Atom | boolean

/** Whether two sizes are one; an atom where that is open. */
export function equal(a: Term, b: Term): Fact {
  if ('size' in a) return 'size' in b ? a.size === b.size : { kind: 'is', symbol: b.symbol, size: a.size }
  if ('size' in b) return { kind: 'is', symbol: a.symbol, size: b.size }
  return a.symbol === b.symbol || same(a.symbol, b.symbol)
}

/** Whether a size is another than this. */
export const differs = (a: Term, size: number): Fact =>
  'size' in a ? a.size !== size : { kind: 'isnt', symbol: a.symbol, size }

const ONE: Term = { size: 1 }

/** What one operand must satisfy to go onto A from these places, each line a choice; `axis` is where it arises. */
function ownChoices(
  relation: Relation,
  own: readonly Term[],
  places: readonly number[],
  target: readonly Term[],
): { readonly facts: readonly Fact[]; readonly axis: number }[] {
  const isOne = own.map((term, axis): Fact => places[axis] !== NOWHERE && equal(term, ONE))
  const isKept = own.map((term, axis): Fact => places[axis]! >= 0 && equal(term, target[places[axis]!]!))
  const axes = own.map((_, axis) => axis)
  switch (relation) {
    case 'equal':
      return axes.map((axis) => ({ facts: [isKept[axis]!], axis }))
    case 'run':
      // All kept or all ones: no axis may miss the one while another misses the other.
      return axes.flatMap((axis) => isOne.map((one) => ({ facts: [isKept[axis]!, one], axis })))
    case 'prefix':
      // An axis that is not kept has only ones from there on.
      return axes.flatMap((axis) => isOne.slice(axis).map((one) => ({ facts: [isKept[axis]!, one], axis })))
    default:
      return axes.map((axis) => ({ facts: [isOne[axis]!, isKept[axis]!], axis }))
  }
}

/** The formula that holds exactly when the relation does. */
export function formulaOf(relation: Relation, { terms }: Symbols, alignment: Alignment, onto: number): Formula {
  const clauses: Clause[] = []
  const groups: Group[] = []
  const add = (facts: readonly Fact[], origin: Origin): void => {
    if (facts.includes(true)) return
    clauses.push({ atoms: facts.filter((fact): fact is Atom => typeof fact === 'object'), origin })
  }
  for (const place of alignment.ones ?? []) {
    add([equal(terms[place.operand]![place.axis]!, ONE)], { kind: 'one', ...place })
  }
  if (relation === 'common' || relation === 'max') {
    for (let axis = alignment.rank - 1; axis >= 0; axis--) {
      groups.push(...meet(termsAt(terms, alignment, axis), axis, relation === 'max', add))
    }
    return { clauses, groups }
  }
  const target = terms[onto]!
  terms.forEach((own, operand) => {
    if (operand === onto) return
    const places = alignment.axes[operand]!
    const or = alignment.or?.find((other) => other.operand === operand)
    // "All of these, or all of those" as a conjunction: each of these together with each of those.
    const others = or === undefined ? [[]] : or.axes.map((place, axis) => [equal(own[axis]!, target[place]!)])
    for (const { facts, axis } of ownChoices(relation, own, places, target)) {
      const place = places[axis]!
      const origin: Origin =
        place === MUST_BE_ONE
          ? { kind: 'outside', operand, axis }
          : { kind: 'meeting', resultAxis: place < 0 ? axis : place, operands: [onto, operand] }
      for (const other of others) add([...facts, ...other], origin)
    }
  })
  // From the right, what lies beyond the result first, as the concrete interpreter reports.
  const position = ({ origin }: Clause) =>
    origin.kind === 'meeting' ? origin.resultAxis : origin.kind === 'outside' ? alignment.rank : -1
  return { clauses: clauses.sort((a, b) => position(b) - position(a)), groups }
}

type Meeting = readonly [operand: number, term: Term]

/** The sizes that meet on an axis, each once, so that many equal operands make few clauses; a padded one is 1. */
function termsAt(terms: readonly (readonly Term[])[], { axes }: Alignment, axis: number): Meeting[] {
  const met = new Map<number, Meeting>()
  axes.forEach((places, operand) => {
    const own = places.indexOf(axis)
    const term = own < 0 ? ONE : terms[operand]![own]!
    // Sizes count up from 0 and symbols down from -1.
    const key = 'size' in term ? term.size : -1 - term.symbol
    if (!met.has(key)) met.set(key, [operand, term])
  })
  return [...met.values()]
}

/** The formula of one axis: clauses against the sizes that are known, groups of those that are not. */
function meet(
  present: readonly Meeting[],
  resultAxis: number,
  literal: boolean,
  add: (facts: readonly Fact[], origin: Origin) => void,
): Group[] {
  const known = present.filter(([, term]) => 'size' in term)
  const anchor = known.find(([, term]) => equal(term, ONE) === false)
  for (const [p, a] of known) {
    for (const [q, b] of present) {
      const origin: Origin = { kind: 'meeting', resultAxis, operands: p < q ? [p, q] : [q, p] }
      if (a === anchor?.[1]) add([equal(b, ONE), equal(a, b)], origin)
      if (literal) add([differs(a, 0), differs(b, 1)], origin)
      if (literal) add([differs(b, 0), differs(a, 1)], origin)
    }
  }
  const open = present.filter(([, term]) => 'symbol' in term)
  // A known size that is not 1 has said it all.
  if (anchor !== undefined || open.length < 2) return []
  const symbols = open.map(([, term]) => (term as { symbol: number }).symbol)
  const operands = open.map(([operand]) => operand)
  const kinds = literal ? (['agree', 'apart'] as const) : (['agree'] as const)
  return kinds.map((kind) => ({ kind, symbols, operands, resultAxis }))
}

// Symbols replaced by other Dims, and the result brought into canonical form again; and the symbols there are. A symbol
// replaced by itself with tighter bounds is how what is learned about it takes effect.
import { ofAtom } from './atoms.ts'
import type { Atom, Dim, DimLike } from './dim.ts'
import { floorDiv } from './divide.ts'
import { max, min } from './extreme.ts'
import { add, constant, mul, toDim } from './polynomial.ts'
import { atomsOf, partsOf } from './walk.ts'

/** The symbols of a Dim by name, each with its bounds. */
export function symbolsIn(dim: DimLike): Map<string, Dim> {
  const found = new Map<string, Dim>()
  for (const atom of atomsOf(toDim(dim))) {
    if (atom.kind === 'symbol' && atom.definition === undefined) found.set(atom.name, ofAtom(atom))
  }
  return found
}

/**
 * The symbols of a Dim as atoms by name; undefined where a part of it is closed, for that may stand for as much as all
 * nodes before made.
 */
export function openSymbolsIn(dim: Dim): Map<string, Atom> | undefined {
  const found = new Map<string, Atom>()
  for (const atom of atomsOf(dim, isOpen)) {
    if (!isOpen(atom)) return undefined
    if (atom.kind === 'symbol') found.set(atom.name, atom)
  }
  return found
}

const isOpen = (atom: Atom): boolean => atom.kind !== 'symbol' || atom.definition === undefined

/** The names of the symbols of a Dim, sorted. */
export const symbolsOf = (dim: DimLike): string[] => [...symbolsIn(dim).keys()].sort()

/** The names of the symbols that pass a test; `closed` keeps what closed parts come to, which many expressions share. */
export function symbolsThat(
  dim: DimLike,
  test: (name: string) => boolean,
  closed: Map<string, ReadonlySet<string>>,
): Set<string> {
  const found = new Set<string>()
  for (const atom of atomsOf(toDim(dim), isOpen)) {
    if (atom.kind !== 'symbol') continue
    if (atom.definition === undefined) {
      if (test(atom.name)) found.add(atom.name)
      continue
    }
    const inner = closed.get(atom.key) ?? symbolsThat(atom.definition, test, closed)
    closed.set(atom.key, inner)
    for (const name of inner) found.add(name)
  }
  return found
}

/** The name of a Dim that is nothing but a symbol. */
export function symbolName({ terms }: Dim): string | undefined {
  const [term] = terms
  if (terms.length !== 1 || term!.coefficient !== 1n || term!.monomial.degree !== 1) return undefined
  const { atom } = term!.monomial.factors[0]!
  return atom.kind === 'symbol' && atom.definition === undefined ? atom.name : undefined
}

export type Replacements = ReadonlyMap<string, DimLike>

/** What each atom becomes; those that stay are missing. */
type Replaced = ReadonlyMap<string, Dim>

const isTouched = ({ terms }: Dim, replaced: Replaced): boolean =>
  terms.some(({ monomial }) => monomial.factors.some(({ atom }) => replaced.has(atom.key)))

function rebuilt(dim: Dim, replaced: Replaced): Dim {
  if (!isTouched(dim, replaced)) return dim
  let sum = constant(0)
  for (const { coefficient, monomial } of dim.terms) {
    let product = constant(coefficient)
    for (const { atom, power } of monomial.factors) {
      const value = replaced.get(atom.key) ?? ofAtom(atom)
      for (let i = 0; i < power; i++) product = mul(product, value)
    }
    sum = add(sum, product)
  }
  return sum
}

function replacementOf(atom: Atom, replaced: Replaced, given: Replacements): Dim | undefined {
  const by = atom.kind === 'symbol' ? given.get(atom.name) : undefined
  if (by !== undefined) return toDim(by)
  const parts = partsOf(atom)
  if (!parts.some((part) => isTouched(part, replaced))) return undefined
  const [first, ...others] = parts.map((part) => rebuilt(part, replaced))
  if (atom.kind === 'floor') return floorDiv(first!, others[0]!)
  return atom.kind === 'symbol' ? first! : (atom.kind === 'max' ? max : min)(first!, ...others)
}

/** What atoms became under the same replacements; undefined for those that stay. */
export type Known = Map<string, Dim | undefined>

/**
 * The Dim with symbols replaced, all at once: what a replacement holds is not replaced again. Atoms are looked up in
 * `known` and kept there, for whoever replaces the same symbols in many Dims.
 */
export function substitute(dim: DimLike, replacements: Replacements, known: Known = new Map()): Dim {
  const whole = toDim(dim)
  const replaced = new Map<string, Dim>()
  for (const atom of atomsOf(whole, ({ key }) => !known.has(key))) {
    const by = known.has(atom.key) ? known.get(atom.key) : replacementOf(atom, replaced, replacements)
    if (by !== undefined) replaced.set(atom.key, by)
    known.set(atom.key, by)
  }
  return rebuilt(whole, replaced)
}

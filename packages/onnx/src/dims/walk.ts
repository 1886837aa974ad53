// The atoms that a Dim is made of, without recursion: expressions that stand for closed ones can nest without limit.
import type { Atom, Dim } from './dim.ts'

/** The Dims that an atom is directly made of. */
export function partsOf(atom: Atom): readonly Dim[] {
  if (atom.kind === 'floor') return [atom.numerator, atom.divisor]
  if (atom.kind !== 'symbol') return atom.members
  return atom.definition === undefined ? [] : [atom.definition]
}

/** Every atom once, those that an atom is made of before it; those of an atom that is not entered are left out. */
export function atomsOf(dim: Dim, isEntered: (atom: Atom) => boolean = () => true): Atom[] {
  const seen = new Set<string>()
  const order: Atom[] = []
  const open: { readonly atom: Atom; readonly entered: boolean }[] = []
  const enter = ({ terms }: Dim): void => {
    for (const { monomial } of terms) for (const { atom } of monomial.factors) open.push({ atom, entered: false })
  }
  enter(dim)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { atom, entered } = next
    if (entered) order.push(atom)
    else if (!seen.has(atom.key)) {
      seen.add(atom.key)
      open.push({ atom, entered: true })
      if (isEntered(atom)) for (const part of partsOf(atom)) enter(part)
    }
  }
  return order
}

// The atoms as Dims: keys, bounds and weights. They are given what is already in canonical form.

import { bounds } from './bounds.ts'
import type { Atom, Dim } from './dim.ts'
import { DimError } from './errors.ts'
import { type Bound, floorQuotients, greatestOf, type Interval, leastOf } from './interval.ts'
import { monomialOf } from './monomial.ts'
import { nameText } from './names.ts'
import { constant, mulTerm } from './polynomial.ts'

export const ofAtom = (atom: Atom): Dim => mulTerm(constant(1), 1n, monomialOf(atom))

/** What a symbol can be: at least 0 unless said, without upper limit unless said; `null` is no limit. */
export interface SymbolBounds {
  readonly min?: number | bigint | null
  readonly max?: number | bigint | null
}

const boundOf = (given: number | bigint | null, none: number): Bound => {
  if (given === null || given === none) return none
  if (typeof given === 'number' && !Number.isSafeInteger(given)) {
    throw new DimError('DIM_VALUE', `${given} is no bound of a symbol; bounds are integers, or null for none.`)
  }
  return BigInt(given)
}

/** A symbol by its name. The same name is the same integer wherever it stands. */
export function symbol(name: string, declared: SymbolBounds = {}): Dim {
  if (name === '') throw new DimError('DIM_VALUE', 'A symbol has a name; got an empty text.')
  const min = boundOf(declared.min === undefined ? 0n : declared.min, Number.NEGATIVE_INFINITY)
  const max = boundOf(declared.max ?? null, Number.POSITIVE_INFINITY)
  if (max < min) throw new DimError('DIM_VALUE', `${name} is to lie between ${min} and ${max}: nothing does.`)
  return min === max
    ? constant(BigInt(min))
    : ofAtom({ kind: 'symbol', name, key: nameText(name), min, max, weight: 1 })
}

const inParentheses = (dim: Dim): string => (/[+*]/.test(dim.key) ? `(${dim.key})` : dim.key)

/** floor(numerator/divisor) as it stands. */
export function floorAtom(numerator: Dim, divisor: Dim): Dim {
  const range = floorQuotients(bounds(numerator), bounds(divisor))
  if (typeof range.min === 'bigint' && range.min === range.max) return constant(range.min)
  return ofAtom({
    kind: 'floor',
    numerator,
    divisor,
    key: `floor(${inParentheses(numerator)}/${inParentheses(divisor)})`,
    ...range,
    weight: numerator.weight + divisor.weight + 1,
  })
}

/** max(members) or min(members) as they stand. */
export function extremeAtom(kind: 'max' | 'min', unsorted: readonly Dim[]): Dim {
  const members = [...unsorted].sort((a, b) => (a.key < b.key ? -1 : 1))
  const choose = kind === 'max' ? greatestOf : leastOf
  const range = members
    .map(bounds)
    .reduce((a, b): Interval => ({ min: choose(a.min, b.min), max: choose(a.max, b.max) }))
  return ofAtom({
    kind,
    members,
    key: `${kind}(${members.map(({ key }) => key).join(',')})`,
    ...range,
    weight: members.reduce((weight, member) => weight + member.weight, 1),
  })
}

// Products of atoms: their order, product, quotient and common part. The order (degree, then the keys of the atoms) is
// kept by multiplication, which the division of polynomials relies on.
import type { Atom, Factor, Monomial } from './dim.ts'
import { type Interval, power, times } from './interval.ts'

const factorKey = ({ atom, power }: Factor): string => (power === 1 ? atom.key : `${atom.key}^${power}`)

function monomial(factors: readonly Factor[]): Monomial {
  let degree = 0
  let weight = 0
  let key = ''
  for (const factor of factors) {
    degree += factor.power
    weight += factor.atom.weight
    key = key === '' ? factorKey(factor) : `${key}*${factorKey(factor)}`
  }
  return { key, factors, degree, weight }
}

export const ONE: Monomial = monomial([])

export const monomialOf = (atom: Atom): Monomial => monomial([{ atom, power: 1 }])

/** Negative when `a` leads, positive when `b` does. */
export function compareMonomials(a: Monomial, b: Monomial): number {
  if (a.key === b.key) return 0
  if (a.degree !== b.degree) return b.degree - a.degree
  for (let i = 0; ; i++) {
    const p = a.factors[i]!
    const q = b.factors[i]!
    if (p.atom.key !== q.atom.key) return p.atom.key < q.atom.key ? -1 : 1
    if (p.power !== q.power) return q.power - p.power
  }
}

/** Both lists of factors joined; `powers` says what becomes of an atom's two powers (0: not there). */
function join(a: Monomial, b: Monomial, powers: (p: number, q: number) => number): Monomial {
  const factors: Factor[] = []
  const keep = (atom: Atom, power: number): void => {
    if (power !== 0) factors.push({ atom, power })
  }
  let i = 0
  let j = 0
  while (i < a.factors.length || j < b.factors.length) {
    const p = a.factors[i]
    const q = b.factors[j]
    if (q === undefined || (p !== undefined && p.atom.key < q.atom.key)) {
      keep(p!.atom, powers(p!.power, 0))
      i++
    } else if (p === undefined || q.atom.key < p.atom.key) {
      keep(q.atom, powers(0, q.power))
      j++
    } else {
      keep(p.atom, powers(p.power, q.power))
      i++
      j++
    }
  }
  return monomial(factors)
}

export function mulMonomials(a: Monomial, b: Monomial): Monomial {
  if (a.degree === 0) return b
  return b.degree === 0 ? a : join(a, b, (p, q) => p + q)
}

/** a/b, or undefined when b does not divide a. */
export function divMonomials(a: Monomial, b: Monomial): Monomial | undefined {
  if (b.degree === 0) return a
  if (b.degree > a.degree) return undefined
  const quotient = join(a, b, (p, q) => p - q)
  return quotient.factors.some(({ power }) => power < 0) ? undefined : quotient
}

export const commonMonomial = (a: Monomial, b: Monomial): Monomial =>
  a.degree === 0 || b.degree === 0 ? ONE : join(a, b, Math.min)

const UNIT: Interval = { min: 1n, max: 1n }

export function monomialInterval({ factors }: Monomial): Interval {
  let interval: Interval = UNIT
  for (const { atom, power: exponent } of factors) {
    const own = power(atom, exponent)
    interval = interval === UNIT ? own : times(interval, own)
  }
  return interval
}

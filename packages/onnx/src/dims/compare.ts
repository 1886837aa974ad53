// What is certain about two Dims: true or false wherever both have values, undefined where it depends.
import { bounds } from './bounds.ts'
import type { Dim, DimLike } from './dim.ts'
import { floorRemainder, gcd } from './integer.ts'
import { constantTerm, sub, toDim } from './polynomial.ts'
import { floorMod } from './round.ts'

/** For certain, for certain not, or it depends on the symbols. */
export type Certainty = boolean | undefined

/** Whether the forms are the same; false says nothing. */
export const sameForm = (a: DimLike, b: DimLike): boolean => toDim(a).key === toDim(b).key

/** Whether a sum can never be 0, because all its varying terms are multiples of something that its constant is not. */
function isNeverZero(dim: Dim): boolean {
  const constant = constantTerm(dim)
  if (constant === 0n) return false
  const common = dim.terms.reduce(
    (g, { coefficient, monomial }) => (monomial.degree === 0 ? g : gcd(g, coefficient)),
    0n,
  )
  return common !== 0n && floorRemainder(constant, common) !== 0n
}

export function isEqual(a: DimLike, b: DimLike): Certainty {
  if (sameForm(a, b)) return true
  const difference = sub(a, b)
  if (isNeverZero(difference)) return false
  const { min, max } = bounds(difference)
  if (min > 0 || max < 0) return false
  return min === 0n && max === 0n ? true : undefined
}

export function isLess(a: DimLike, b: DimLike): Certainty {
  const { min, max } = bounds(sub(b, a))
  if (min > 0) return true
  return max <= 0 ? false : undefined
}

export function isAtMost(a: DimLike, b: DimLike): Certainty {
  const greater = isLess(b, a)
  return greater === undefined ? undefined : !greater
}

/** Whether q divides p. */
export const isDivisible = (p: DimLike, q: DimLike): Certainty => isEqual(floorMod(p, q), 0)

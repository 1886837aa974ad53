// A dimension: an integer expression over named symbols. Shape inference computes with it, both for sizes (N, 2*N + 1)
// and for the values that flow through Shape, Gather, Mul, Div, Concat into Reshape and Slice (-1, N - 1).
//
// The canonical form. A Dim is a polynomial with integer coefficients over atoms. An atom is
//
//   a symbol            N, with the bounds it was declared with
//   a floored quotient  floor(p/q), p and q again Dims
//   an extreme          max(p, …) or min(p, …)
//
// Nothing else is needed: mod(p, q) is p - q*floor(p/q), a quotient rounded up or toward zero and an absolute value are
// made of floors and extremes. So that equal expressions become one form,
//
//   - terms are sorted by degree and then by the keys of their atoms, like terms added, zeros dropped;
//   - floor((q*s + r)/q) is s + floor(r/q), where r is the unique remainder by the leading term of q: coefficients from
//     0 to q - 1 when q is a number, and of x and -x the one with the smaller leading coefficient, as floor(-x/q) is
//     -floor((x + q - 1)/q); common factors are cancelled; floors in floors are joined: floor((floor(x/a) + p)/b) is
//     floor((x + a*p)/(a*b));
//   - members of max and min are flattened, those that bounds prove superfluous are dropped, and what they have in common
//     is taken out: max(N + 1, M + 1) is max(N, M) + 1, max(2*N, 2*M) is 2*max(N, M). A floor of one extreme is the
//     extreme of floors.
//
// `key` is that form as text: equal keys are equal values wherever both have one. Different keys may still be equal
// values; compare.ts proves more than keys say.
//
// Where a quotient has no value (its divisor is 0) a simplified form may have one: (N*M)/M is N. Values are integers
// without limit: what wraps around in 64 bits does not wrap here.
//
// Size is limited. A Dim of more than MAX_TERMS terms or MAX_WEIGHT nodes, of a degree above MAX_DEGREE, or with a
// coefficient that is FAR away becomes a symbol with the bounds of what it stands for, named by a digest of its key:
// still the same name for the same expression and still exact when evaluated, but closed to simplification. Bounds that
// are FAR away become infinite. So no chain of operations explodes, however it nests.
import type { Bound } from './interval.ts'

export const MAX_TERMS = 200
export const MAX_WEIGHT = 500
export const MAX_DEGREE = 64

export interface SymbolAtom {
  readonly kind: 'symbol'
  readonly name: string
  /** The expression that the symbol stands for, where one grew too large to be kept open. */
  readonly definition?: Dim
}

export interface FloorAtom {
  readonly kind: 'floor'
  readonly numerator: Dim
  readonly divisor: Dim
}

export interface ExtremeAtom {
  readonly kind: 'max' | 'min'
  readonly members: readonly Dim[]
}

export type Atom = (SymbolAtom | FloorAtom | ExtremeAtom) & {
  readonly key: string
  readonly min: Bound
  readonly max: Bound
  /** How many nodes it is made of. */
  readonly weight: number
}

export interface Factor {
  readonly atom: Atom
  readonly power: number
}

/** A product of atoms, sorted by their keys; without factors it is 1. */
export interface Monomial {
  readonly key: string
  readonly factors: readonly Factor[]
  readonly degree: number
  readonly weight: number
}

export interface Term {
  /** Never 0. */
  readonly coefficient: bigint
  readonly monomial: Monomial
}

/** A size as an expression over the names of a model. */
export interface Dim {
  /** Equal keys are equal values. */
  readonly key: string
  /** The leading term first, the constant last; none of them for 0. */
  readonly terms: readonly Term[]
  readonly weight: number
}

/** What operations take: a number is the constant. */
export type DimLike = Dim | number | bigint

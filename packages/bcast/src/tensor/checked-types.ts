// Sizes and indices that are literal, held against a shape that is: a call that would throw does not compile, and its
// argument's type says why. What the compiler does not know is left to the runtime. `Gate` is a type parameter of the
// method that no argument says, so that it is what it is by default; see shape/types/known.ts.
import type { Shape } from '../shape/dim.ts'
import type { Show } from '../shape/types/broadcast.ts'
import type { Count, IsLess, Quotient, Written } from '../shape/types/integers.ts'
import type { HasRank, IsSize } from '../shape/types/known.ts'
import type { Range } from './layout.ts'

type Dims = readonly number[]

/** Whether every size of a shape is known. */
export type IsLiteral<S extends Dims, Gate> =
  HasRank<S, Gate> extends true ? (S extends readonly [] ? true : IsSize<S[number], Gate>) : false

type Others<R extends Dims, Out extends Dims = []> = R extends readonly [
  infer H extends number,
  ...infer T extends Dims,
]
  ? Others<T, H extends -1 ? Out : [...Out, H]>
  : Out

type CannotReshape<
  S extends Dims,
  R extends Dims,
> = `cannot reshape ${Show<S>} to ${Show<R>}: the numbers of elements differ`

/** The sentence for a shape that has not as many elements; never where it may. */
type ReshapeRefused<S extends Dims, R extends Dims, Gate> =
  IsLiteral<S, Gate> extends true
    ? IsLiteral<R, Gate> extends true
      ? -1 extends R[number]
        ? 0 extends S[number] | R[number]
          ? never
          : Quotient<Count<S>, Count<Others<R>>> extends 'rest'
            ? CannotReshape<S, R>
            : never
        : Count<S> extends Count<R>
          ? never
          : CannotReshape<S, R>
      : never
    : never

/** Sizes one by one or in one array. */
export type GivenSizes = Shape | readonly [Shape]
export type SizesIn<G extends GivenSizes> = G extends readonly [infer R extends Shape] ? R : G extends Shape ? G : never

/** The sizes of a reshape as they are given, or the sentence why they do not fit. */
export type FitsReshape<S extends Dims, G extends GivenSizes, Gate> = [ReshapeRefused<S, SizesIn<G>, Gate>] extends [
  never,
]
  ? G
  : readonly ReshapeRefused<S, SizesIn<G>, Gate>[]

/** The shape that a reshape gives; -1 is worked out where the numbers are small enough. */
export type Reshaped<S extends Dims, R extends Dims> = -1 extends R[number]
  ? { -readonly [I in keyof R]: R[I] extends -1 ? Missing<S, R> : R[I] }
  : { -readonly [I in keyof R]: R[I] }
type Missing<S extends Dims, R extends Dims> = number extends S['length'] | S[number] | R[number]
  ? number
  : 0 extends S[number] | R[number]
    ? number
    : Quotient<Count<S>, Count<Others<R>>> extends infer Q extends number
      ? Q
      : number

/** Whether an index is one of an axis, counted from either end. */
type IsWithin<I extends number, N extends number> = `${I}` extends `-${infer Back}`
  ? IsLess<`${N}`, Back> extends true
    ? false
    : true
  : IsLess<`${I}`, `${N}`>

/** The sentence for an index that an axis does not have; never where it may. */
type IndexRefused<I, N extends number, Gate> = I extends number
  ? IsSize<I, Gate> extends true
    ? IsSize<N, Gate> extends true
      ? IsWithin<I, N> extends true
        ? never
        : `index ${I} is outside an axis of size ${N}`
      : never
    : never
  : never

/** Indices or ranges, with a sentence in place of each that does not fit. */
type Indexed<
  S extends Dims,
  I extends readonly unknown[],
  Gate,
  Out extends readonly unknown[] = [],
> = I extends readonly [infer H, ...infer Rest]
  ? S extends readonly [infer N extends number, ...infer T extends Dims]
    ? Indexed<
        T,
        Rest,
        Gate,
        [...Out, IndexRefused<H, N, Gate> extends infer Why ? ([Why] extends [never] ? H : Why) : never]
      >
    : [...Out, ...I]
  : Out

/** The indices of an element, or the sentence why they do not fit. */
export type FitsIndex<S extends Dims, I extends Dims, Gate> =
  HasRank<S, Gate> extends true
    ? HasRank<I, Gate> extends true
      ? I['length'] extends S['length']
        ? Indexed<S, I, Gate>
        : readonly `give ${S['length'] & number} indices for shape ${Show<S>}, not ${I['length'] & number}`[]
      : I
    : I

/** Whether there are more ranges than axes. */
type HasMore<R extends readonly unknown[], S extends readonly unknown[]> = R extends readonly [unknown, ...infer Q]
  ? S extends readonly [unknown, ...infer T]
    ? HasMore<Q, T>
    : true
  : false

/** The ranges of a slice, or the sentence why they do not fit. */
export type FitsRanges<S extends Dims, R extends readonly Range[], Gate> =
  HasRank<S, Gate> extends true
    ? HasMore<R, S> extends true
      ? readonly `${R['length'] & number} ranges for shape ${Show<S>} of rank ${S['length'] & number}`[]
      : number extends R['length']
        ? R
        : Indexed<S, R, Gate>
    : R

type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never

/** The sentence for nested arrays that differ in length or depth; never where they may agree, as those not written out. */
type Ragged<V> = V extends readonly (infer E)[]
  ? [E] extends [never]
    ? never
    : number extends V['length']
      ? never
      : [E] extends [readonly unknown[]]
        ? IsUnion<E['length']> extends true
          ? 'ragged nesting: neighbouring arrays differ in length'
          : Ragged<E>
        : [Extract<E, readonly unknown[]>] extends [never]
          ? never
          : 'ragged nesting: an array beside an element'
  : never

/** `V`, or the sentence why it is no tensor. */
export type FitsNesting<V> = [Ragged<V>] extends [never] ? V : Ragged<V>

type FillingRefused<S extends Dims, O, Gate> =
  IsLiteral<S, Gate> extends true
    ? O extends { readonly shape: infer T extends Dims }
      ? IsLiteral<T, Gate> extends true
        ? Count<S> extends Count<T>
          ? never
          : `${Written<Count<S>>} elements do not fill shape ${Show<T>}, which takes ${Written<Count<T>>}`
        : never
      : never
    : never

/** `O`, or the sentence why values of a shape do not fill the one that options say. */
export type FitsFilling<S extends Dims, O, Gate> = [FillingRefused<S, O, Gate>] extends [never]
  ? O
  : { readonly shape: FillingRefused<S, O, Gate> }

// What functions that view and join do to literal shapes, in the type system. A size that the compiler cannot tell is
// `number`, a rank that it cannot tell an open array; the runtime decides those.
import type { IsOpen } from '../../shape/types/known.ts'

type Dims = readonly number[]
type Open = readonly number[]

/** An axis, or several. */
export type Axes = number | readonly number[]

/** The elements of one axis or several, as a union; `number` where one is not literal. */
type Named<A> = A extends readonly number[] ? A[number] : A

type Ones<N extends number, T extends 1[] = []> = T['length'] extends N ? T : Ones<N, [...T, 1]>

/** The position that lies N before the end; never where there is none. */
type FromEnd<S extends Dims, N extends number, Seen extends 1[] = []> = S extends readonly [
  ...infer H extends Dims,
  number,
]
  ? [...Seen, 1]['length'] extends N
    ? `${H['length']}`
    : FromEnd<H, N, [...Seen, 1]>
  : never

/** An axis counted from the left, as the text of its position. */
export type Position<A, S extends Dims> = A extends number
  ? `${A}` extends `-${infer N extends number}`
    ? FromEnd<S, N>
    : `${A}`
  : never

/** Whether every axis is literal. */
export type AreLiteral<A> = A extends readonly number[]
  ? number extends A['length']
    ? false
    : number extends A[number]
      ? false
      : true
  : number extends A
    ? false
    : true

type Without<S extends Dims, P extends string, Seen extends 1[] = [], Out extends Dims = []> = S extends readonly [
  infer H extends number,
  ...infer T extends Dims,
]
  ? Without<T, P, [...Seen, 1], `${Seen['length']}` extends P ? Out : [...Out, H]>
  : Out

type WithoutOnes<S extends Dims, Out extends Dims = []> = S extends readonly [
  infer H extends number,
  ...infer T extends Dims,
]
  ? number extends H
    ? Open
    : WithoutOnes<T, H extends 1 ? Out : [...Out, H]>
  : Out

/** Axes of size 1 gone: the named ones, or all. */
export type Squeezed<S extends Dims, A> =
  IsOpen<S> extends true
    ? Open
    : undefined extends A
      ? WithoutOnes<S>
      : AreLiteral<A> extends true
        ? Without<S, Position<Named<A>, S>>
        : Open

type Inserted<
  S extends Dims,
  P extends string,
  R extends Dims,
  Out extends Dims = [],
> = Out['length'] extends R['length']
  ? Out
  : `${Out['length']}` extends P
    ? Inserted<S, P, R, [...Out, 1]>
    : S extends readonly [infer H extends number, ...infer T extends Dims]
      ? Inserted<T, P, R, [...Out, H]>
      : Open

/** As many axes as are named, for counting. */
type Counted<A> = A extends readonly number[] ? { [I in keyof A]: number } : [number]

/** New axes of size 1 at positions of the result. */
export type Unsqueezed<S extends Dims, A> =
  IsOpen<S> extends true
    ? Open
    : AreLiteral<A> extends true
      ? Inserted<S, Position<Named<A>, [...S, ...Counted<A>]>, [...S, ...Counted<A>]>
      : Open

/** A shape with another size on an axis. */
export type WithSize<S extends Dims, A, N extends number> =
  IsOpen<S> extends true
    ? Open
    : AreLiteral<A> extends true
      ? Position<A, S> extends infer P
        ? { -readonly [I in keyof S]: I extends P ? N : S[I] }
        : never
      : { -readonly [I in keyof S]: number }

type SizeAt<S extends Dims, A> = Position<A, S> extends infer P extends keyof S ? S[P] & number : number

// Sums, digit by digit from the right, so that any size can be added.
type Tally = [[], [1], [1, 1], [1, 1, 1], [1, 1, 1, 1], Ones<5>, Ones<6>, Ones<7>, Ones<8>, Ones<9>]
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
type Backwards<T extends string> = T extends `${infer H}${infer R}` ? `${Backwards<R>}${H}` : ''
type DigitSum<A extends Digit, B extends Digit, C extends 0 | 1> = `${[
  ...Tally[A],
  ...Tally[B],
  ...Tally[C],
]['length'] &
  number}`
type SumDigits<A extends string, B extends string, C extends 0 | 1 = 0, Out extends string = ''> = A extends ''
  ? B extends ''
    ? `${C extends 1 ? '1' : ''}${Out}`
    : SumDigits<'0', B, C, Out>
  : B extends ''
    ? SumDigits<A, '0', C, Out>
    : [A, B] extends [`${infer X extends Digit}${infer AT}`, `${infer Y extends Digit}${infer BT}`]
      ? DigitSum<X, Y, C> extends `1${infer D extends Digit}`
        ? SumDigits<AT, BT, 1, `${D}${Out}`>
        : SumDigits<AT, BT, 0, `${DigitSum<X, Y, C>}${Out}`>
      : never

/** A + B; `number` where one is not a literal count. */
export type Sum<A extends number, B extends number> = number extends A
  ? number
  : number extends B
    ? number
    : `${A}${B}` extends `${string}${'-' | '.' | 'e'}${string}`
      ? number
      : SumDigits<Backwards<`${A}`>, Backwards<`${B}`>> extends `${infer N extends number}`
        ? N
        : number

/** The sum of the sizes that shapes have on an axis. */
export type SumAt<T extends readonly Dims[], A, N extends number = 0> = T extends readonly [
  infer H extends Dims,
  ...infer R extends readonly Dims[],
]
  ? IsOpen<H> extends true
    ? number
    : SumAt<R, A, Sum<N, SizeAt<H, A>>>
  : T extends readonly []
    ? N
    : number

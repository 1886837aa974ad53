// What the compiler knows at a call. A shape, size or type that is a parameter of the function around the call counts as
// not known, so that generic code compiles and the runtime decides.
//
// A conditional type over a type parameter is put off, and nothing is assignable to one that is. These questions are
// not: what they ask about stands inside a function type, which the compiler compares at once, with every parameter as
// if it were `any`; spreading or capitalising that gives `number[]` and `string`, which no literal is. `Gate` is what
// keeps the answer from being given where the type is declared: a parameter of the alias or signature that uses it, of
// which the call says what it is.

type Dims = readonly number[]

/** Ranks that the compiler follows; larger ones are left to the runtime. */
type Rank =
  | (0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10)
  | (11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21)
  | (22 | 23 | 24 | 25 | 26 | 27 | 28 | 29 | 30 | 31 | 32)

/** Whether the rank is not known, for results: put off where it is a parameter, and so exact when that is known. */
export type IsOpen<S extends Dims> = number extends S['length'] ? true : false

/** Whether the rank of a shape is known. */
export type HasRank<S extends Dims, Gate> = Gate & (() => [...S]['length']) extends () => Rank ? true : false

/** Whether a size is known. */
export type IsSize<N extends number, Gate> = Gate & (() => Uppercase<`${N}`>) extends () => `${bigint}` ? true : false

/** Whether a name is one of `Names`, whichever. */
export type IsName<N, Names extends string, Gate> = Gate & (() => Uppercase<N & string>) extends () => Uppercase<Names>
  ? true
  : false

type Probe<T> = <X>() => X extends T ? 1 : 2

/** A where A and B are one type, `Otherwise` where not; put off where that depends on parameters. */
export type IfSame<A, B, Otherwise, Gate> = Gate & Probe<A> extends Probe<B> ? A : Otherwise

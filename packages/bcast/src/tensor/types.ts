// What views do to literal shapes, in the type system.
import type { DType, Element } from '../dtype/dtype.ts'
import type { IsOpen } from '../shape/types/known.ts'
import type { Range } from './layout.ts'

type Dims = readonly number[]

/** Nested arrays of elements, to any depth. */
export type NestedElements<D extends DType> = Element<D> | readonly NestedElements<D>[]

export type Reversed<S extends Dims> =
  IsOpen<S> extends true
    ? readonly number[]
    : S extends readonly [infer H extends number, ...infer T extends Dims]
      ? [...Reversed<T>, H]
      : []

/** Sizes picked in the given order; unknown where the order is not literal or counts from the end. */
export type Transposed<S extends Dims, O extends Dims> =
  IsOpen<O> extends true
    ? readonly number[]
    : IsOpen<S> extends true
      ? { -readonly [I in keyof O]: number }
      : { -readonly [I in keyof O]: O[I] extends keyof S ? S[O[I]] & number : number }

/** Axes picked by a number go; untouched ones keep their size. */
export type Sliced<S extends Dims, R extends readonly Range[]> =
  IsOpen<S> extends true
    ? readonly number[]
    : S extends readonly [infer H extends number, ...infer T extends Dims]
      ? R extends readonly [infer First, ...infer Rest extends readonly Range[]]
        ? First extends number
          ? Sliced<T, Rest>
          : [First extends null | undefined ? H : number, ...Sliced<T, Rest>]
        : R extends readonly []
          ? [...S]
          : readonly number[]
      : []
